"""Precision: single precision agrees with double within its rounding."""

from conformance.behaviour import MAY, behaviour, jax, torch
from conformance.operations import of_order
from conformance.operations.judging import agrees_in_single_precision, hold
from conformance.operations.samples import samples


@behaviour(MAY, torch("notes/gradcheck"), jax("jax.test_util.check_grads"), cases=of_order(1))
def single_precision_agrees_with_double(ad, operation):
    """The gradient in single precision is that in double precision, within the rounding of single precision."""
    hold(ad, samples(operation, smooth=False), agrees_in_single_precision)
