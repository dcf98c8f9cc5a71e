import math

import jax
from jax.scipy.special import fresnel


def cosine(x):  # whose derivative is cos(pi/2 x^2)
    return fresnel(x)[1]


seen = [float(jax.grad(jax.grad(cosine))(x)) for x in (0.99, 1.0, 1.01)]
print("second derivative at 0.99, 1 and 1.01:", seen, "true at 1:", -math.pi)
assert abs(seen[1] + math.pi) < 1e-3, seen
