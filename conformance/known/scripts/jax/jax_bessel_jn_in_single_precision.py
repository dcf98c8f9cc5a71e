import jax
from jax.scipy.special import bessel_jn


def j0(z):
    return bessel_jn(z, v=0)[0]


seen = [float(jax.grad(j0)(z)) for z in (0.5, 1.3, 3.0)]
print("J_0(1.3):", j0(1.3), "true: 0.6200860")
print("derivative at 0.5, 1.3 and 3:", seen, "true:", [-0.2422685, -0.5220232, -0.3390590])
assert abs(seen[1] + 0.5220232) < 1e-4, seen
