"""Derivatives: every mode, and every composition of two, agrees with differences."""

from conformance.behaviour import MAY, behaviour, jax, torch
from conformance.operations import of_order
from conformance.operations.compositions import forward, repeated, reverse
from conformance.operations.judging import agrees_with_differences, hold
from conformance.operations.samples import samples

FIRST, SECOND, THIRD = of_order(1), of_order(2), of_order(3)
CHECKED = (torch("notes/gradcheck"), jax("jax.test_util.check_grads"))


@behaviour(MAY, *CHECKED, cases=FIRST)
def reverse_mode_gives_the_derivative(ad, operation):
    """The VJP of an operation agrees with central differences, along a random direction."""
    hold(ad, samples(operation), lambda at: agrees_with_differences(at, at.scalar, reverse, 1))


@behaviour(MAY, *CHECKED, cases=FIRST)
def forward_mode_gives_the_derivative(ad, operation):
    """The JVP of an operation agrees with central differences, along a random direction."""
    hold(ad, samples(operation), lambda at: agrees_with_differences(at, at.scalar, forward, 1))


@behaviour(MAY, *CHECKED, cases=SECOND)
def reverse_over_reverse_gives_the_second_derivative(ad, operation):
    """The VJP of a VJP agrees with central differences of the gradient, along random directions."""
    hold(ad, samples(operation), lambda at: agrees_with_differences(at, reverse(at, at.cubic, 0), reverse, 2))


@behaviour(MAY, *CHECKED, cases=SECOND)
def forward_over_reverse_gives_the_second_derivative(ad, operation):
    """The JVP of a VJP agrees with central differences of the gradient, along random directions."""
    hold(ad, samples(operation), lambda at: agrees_with_differences(at, reverse(at, at.cubic, 0), forward, 2))


@behaviour(MAY, *CHECKED, cases=SECOND)
def reverse_over_forward_gives_the_second_derivative(ad, operation):
    """The VJP of a JVP agrees with central differences of the gradient, along random directions."""
    hold(ad, samples(operation), lambda at: agrees_with_differences(at, forward(at, at.cubic, 0), reverse, 2))


@behaviour(MAY, *CHECKED, cases=SECOND)
def forward_over_forward_gives_the_second_derivative(ad, operation):
    """The JVP of a JVP agrees with central differences of the gradient, along random directions."""
    hold(ad, samples(operation), lambda at: agrees_with_differences(at, forward(at, at.cubic, 0), forward, 2))


@behaviour(MAY, *CHECKED, cases=THIRD)
def reverse_mode_three_times_gives_the_third_derivative(ad, operation):
    """The VJP of a VJP of a VJP agrees with central differences of the second derivative, along random directions."""
    twice = repeated(reverse, 2)
    hold(ad, samples(operation), lambda at: agrees_with_differences(at, twice(at, at.cubic, 0), reverse, 3))
