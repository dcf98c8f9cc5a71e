import math

import jax
from jax.scipy.special import expn

seen = jax.grad(lambda x: expn(0, x))(1.0)
print("expn(0, x) is exp(-x) / x; its derivative at 1:", seen, "true:", -2 / math.e)
assert abs(seen + 2 / math.e) < 1e-3, seen
