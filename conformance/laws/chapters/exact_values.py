"""Exact values: derivatives of functions of numbers, compared with high precision."""

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
from conformance.laws.judge import agrees_with_truth, hold
from conformance.operations import with_truth
from conformance.operations.samples import numbers_of


@behaviour(MUST, *BY_REVERSE, cases=with_truth(1))
def reverse_mode_gives_the_exact_derivative(ad, operation):
    """The first derivative in reverse mode is exact up to rounding, also at zeros, at integers and in the tails."""
    hold(ad, numbers_of(operation), lambda at: agrees_with_truth(at, REVERSE))


@behaviour(MUST, *BY_FORWARD, cases=with_truth(1))
def forward_mode_gives_the_exact_derivative(ad, operation):
    """The first derivative in forward mode is exact up to rounding, also at zeros, at integers and in the tails."""
    hold(ad, numbers_of(operation), lambda at: agrees_with_truth(at, FORWARD))


@behaviour(MUST, *BY_REVERSE, cases=with_truth(2))
def reverse_mode_gives_the_exact_second_derivative(ad, operation):
    """The second derivative by reverse over reverse mode is exact up to rounding, also at special points."""
    hold(ad, numbers_of(operation, tails=False), lambda at: agrees_with_truth(at, REVERSE_OVER_REVERSE))


@behaviour(MUST, *BY_FORWARD, cases=with_truth(2))
def forward_mode_gives_the_exact_second_derivative(ad, operation):
    """The second derivative by forward over forward mode is exact up to rounding, also at special points."""
    hold(ad, numbers_of(operation, tails=False), lambda at: agrees_with_truth(at, FORWARD_OVER_FORWARD))


@behaviour(MUST, *BY_REVERSE, cases=with_truth(3))
def reverse_mode_gives_the_exact_third_derivative(ad, operation):
    """The third derivative by reverse mode applied three times is exact up to rounding, also at special points."""
    hold(ad, numbers_of(operation, tails=False), lambda at: agrees_with_truth(at, REVERSE_THREE_TIMES))


@behaviour(MUST, *BY_FORWARD, cases=with_truth(3))
def forward_mode_gives_the_exact_third_derivative(ad, operation):
    """The third derivative by forward mode applied three times is exact up to rounding, also at special points."""
    hold(ad, numbers_of(operation, tails=False), lambda at: agrees_with_truth(at, FORWARD_THREE_TIMES))
