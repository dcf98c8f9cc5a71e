import math

import jax
import jax.numpy as jnp

jax.config.update("jax_enable_x64", True)
seen, true = jax.grad(jnp.sinc)(1e-16), -(math.pi**2) * 1e-16 / 3
print("derivative of sinc at 1e-16:", seen, "true:", true)
assert abs(seen - true) < 1e-3, seen
