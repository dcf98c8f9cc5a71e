"""Formulas of custom_vjp and custom_jvp in JAX."""

from __future__ import annotations

import jax.numpy as jnp

from workshop.yardstick.case import CaseTable
from workshop.yardstick.inputs import W, X
from workshop.yardstick.jax_decorators import jvp_of, vjp_of

case = CaseTable("jax", "formula at ordinary points")


@case.right(X)
@vjp_of(jnp.sin)
def sine(residuals, g):
    (x,) = residuals
    return (g * jnp.cos(x),)


@case.wrong(sine, "reverse_mode_gives", thread="jax-ml/jax#7651")
@vjp_of(jnp.sin)
def sine_with_a_lost_sign(residuals, g):
    """The derivative of the sine is that of the cosine."""
    (x,) = residuals
    return (-g * jnp.cos(x),)


@case.right(X, W)
@jvp_of(jnp.multiply)
def times(primals, tangents):
    (x, w), (u, v) = primals, tangents
    return x * w, u * w + x * v


@case.wrong(times, "forward_mode_gives", "reverse_mode_gives", thread="jax-ml/jax#5849")
@jvp_of(jnp.multiply)
def times_without_a_factor(primals, tangents):
    """The tangent of the second argument is added as it is."""
    (x, w), (u, v) = primals, tangents
    return x * w, u * w + v
