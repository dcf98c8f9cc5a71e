import jax
import jax.numpy as jnp

x = jnp.array([[1.0, 2.0], [3.0, 4.0], [5.0, 7.0]])
jax.grad(lambda x: jnp.linalg.svd(x)[1][0])(x)  # the largest singular value
