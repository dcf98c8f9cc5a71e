import jax
from jax.scipy.special import spence

expected = jax.jvp(spence, (1.2,), (1.0,))[1]  # log(1.2) / (1 - 1.2)
got = jax.grad(spence)(1.2)
assert abs(got - expected) < 1e-5, (got, expected)
