"""Ends: derivatives of functions of a number where they are nearly too small or too large, and at tiny numbers."""

from conformance.behaviour import MUST, behaviour
from conformance.laws.citations import BY_FORWARD, BY_REVERSE
from conformance.laws.compositions import (
    FORWARD,
    FORWARD_OVER_FORWARD,
    FORWARD_THREE_TIMES,
    REVERSE,
    REVERSE_OVER_REVERSE,
    REVERSE_THREE_TIMES,
)
from conformance.laws.ends import agrees_at_the_end
from conformance.laws.judge import hold
from conformance.operations import with_ends
from conformance.operations.ends import ends


@behaviour(MUST, *BY_REVERSE, cases=with_ends(1))
def reverse_mode_gives_the_derivative_up_to_the_ends(ad, operation):
    """The first derivative in reverse mode is exact up to rounding, relatively, as long as it is a normal number."""
    hold(ad, ends(operation), lambda at: agrees_at_the_end(at, REVERSE))


@behaviour(MUST, *BY_FORWARD, cases=with_ends(1))
def forward_mode_gives_the_derivative_up_to_the_ends(ad, operation):
    """The first derivative in forward mode is exact up to rounding, relatively, as long as it is a normal number."""
    hold(ad, ends(operation), lambda at: agrees_at_the_end(at, FORWARD))


@behaviour(MUST, *BY_REVERSE, cases=with_ends(2))
def reverse_mode_gives_the_second_derivative_up_to_the_ends(ad, operation):
    """The second derivative by reverse over reverse mode is exact up to rounding where the first is a normal number."""
    hold(ad, ends(operation), lambda at: agrees_at_the_end(at, REVERSE_OVER_REVERSE))


@behaviour(MUST, *BY_FORWARD, cases=with_ends(2))
def forward_mode_gives_the_second_derivative_up_to_the_ends(ad, operation):
    """The second derivative by forward over forward mode is exact up to rounding where the first is a normal number."""
    hold(ad, ends(operation), lambda at: agrees_at_the_end(at, FORWARD_OVER_FORWARD))


@behaviour(MUST, *BY_REVERSE, cases=with_ends(3))
def reverse_mode_gives_the_third_derivative_up_to_the_ends(ad, operation):
    """The third derivative by reverse mode applied three times is exact up to rounding at these numbers."""
    hold(ad, ends(operation), lambda at: agrees_at_the_end(at, REVERSE_THREE_TIMES))


@behaviour(MUST, *BY_FORWARD, cases=with_ends(3))
def forward_mode_gives_the_third_derivative_up_to_the_ends(ad, operation):
    """The third derivative by forward mode applied three times is exact up to rounding at these numbers."""
    hold(ad, ends(operation), lambda at: agrees_at_the_end(at, FORWARD_THREE_TIMES))
