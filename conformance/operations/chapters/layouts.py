"""Layouts: how an array lies in memory, and how it is broadcast, changes no derivative."""

from conformance.behaviour import MAY, behaviour, jax, torch
from conformance.operations import elementwise, of_one_domain, of_order, with_matrices
from conformance.operations.judging import hold
from conformance.operations.layouts import STRIDED, TRANSPOSED, agrees_in_layout, sums_over_broadcast, sums_over_uses
from conformance.operations.samples import samples

VIEWED = (torch("tensor_view"), jax("jax.grad"))


@behaviour(MAY, *VIEWED, cases=of_order(1))
def a_strided_input_changes_no_gradient(ad, operation):
    """The gradient through every second element of a larger array is that of the elements, and zero elsewhere."""
    hold(ad, samples(operation, smooth=False), lambda at: agrees_in_layout(at, STRIDED))


@behaviour(MAY, *VIEWED, cases=with_matrices())
def a_transposed_input_changes_no_gradient(ad, operation):
    """The gradient through the transpose of a matrix is the transpose of the gradient."""
    hold(ad, samples(operation, smooth=False), lambda at: agrees_in_layout(at, TRANSPOSED))


@behaviour(MAY, torch("notes/broadcasting"), jax("jax.grad"), cases=elementwise(2))
def broadcasting_sums_the_gradient(ad, operation):
    """The gradient of a broadcast input is the sum over the axes along which it was repeated."""
    hold(ad, samples(operation, smooth=False), sums_over_broadcast)


@behaviour(MAY, torch("notes/autograd"), jax("jax.grad"), cases=of_one_domain())
def one_array_in_two_arguments_has_the_sum_of_the_gradients(ad, operation):
    """The gradient of an array that is given twice is the sum of the gradients by both arguments."""
    hold(ad, samples(operation, smooth=False), sums_over_uses)
