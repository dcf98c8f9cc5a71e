import jax
from jax.scipy.special import bessel_jn

jax.config.update("jax_enable_x64", True)


def bessel(z):  # J_2, by the default number of steps
    return bessel_jn(z, v=2)[2]


first, second = jax.grad(bessel), jax.grad(jax.grad(bessel))
print("J_2(0.01):", bessel(0.01), "true: 1.24998958e-05")
print("J_2'(0.01):", first(0.01), "true: 0.00249995833, and forward mode:", jax.jvp(bessel, (0.01,), (1.0,))[1])
print("J_2'(0.15):", first(0.15), "true: 0.0373595233")
print("J_2''(0.15):", second(0.15), "true: 0.2471924404")
assert abs(first(0.01) - 0.00249995833) < 1e-6
assert abs(second(0.15) - 0.2471924404) < 1e-6
