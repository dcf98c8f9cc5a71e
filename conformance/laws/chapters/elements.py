"""Elements: of an elementwise operation, the derivative by an element depends on that element alone."""

from conformance.behaviour import MUST, behaviour, hips, jax, torch
from conformance.laws.citations import BY_FORWARD
from conformance.laws.elements import (
    agrees_at_all_lengths,
    agrees_beside,
    gradient_of_elements,
    second_by_both,
    second_by_reverse,
    tangent_of_elements,
)
from conformance.laws.judge import hold
from conformance.operations import element_by_element
from conformance.operations.samples import samples

ONCE, TWICE = element_by_element(1), element_by_element(2)
BY_REVERSE = (
    torch("notes/gradcheck", "Notations and background information"),
    jax("jax.vjp"),
    hips("differential_operators", "grad"),
)
NESTED = (
    torch("torch.autograd.grad"),
    jax("automatic-differentiation", "1. Taking gradients with jax.grad"),
    hips("README"),
)
MIXED = (
    torch("torch.autograd.forward_ad.make_dual"),
    jax("thinking_in_jax", "Taking derivatives with jax.grad"),
    hips("README"),
)


@behaviour(MUST, *BY_REVERSE, cases=ONCE)
def reverse_mode_keeps_nan_and_infinity_apart(ad, operation):
    """The VJP of an elementwise operation is the same for other elements if one element is NaN or infinite."""
    hold(ad, samples(operation), lambda at: agrees_beside(at, gradient_of_elements))


@behaviour(MUST, *BY_FORWARD, cases=ONCE)
def forward_mode_keeps_nan_and_infinity_apart(ad, operation):
    """The JVP of an elementwise operation is the same for other elements if one element is NaN or infinite."""
    hold(ad, samples(operation), lambda at: agrees_beside(at, tangent_of_elements))


@behaviour(MUST, *NESTED, cases=TWICE)
def reverse_over_reverse_keeps_nan_and_infinity_apart(ad, operation):
    """The VJP of a VJP of an elementwise operation is the same for other elements if one is NaN or infinite."""
    hold(ad, samples(operation), lambda at: agrees_beside(at, second_by_reverse))


@behaviour(MUST, *MIXED, cases=TWICE)
def forward_over_reverse_keeps_nan_and_infinity_apart(ad, operation):
    """The JVP of a VJP of an elementwise operation is the same for other elements if one is NaN or infinite."""
    hold(ad, samples(operation), lambda at: agrees_beside(at, second_by_both))


@behaviour(MUST, *BY_REVERSE, cases=ONCE)
def reverse_mode_gives_an_element_the_same_at_all_lengths(ad, operation):
    """The VJP of an elementwise operation is the same for a number, or NaN, wherever it is in up to 70 elements."""
    hold(ad, samples(operation), lambda at: agrees_at_all_lengths(at, gradient_of_elements))


@behaviour(MUST, *BY_FORWARD, cases=ONCE)
def forward_mode_gives_an_element_the_same_at_all_lengths(ad, operation):
    """The JVP of an elementwise operation is the same for a number, or NaN, wherever it is in up to 70 elements."""
    hold(ad, samples(operation), lambda at: agrees_at_all_lengths(at, tangent_of_elements))
