import math

import jax

jax.config.update("jax_enable_x64", True)
root = math.sqrt(1e12 + 4)
seen, true = jax.grad(jax.nn.squareplus)(-1e6), 2 / (root * (root + 1e6))
print("derivative of squareplus at -1e6:", seen, "true:", true)
assert math.isclose(seen, true, rel_tol=1e-6), seen
