import jax
import jax.numpy as jnp

matrix, x = jnp.array([[1, 2], [3, 4], [5, 6]]), jnp.array([1, 1])
(got,) = jax.linear_transpose(lambda x: matrix @ x, x)(jnp.array([1, 10, 100]))
assert got.tolist() == [531, 642], got
