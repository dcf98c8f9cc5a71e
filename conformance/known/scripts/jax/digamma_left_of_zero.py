import math

import jax

got = jax.grad(jax.lax.digamma)(-9.5)
expected = math.pi**2 / 2 + 4 * sum(1 / n**2 for n in range(1, 20, 2))  # trigamma, 9.770
assert abs(got - expected) < 1e-3, (got, expected)
