import jax
import jax.numpy as jnp


def through(x):
    ref = jax.new_ref(jnp.zeros_like(x))
    ref[...] = x
    return ref[...]


x = jnp.array([[0.0, 1.0], [2.0, 3.0]])
got = jax.vmap(through, in_axes=1)(x)
assert got.tolist() == [[0.0, 2.0], [1.0, 3.0]], got
