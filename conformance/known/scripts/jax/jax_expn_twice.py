import jax
from jax.scipy.special import exp1

jax.config.update("jax_enable_x64", True)

# exp1'(x) = -exp(-x) / x, and exp1''(x) = exp(-x) (1 + 1/x) / x. With the bug: TypeError.
seen = jax.grad(jax.grad(exp1))(1.0)
print("second derivative of exp1 at 1:", seen, "true: 0.735758882342885")
assert abs(seen - 0.735758882342885) < 1e-9, seen
