"""Derivatives: every mode, and every composition of two, agrees with differences."""

from conformance.behaviour import MUST, behaviour, hips, jax, torch, torch_func
from conformance.laws.compositions import (
    FORWARD,
    FORWARD_OVER_FORWARD,
    FORWARD_OVER_REVERSE,
    REVERSE,
    REVERSE_OVER_FORWARD,
    REVERSE_OVER_REVERSE,
    REVERSE_THREE_TIMES,
)
from conformance.laws.judge import agrees_with_differences, hold
from conformance.operations import of_order
from conformance.operations.samples import samples

FIRST, SECOND, THIRD = of_order(1), of_order(2), of_order(3)
MODES = torch("notes/gradcheck", "Notations and background information")
DUAL = torch("torch.autograd.forward_ad.make_dual")
# Of JAX and of HIPS autograd: both modes compose, in any order and to any depth.
COMPOSED = (jax("thinking_in_jax", "Taking derivatives with jax.grad"), hips("README"))
NESTED = (
    torch("torch.autograd.grad"),
    jax("automatic-differentiation", "1. Taking gradients with jax.grad"),
    hips("README"),
)


@behaviour(MUST, MODES, jax("jax.vjp"), hips("differential_operators", "grad"), cases=FIRST)
def reverse_mode_gives_the_derivative(ad, operation):
    """The VJP of an operation agrees with central differences, along a random direction."""
    hold(ad, samples(operation), lambda at: agrees_with_differences(at, REVERSE))


@behaviour(MUST, MODES, jax("jax.jvp"), hips("README"), cases=FIRST)
def forward_mode_gives_the_derivative(ad, operation):
    """The JVP of an operation agrees with central differences, along a random direction."""
    hold(ad, samples(operation), lambda at: agrees_with_differences(at, FORWARD))


@behaviour(MUST, *NESTED, cases=SECOND)
def reverse_over_reverse_gives_the_second_derivative(ad, operation):
    """The VJP of a VJP agrees with central differences of the gradient, along random directions."""
    hold(ad, samples(operation), lambda at: agrees_with_differences(at, REVERSE_OVER_REVERSE))


@behaviour(MUST, DUAL, *COMPOSED, cases=SECOND)
def forward_over_reverse_gives_the_second_derivative(ad, operation):
    """The JVP of a VJP agrees with central differences of the gradient, along random directions."""
    hold(ad, samples(operation), lambda at: agrees_with_differences(at, FORWARD_OVER_REVERSE))


@behaviour(MUST, DUAL, *COMPOSED, cases=SECOND)
def reverse_over_forward_gives_the_second_derivative(ad, operation):
    """The VJP of a JVP agrees with central differences of the gradient, along random directions."""
    hold(ad, samples(operation), lambda at: agrees_with_differences(at, REVERSE_OVER_FORWARD))


@behaviour(MUST, DUAL, torch_func("func.whirlwind_tour"), *COMPOSED, cases=SECOND)
def forward_over_forward_gives_the_second_derivative(ad, operation):
    """The JVP of a JVP agrees with central differences of the gradient, along random directions."""
    hold(ad, samples(operation), lambda at: agrees_with_differences(at, FORWARD_OVER_FORWARD))


@behaviour(MUST, *NESTED, cases=THIRD)
def reverse_mode_three_times_gives_the_third_derivative(ad, operation):
    """The VJP of a VJP of a VJP agrees with central differences of the second derivative, along random directions."""
    hold(ad, samples(operation), lambda at: agrees_with_differences(at, REVERSE_THREE_TIMES))
