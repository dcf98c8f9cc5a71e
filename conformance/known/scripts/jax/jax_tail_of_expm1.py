import math

import jax
import jax.numpy as jnp

jax.config.update("jax_enable_x64", True)
seen, true = jax.grad(jnp.expm1)(-40.0), math.exp(-40)
print("derivative of expm1 at -40:", seen, "true:", true)
assert math.isclose(seen, true, rel_tol=1e-6), seen
