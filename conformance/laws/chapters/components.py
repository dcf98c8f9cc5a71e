"""Components: each number of a derivative of a function of vectors, compared with high precision."""

from conformance.behaviour import MUST, behaviour
from conformance.laws.citations import BY_FORWARD, BY_REVERSE
from conformance.laws.components import agrees_by_components, tangents
from conformance.laws.judge import hold
from conformance.laws.quantity import gradient
from conformance.laws.scale import second
from conformance.operations import with_true_components
from conformance.operations.samples import first_samples


@behaviour(MUST, *BY_REVERSE, cases=with_true_components(1))
def reverse_mode_gives_each_component(ad, operation):
    """Each component of the gradient of a function of vectors is exact up to rounding, also beside larger ones."""
    hold(ad, first_samples(operation), lambda at: agrees_by_components(at, gradient))


@behaviour(MUST, *BY_FORWARD, cases=with_true_components(1))
def forward_mode_gives_each_component(ad, operation):
    """The tangent of each output of a function of vectors is exact up to rounding, also beside larger ones."""
    hold(ad, first_samples(operation), lambda at: agrees_by_components(at, tangents))


@behaviour(MUST, *BY_REVERSE, cases=with_true_components(2))
def reverse_over_reverse_gives_each_component(ad, operation):
    """Each component of the gradient of a directional derivative of a function of vectors is exact up to rounding."""
    hold(ad, first_samples(operation), lambda at: agrees_by_components(at, second))
