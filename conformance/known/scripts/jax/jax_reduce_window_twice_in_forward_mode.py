import jax
import jax.numpy as jnp
from jax import lax

V = jnp.array([1.0, 2.0, -1.0])


def products(x):  # of two neighbours each
    return jnp.sum(lax.reduce_window(x, 1.0, lambda a, b: a * b, (2,), (1,), "VALID"))


def tangent(x):
    return jax.jvp(products, (x,), (V,))[1]


x = jnp.array([1.0, 2.0, 3.0])
print("tangent:", tangent(x), "true:", 8.0)
print("true second derivative:", 2 * (V[0] * V[1] + V[1] * V[2]), "seen: an error, as")
print(jax.jvp(tangent, (x,), (V,))[1])
