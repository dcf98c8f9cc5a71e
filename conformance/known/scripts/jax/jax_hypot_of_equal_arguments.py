import math

import jax
import jax.numpy as jnp

seen = jax.grad(jax.grad(jnp.hypot))(1.0, 1.0)
true = 1 / (2 * math.sqrt(2))  # y^2 / (x^2 + y^2)^(3/2)
print("second derivative of hypot(x, 1) at 1:", seen, "true:", true)
assert abs(seen - true) < 1e-3, seen
