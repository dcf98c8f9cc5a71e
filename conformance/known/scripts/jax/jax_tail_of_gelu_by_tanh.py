import math

import jax

jax.config.update("jax_enable_x64", True)
x = -6.0
inner, slope = (math.sqrt(2 / math.pi) * p for p in (x + 0.044715 * x**3, 1 + 3 * 0.044715 * x**2))
share = 1 / (1 + math.exp(-2 * inner))  # (1 + tanh(inner)) / 2
true = share + x * 2 * share * (1 - share) * slope
seen = jax.grad(jax.nn.gelu)(x)
print("derivative of gelu by tanh at -6:", seen, "true:", true)
assert math.isclose(seen, true, rel_tol=1e-7), seen
