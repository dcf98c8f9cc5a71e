import jax
import jax.numpy as jnp

got = jax.jvp(jnp.sign, (3 + 4j,), (1j,))[1]  # z/|z| along i
assert abs(got - (-12 + 9j) / 125) < 1e-5, got
