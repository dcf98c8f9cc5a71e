import jax
from jax.scipy.special import erfcx

jax.config.update("jax_enable_x64", True)
true = -0.0007951  # 2 x erfcx(x) - 2 / sqrt(pi), about -1 / (sqrt(pi) x^2)
seen = jax.grad(erfcx)(26.6)
print("erfcx and its derivative at 26.6:", erfcx(26.6), seen, "true: 0.021195", true)
assert abs(seen - true) < 1e-6, seen
