"""Special points of custom rules in JAX: zeros, large numbers, and second derivatives there."""

from __future__ import annotations

import jax
import jax.numpy as jnp

from workshop.yardstick.case import CaseTable
from workshop.yardstick.inputs import POSITIVE, VECTOR
from workshop.yardstick.jax_decorators import jvp_of, vjp_of

case = CaseTable("jax", "special points")


def length(x):
    square = (x * x).sum()
    return jnp.where(square > 0, jnp.sqrt(jnp.where(square > 0, square, 1.0)), 0.0)


@case.right(VECTOR)
@jvp_of(length)
def safe_length(primals, tangents):
    (x,), (u,) = primals, tangents
    y = length(x)
    return y, (x * u).sum() * jnp.where(y > 0, 1 / jnp.where(y > 0, y, 1.0), 0.0)


@case.wrong(safe_length, "kink", thread="jax-ml/jax#3058")
@jvp_of(length)
def length_of_nothing(primals, tangents):
    """The tangent at zero is 0 / 0."""
    (x,), (u,) = primals, tangents
    y = length(x)
    return y, (x * u).sum() / y


@case.right(POSITIVE)
@vjp_of(lambda x: jnp.where(x < 1, x, 2 * jnp.sqrt(jnp.where(x < 1, 1.0, x)) - 1))
def joined_root(residuals, g):
    (x,) = residuals
    return (g * jnp.where(x < 1, 1.0, 1 / jnp.sqrt(jnp.where(x < 1, 1.0, x))),)


@case.wrong(joined_root, "reverse_mode_gives", "zero_cotangent", thread="jax-ml/jax#5798")
@vjp_of(lambda x: jnp.where(x < 1, x, 2 * jnp.sqrt(jnp.where(x < 1, 1.0, x)) - 1))
def joined_root_of_both(residuals, g):
    """The branch that is not taken is infinite at zero, and multiplied by zero."""
    (x,) = residuals
    return (g * (x < 1) + g * (x >= 1) / jnp.sqrt(x),)


@case.right(VECTOR)
@vjp_of(jax.nn.softplus)
def softplus(residuals, g):
    (x,) = residuals
    return (g * jax.nn.sigmoid(x),)


@case.wrong(softplus, "reverse_mode_gives", "overflows", "precision", thread="jax-ml/jax#2930")
@vjp_of(jax.nn.softplus)
def softplus_by_quotient(residuals, g):
    """A quotient of exponentials: infinity by infinity."""
    (x,) = residuals
    return (g * jnp.exp(x) / (1 + jnp.exp(x)),)


def log_cosh(x):
    return jnp.abs(x) + jnp.log1p(jnp.exp(-2 * jnp.abs(x))) - jnp.log(2.0)


@case.right(VECTOR)
@jvp_of(log_cosh)
def smooth_magnitude(primals, tangents):
    (x,), (u,) = primals, tangents
    return log_cosh(x), u * jnp.tanh(x)


@case.wrong(smooth_magnitude, "second_derivative", thread="jax-ml/jax#40627")
@jvp_of(log_cosh)
def smooth_magnitude_of_zero(primals, tangents):
    """At zero the slope is the constant 0: its derivative, which is 1, is dropped."""
    (x,), (u,) = primals, tangents
    return log_cosh(x), u * jnp.where(x == 0, 0.0, jnp.tanh(jnp.where(x == 0, 1.0, x)))


@case.right(POSITIVE, VECTOR + 2)
@vjp_of(lambda x, y: x**y)
def power_of(residuals, g):
    x, y = residuals
    return g * y * x ** (y - 1), g * jnp.where(x == 0, 0.0, x**y * jnp.log(jnp.where(x == 0, 1.0, x)))


@case.wrong(power_of, "kink", "reverse_mode_gives", "zero_cotangent", thread="jax-ml/jax#7440")
@vjp_of(lambda x, y: x**y)
def power_of_zero(residuals, g):
    """Of a zero base, the cotangent of the exponent is zero times the logarithm of zero."""
    x, y = residuals
    return g * y * x ** (y - 1), g * x**y * jnp.log(x)


def sinc(x):
    return jnp.where(x == 0, 1.0, jnp.sin(x) / jnp.where(x == 0, 1.0, x))


@case.right(VECTOR)
@vjp_of(sinc)
def smooth_sinc(residuals, g):
    (x,) = residuals
    safe = jnp.where(jnp.abs(x) < 0.1, 1.0, x)
    series = -x / 3 + x**3 / 30 - x**5 / 840 + x**7 / 45360
    return (g * jnp.where(jnp.abs(x) < 0.1, series, (jnp.cos(safe) - jnp.sin(safe) / safe) / safe),)


@case.wrong(smooth_sinc, "precision", thread="jax-ml/jax#34139")
@vjp_of(sinc)
def sinc_that_cancels(residuals, g):
    """Near zero, two numbers that are nearly equal are subtracted: in single precision nothing is left."""
    (x,) = residuals
    safe = jnp.where(x == 0, 1.0, x)
    return (g * jnp.where(x == 0, 0.0, (jnp.cos(safe) - jnp.sin(safe) / safe) / safe),)
