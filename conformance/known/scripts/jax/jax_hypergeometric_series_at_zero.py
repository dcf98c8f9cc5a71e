import jax
from jax.scipy.special import hyp1f1, hyp2f1

jax.config.update("jax_enable_x64", True)
# M(a, b, x) is 1 + a/b x + ..., and F(a, b, c, x) is 1 + a b/c x + ...
by_a = jax.jvp(jax.grad(hyp1f1), (1.5, 0.7, 0.0), (0.0, 0.0, 1.0))[1]
print("hyp1f1, by a and x at x = 0:", by_a, "true:", 1 / 0.7)
also = jax.jvp(jax.grad(hyp2f1), (1.5, 0.7, 1.2, 0.0), (0.0, 0.0, 0.0, 1.0))[1]
print("hyp2f1, by a and x at x = 0:", also, "true:", 0.7 / 1.2)
assert abs(by_a - 1 / 0.7) < 1e-9
assert abs(also - 0.7 / 1.2) < 1e-9
