import jax
from jax.scipy.special import xlogy
from jax.scipy.stats import gumbel_r

jax.config.update("jax_enable_x64", True)

# 2 log(y), and the quantile -log(-log(p)). With the bug: TypeError, for a product with a float0.
functions = {"xlogy(2, y)": (lambda y: xlogy(2, y), 1.6), "gumbel_r.ppf(p)": (gumbel_r.ppf, 0.3)}
for name, (function, at) in functions.items():
    by_differences = (function(at + 1e-5) - function(at - 1e-5)) / 2e-5
    print(name, "at", at, "by differences:", by_differences)
    seen = jax.grad(function)(at)
    assert abs(seen - by_differences) < 1e-6, seen
