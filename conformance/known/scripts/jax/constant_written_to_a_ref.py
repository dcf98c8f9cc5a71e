import jax
import jax.numpy as jnp


def f(x):
    ref = jax.new_ref(x)
    ref[0] = 1.0
    return ref[...].sum()


got = jax.grad(f)(jnp.ones(3))
assert got.tolist() == [0.0, 1.0, 1.0], got
