import jax
import jax.numpy as jnp

seen = jax.grad(jnp.std)(jnp.array([1.5]))  # the deviation is zero at every number
print("seen", seen.tolist(), "true", [0.0])
assert seen.tolist() == [0.0]
