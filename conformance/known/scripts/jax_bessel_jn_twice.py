import jax
from jax.scipy.special import bessel_jn

jax.config.update("jax_enable_x64", True)


def bessel(z):  # J_2, by the default number of steps
    return bessel_jn(z, v=2)[2]


print("J_2'(0.15):", jax.grad(bessel)(0.15), "true: 0.0373595233")
seen = jax.grad(jax.grad(bessel))(0.15)
true = 0.2471924404
print("J_2''(0.15):", seen, "true:", true)
assert abs(seen - true) < 1e-6, seen
