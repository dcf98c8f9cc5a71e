import jax
from jax.scipy.special import betaln, polygamma

jax.config.update("jax_enable_x64", True)
seen = jax.grad(jax.grad(betaln))(1.5, 1.5)
true = polygamma(1, 1.5) - polygamma(1, 3.0)
print("second derivative of betaln(a, 1.5) by a at 1.5:", seen, "true:", true)
assert abs(seen - true) < 1e-6, seen
