"""Kinks and ties: the modes agree on one convention, and it is a value between the one-sided derivatives."""

from conformance.behaviour import MAY, MUST, behaviour, jax, torch
from conformance.laws.compositions import modes_agree
from conformance.laws.judge import hold
from conformance.laws.kinks import convention_of, lies_between
from conformance.operations import with_kinks
from conformance.operations.samples import samples

NOTE = torch("notes/autograd", "Gradients for non-differentiable functions")


@behaviour(MUST, NOTE, jax("higher-order"), cases=with_kinks())
def the_modes_agree_at_a_kink(ad, operation):
    """Where an operation has no derivative, reverse and forward mode follow the same convention."""
    hold(ad, samples(operation, smooth=False, kinks=True), modes_agree, mathematical=False)


@behaviour(MUST, NOTE, cases=with_kinks())
def a_gradient_at_a_kink_lies_between_the_one_sided_derivatives(ad, operation):
    """Where an operation has no derivative, the gradient along a direction lies between those of both sides."""
    hold(ad, samples(operation, smooth=False, kinks=True), lies_between, mathematical=False)


# The note ends with "pick one arbitrarily": which convention it is, no page says. So MAY.
@behaviour(
    MAY, NOTE, jax("jax.grad", unstated="no page has a convention: that of each kink is recorded"), cases=with_kinks()
)
def an_engine_has_one_convention_for_a_kind_of_kink(ad, operation):
    """At a kink, the gradient is the lower or the upper one-sided derivative, their mean, zero, or at a tie that of one
    input: the same at each point of its kind."""
    return convention_of(ad, operation)
