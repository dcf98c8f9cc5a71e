"""Precision: single and half precision agree with double within their rounding."""

from conformance.behaviour import MAY, behaviour, jax, torch
from conformance.laws.judge import hold
from conformance.laws.lengths import agrees_for_long_arrays
from conformance.laws.precision import (
    BFLOAT16,
    FLOAT16,
    agrees_at_a_special_point,
    agrees_in_half_precision,
    agrees_in_single_precision,
)
from conformance.operations import of_any_length, of_order
from conformance.operations.samples import samples

# Of a composition, the first result may have overflown.
SPECIAL = of_order(1).where(lambda operation: operation.smooth and operation.group != "Compositions")
CITED = (
    torch("notes/numerical_accuracy", unstated="no bound on the error is promised, and an intermediate may overflow"),
    jax("jax.test_util.check_grads", unstated="its tolerances follow from the dtype, and no bound is promised"),
)


@behaviour(MAY, *CITED, cases=of_order(1))
def single_precision_agrees_with_double(ad, operation):
    """The gradient in single precision is that in double precision, within the rounding of single precision."""
    hold(ad, samples(operation, smooth=False), agrees_in_single_precision, mathematical=False)


@behaviour(MAY, *CITED, cases=of_order(1))
def float16_agrees_with_double(ad, operation):
    """The gradient in float16 is that in double precision at the same numbers, within the rounding of float16."""
    hold(ad, samples(operation, smooth=False), lambda at: agrees_in_half_precision(at, FLOAT16), mathematical=False)


@behaviour(MAY, *CITED, cases=of_order(1))
def bfloat16_agrees_with_double(ad, operation):
    """The gradient in bfloat16 is that in double precision at the same numbers, within the rounding of bfloat16."""
    ad.bfloat16(0.0)
    hold(ad, samples(operation, smooth=False), lambda at: agrees_in_half_precision(at, BFLOAT16), mathematical=False)


@behaviour(MAY, *CITED, cases=SPECIAL)
def float16_agrees_with_double_at_special_points(ad, operation):
    """At a special point where value and gradient are numbers of float16, the gradient is that in double precision."""
    points = (sample for sample in samples(operation) if sample.point)
    hold(ad, points, lambda at: agrees_at_a_special_point(at, FLOAT16), mathematical=False)


@behaviour(MAY, *CITED, cases=SPECIAL)
def bfloat16_agrees_with_double_at_special_points(ad, operation):
    """At a special point where value and gradient are numbers of bfloat16, the gradient is that in double precision."""
    ad.bfloat16(0.0)
    points = (sample for sample in samples(operation) if sample.point)
    hold(ad, points, lambda at: agrees_at_a_special_point(at, BFLOAT16), mathematical=False)


@behaviour(MAY, *CITED, cases=of_any_length())
def float16_agrees_with_double_for_long_arrays(ad, operation):
    """The gradient of 70,000 elements in float16, more than its largest number, is near that in double precision."""
    hold(ad, samples(operation, smooth=False), agrees_for_long_arrays, mathematical=False)
