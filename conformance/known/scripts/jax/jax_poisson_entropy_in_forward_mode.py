import jax
from jax.scipy.stats import poisson

jax.config.update("jax_enable_x64", True)

seen = jax.jvp(poisson.entropy, (1.5,), (1.0,))[1]
by_differences = (poisson.entropy(1.5001) - poisson.entropy(1.4999)) / 0.0002
print("JVP:", seen, "reverse mode:", jax.grad(poisson.entropy)(1.5), "by differences:", by_differences)
assert abs(seen - by_differences) < 1e-6, seen
