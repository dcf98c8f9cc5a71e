"""Second derivatives of custom rules in JAX, and values under differentiation."""

from __future__ import annotations

import jax
import jax.numpy as jnp

from workshop.yardstick.case import CaseTable
from workshop.yardstick.inputs import POSITIVE, VECTOR, X
from workshop.yardstick.jax_decorators import jvp_of, vjp_of

case = CaseTable("jax", "second derivatives")


def cube(x):
    return x**3


@case.right(X)
@vjp_of(cube)
def cubed(residuals, g):
    (x,) = residuals
    return (3 * g * x**2,)


@case.wrong(cubed, "reverse_over_reverse", thread="jax-ml/jax#16049")
@vjp_of(cube)
def cubed_of_constants(residuals, g):
    """The residuals are constants: what is done to them is not differentiated."""
    (x,) = jax.lax.stop_gradient(residuals)
    return (3 * g * x**2,)


@vjp_of(lambda x, g: 3 * g * x**2)
def slope_of_a_constant(residuals, h):
    x, _ = residuals
    return None, 3 * h * x**2


@case.wrong(cubed, "reverse_over_reverse", thread="jax-ml/jax#21220")
@vjp_of(cube)
def cubed_by_nested_rules(residuals, g):
    """The pullback has a rule, in which the saved input has no cotangent."""
    (x,) = residuals
    return (slope_of_a_constant(x, g),)


@case.right(X)
@jvp_of(cube)
def cubed_forward(primals, tangents):
    (x,), (u,) = primals, tangents
    return cube(x), 3 * x**2 * u


@case.wrong(cubed_forward, "second_derivative", "derivative_of_the_pullback", thread="jax-ml/jax#10994")
@jvp_of(cube)
def cubed_of_a_stopped_factor(primals, tangents):
    """The factor of the tangent is stopped, to save work."""
    (x,), (u,) = primals, tangents
    return cube(x), 3 * jax.lax.stop_gradient(x**2) * u


def root(x):
    """The root of y**3 + y = x, by Newton's method."""
    return jax.lax.fori_loop(0, 30, lambda _, y: y - (y**3 + y - x) / (3 * y**2 + 1), x / (1 + x))


@case.right(POSITIVE)
@jvp_of(root)
def implicit_root(primals, tangents):
    (x,), (u,) = primals, tangents
    y = implicit_root(x)
    return y, u / (3 * y**2 + 1)


@case.wrong(implicit_root, "second_derivative", thread="jax-ml/jax#28805")
@jvp_of(root)
def implicit_root_of_a_solver(primals, tangents):
    """The rule calls the solver, whose result is a constant, instead of the function with the rule."""
    (x,), (u,) = primals, tangents
    y = jax.lax.stop_gradient(root(x))
    return y + 0 * x, u / (3 * y**2 + 1)


@case.right(VECTOR)
@vjp_of(jnp.exp)
def exponential(residuals, g):
    (x,) = residuals
    return (g * jnp.exp(x),)


def _of_another_value():
    """Forward gives another value than the function: a gradient is right, and the loss beside it is not."""
    custom = jax.custom_vjp(jnp.exp)
    custom.defvjp(lambda x: (1 + x + x**2 / 2, x), lambda x, g: (g * jnp.exp(x),))
    custom.__name__, custom.__doc__ = "exponential_of_another_value", _of_another_value.__doc__
    return custom


exponential_of_another_value = case.wrong(exponential, "reverse_over_reverse", thread="google/jaxopt#141")(
    _of_another_value()
)
