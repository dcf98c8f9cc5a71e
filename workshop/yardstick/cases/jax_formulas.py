"""Formulas of custom_vjp and custom_jvp in JAX."""

from __future__ import annotations

import jax.numpy as jnp

from workshop.yardstick.case import CaseTable
from workshop.yardstick.inputs import VECTOR, W, X
from workshop.yardstick.jax_decorators import jvp_of, vjp_of

case = CaseTable("jax", "formula at ordinary points")


def sine_times(x, y):
    return jnp.sin(x) * y


@case.right(X, W)
@vjp_of(sine_times)
def sine_product(residuals, g):
    x, y = residuals
    return g * jnp.cos(x) * y, g * jnp.sin(x)


@case.wrong(sine_product, "reverse_mode_gives", thread="jax-ml/jax#3213")
@vjp_of(sine_times)
def sine_product_with_a_sign(residuals, g):
    """The sign of the second cotangent is wrong."""
    x, y = residuals
    return g * jnp.cos(x) * y, -g * jnp.sin(x)


@case.wrong(sine_product, "reverse_mode_gives", thread="jax-ml/jax#4595")
@vjp_of(sine_times)
def sine_product_by_the_first(residuals, g):
    """None for an input that is differentiable: its cotangent is zero."""
    x, y = residuals
    return g * jnp.cos(x) * y, None


@case.right(X, W)
@jvp_of(sine_times)
def sine_product_forward(primals, tangents):
    (x, y), (u, v) = primals, tangents
    return sine_times(x, y), u * jnp.cos(x) * y + v * jnp.sin(x)


@case.wrong(sine_product_forward, "forward_mode_gives", "reverse_mode_gives", thread="jax-ml/jax#3213")
@jvp_of(sine_times)
def sine_product_forward_with_a_sign(primals, tangents):
    """The sign of the second tangent is wrong."""
    (x, y), (u, v) = primals, tangents
    return sine_times(x, y), u * jnp.cos(x) * y - v * jnp.sin(x)


@case.wrong(sine_product_forward, "forward_mode_gives", "reverse_mode_gives", thread="jax-ml/jax#3035")
@jvp_of(sine_times)
def sine_product_of_a_cube(primals, tangents):
    """The rule is not linear in the tangent."""
    (x, y), (u, v) = primals, tangents
    return sine_times(x, y), u**3 * jnp.cos(x) * y + v * jnp.sin(x)


@case.wrong(sine_product_forward, "forward_mode_gives", "reverse_mode_gives", thread="jax-ml/jax#4802")
@jvp_of(sine_times)
def sine_product_of_a_squared_tangent(primals, tangents):
    """The tangent is multiplied in twice."""
    (x, y), (u, v) = primals, tangents
    return sine_times(x, y), (u * jnp.cos(x) * y + v * jnp.sin(x)) * u


def scaled_power(x, scale, power):
    return scale * x**power


@case.right(X, 3.0, 2)
@vjp_of(scaled_power, residuals=lambda x, *_: (x,), nondiff=(1, 2))
def scaled_powers(scale, power, residuals, g):
    (x,) = residuals
    return (g * scale * power * x ** (power - 1),)


@case.wrong(scaled_powers, "reverse_mode_gives", thread="jax-ml/jax#4617")
@vjp_of(scaled_power, residuals=lambda x, *_: (x,), nondiff=(1, 2))
def scaled_powers_in_another_order(power, scale, residuals, g):
    """The arguments that are not differentiated come in another order than the rule expects."""
    (x,) = residuals
    return (g * scale * power * x ** (power - 1),)


@case.right(X, VECTOR)
@vjp_of(lambda x, bias: jnp.tanh(x + bias))
def biased_tanh(residuals, g):
    x, bias = residuals
    slope = g * (1 - jnp.tanh(x + bias) ** 2)
    return slope, slope.sum(0)


@case.wrong(biased_tanh, "reverse_mode_gives", thread="tracel-ai/burn#181")
@vjp_of(lambda x, bias: jnp.tanh(x + bias))
def biased_tanh_of_a_row(residuals, g):
    """Of the rows that the bias was broadcast to, the first counts."""
    x, bias = residuals
    slope = g * (1 - jnp.tanh(x + bias) ** 2)
    return slope, slope[0]


@case.right(X + 1j * W)
@vjp_of(lambda z: z * (0.6 + 0.8j))
def turned(residuals, g):
    return (g * (0.6 + 0.8j),)


@case.wrong(turned, "reverse_mode_gives", thread="patrick-kidger/optimistix#61")
@vjp_of(lambda z: z * (0.6 + 0.8j))
def turned_back(residuals, g):
    """The cotangent is conjugated, as PyTorch's convention is."""
    return (g * (0.6 - 0.8j),)
