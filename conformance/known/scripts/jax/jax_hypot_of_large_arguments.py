import jax
import jax.numpy as jnp

gradients = jax.grad(jnp.hypot, argnums=(0, 1))(jnp.float32(3e25), jnp.float32(4e25))
print("gradient of hypot at (3e25, 4e25):", *gradients, "true: 0.6 0.8")
assert abs(gradients[1] - 0.8) < 1e-3, gradients
