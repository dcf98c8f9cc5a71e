"""Compiled operations: numbers, and the arrays that hold them, are those of eager mode."""

from conformance.behaviour import MAY, behaviour, torch
from conformance.laws.compiled_operations import (
    SECOND,
    agrees_with_eager,
    aliases,
    is_described_as_eager,
    kinds,
    result_strides,
    strides,
)
from conformance.laws.judge import hold
from conformance.laws.quantity import gradient, values
from conformance.operations import of_order, with_kinks
from conformance.operations.samples import samples

COMPILE = torch("torch.compile", unstated="no page states that what is compiled gives what eager mode gives")


@behaviour(MAY, COMPILE, cases=of_order(1))
def a_compiled_operation_has_the_values_of_eager_mode(ad, operation):
    """The values of a compiled operation are those of eager mode, at special points too."""
    hold(ad, samples(operation), lambda at: agrees_with_eager(at, values))


@behaviour(MAY, COMPILE, cases=of_order(1))
def a_compiled_operation_has_the_gradient_of_eager_mode(ad, operation):
    """The gradient of a compiled operation is that of eager mode, at special points too."""
    hold(ad, samples(operation), lambda at: agrees_with_eager(at, gradient))


@behaviour(MAY, COMPILE, cases=with_kinks())
def a_compiled_operation_has_the_convention_of_eager_mode_at_a_kink(ad, operation):
    """At a point without a derivative, value and gradient of a compiled operation are those of eager mode."""
    hold(ad, samples(operation, smooth=False, kinks=True), lambda at: agrees_with_eager(at, gradient), False)


@behaviour(MAY, COMPILE, cases=of_order(2))
def a_compiled_gradient_has_the_derivative_of_eager_mode(ad, operation):
    """The gradient of a compiled pullback is the second derivative of eager mode, at special points too."""
    hold(ad, samples(operation), lambda at: agrees_with_eager(at, SECOND, order=2))


@behaviour(MAY, COMPILE, cases=of_order(1))
def a_compiled_operation_has_results_of_the_shape_and_dtype_of_eager_mode(ad, operation):
    """Results and gradients of a compiled operation have shape and dtype of eager mode, and require grad as there."""
    hold(ad, samples(operation, smooth=False), lambda at: is_described_as_eager(at, kinds), False)


@behaviour(MAY, COMPILE, cases=of_order(1))
def a_compiled_operation_has_results_with_the_strides_of_eager_mode(ad, operation):
    """Results and gradients of a compiled operation lie in memory as those of eager mode; results of a
    transposed first input, too."""
    points = [*samples(operation, smooth=False)]
    hold(ad, points, lambda at: is_described_as_eager(at, strides), False)
    hold(ad, points, lambda at: is_described_as_eager(at, result_strides, transposed=True), False)


@behaviour(MAY, COMPILE, cases=of_order(1))
def a_compiled_operation_shares_memory_as_eager_mode_does(ad, operation):
    """Results of a compiled operation are views of its inputs, and of each other, as in eager mode."""
    hold(ad, samples(operation, smooth=False), lambda at: is_described_as_eager(at, aliases), False)
