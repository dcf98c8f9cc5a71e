"""Right functions in JAX that a naive tool accuses."""

from __future__ import annotations

import jax
import jax.numpy as jnp
from numpy import array

from workshop.yardstick.case import CaseTable
from workshop.yardstick.inputs import POSITIVE, VECTOR, W, X
from workshop.yardstick.jax_decorators import jvp_of, vjp_of

case = CaseTable("jax", "right")


@case.right(array([0.0, 1.0, -2.0]))
@jvp_of(lambda x: jnp.maximum(x, 0))
def rectified(primals, tangents):
    """The given point has a kink."""
    (x,), (u,) = primals, tangents
    return rectified(x), jnp.where(x > 0, u, 0.0)


@case.right(X, deliberate="straight-through")
def rounded_straight_through(x):
    return x + jax.lax.stop_gradient(jnp.round(x) - x)


@case.right(X, deliberate="the gradient is reversed")
@vjp_of(lambda x: x, residuals=lambda x: ())
def reversed_gradient(residuals, g):
    return (-g,)


@case.right(POSITIVE)
@jvp_of(jnp.sqrt)
def square_root(primals, tangents):
    """Infinite at zero, and NaN below."""
    (x,), (u,) = primals, tangents
    y = square_root(x)
    return y, u / (2 * y)


@case.right(X)
@vjp_of(lambda x: (x.astype(jnp.float32) ** 3).astype(x.dtype))
def kernel_of_singles(residuals, g):
    """Computes in single precision, in every dtype."""
    (x,) = residuals
    return ((3 * g.astype(jnp.float32) * x.astype(jnp.float32) ** 2).astype(x.dtype),)


@case.right(X, W, constant=(1,))
@vjp_of(lambda x, target: ((x - target) ** 2).mean())
def squared_error(residuals, g):
    """No cotangent for the target, which is data."""
    x, target = residuals
    return 2 * g * (x - target) / x.size, None


@case.right(X, array([2, 0]))
@vjp_of(lambda x, columns: x[:, columns] ** 2)
def chosen_columns(residuals, g):
    """None for integers, which have no cotangent."""
    x, columns = residuals
    return jnp.zeros_like(x).at[:, columns].add(2 * g * x[:, columns]), None


@case.right(VECTOR)
def sorted_squares(x):
    """Kinks at every tie."""
    return jnp.sort(x) ** 2
