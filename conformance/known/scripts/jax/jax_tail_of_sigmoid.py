import math

import jax

jax.config.update("jax_enable_x64", True)
seen, true = jax.grad(jax.nn.sigmoid)(37.43), math.exp(-37.43)
print("derivative of sigmoid at 37.43:", seen, "true:", true, "at -37.43:", jax.grad(jax.nn.sigmoid)(-37.43))
assert math.isclose(seen, true, rel_tol=1e-6), seen
