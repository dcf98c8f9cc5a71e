"""Layouts: how an array lies in memory, and how it is broadcast, changes no derivative."""

from conformance.behaviour import MUST, behaviour, hips, jax, torch, torch_func
from conformance.laws.compositions import FORWARD, FORWARD_OVER_FORWARD
from conformance.laws.empty_arrays import ON_A_TAPE, is_empty_for_empty, is_zero_for_empty
from conformance.laws.judge import hold
from conformance.laws.layouts import (
    FLIPPED,
    OFFSET,
    STRIDED,
    TRANSPOSED,
    agrees_as_scalars,
    agrees_for_each_transposed,
    agrees_in_layout,
    sums_over_broadcast,
    sums_over_expanded,
    sums_over_uses,
)
from conformance.operations import element_by_element, elementwise, of_one_domain, of_order, with_matrices
from conformance.operations.samples import samples

GRADIENTS = (jax("jax.grad"), hips("differential_operators", "grad"))
# A layout is an operation that picks elements, and its derivative is by the chain rule.
CHAIN = torch("notes/autograd", "How autograd encodes the history")
SHAPED = (torch("torch.autograd.functional.vjp"), *GRADIENTS)
MODES = torch("notes/gradcheck", "Notations and background information")
DUAL = torch("torch.autograd.forward_ad.make_dual")
TANGENTS = (jax("jax.jvp"), hips("README"))
COMPOSED = (jax("thinking_in_jax", "Taking derivatives with jax.grad"), hips("README"))
# An array without axes has one layout.
WITH_AXES = of_order(1).where(lambda row: any(row.arguments[at].shape != () for at in row.differentiated))
OF_NUMBERS = of_order(1).where(lambda row: row.elementwise)
# The mean of no losses is NaN.
SUMMED, SUMMED_TWICE = element_by_element(1), element_by_element(2)
# Of equal columns, a matrix has no inverse.
EXPANDABLE = WITH_AXES.where(lambda row: row.group != "Linear algebra")

# as_strided counts from the beginning of the memory, wherever a view begins.
SLICED = WITH_AXES.where(lambda row: row.name != "as_strided")


@behaviour(MUST, CHAIN, *GRADIENTS, cases=WITH_AXES)
def a_strided_input_changes_no_gradient(ad, operation):
    """The gradient through every second element of a larger array is that of the elements, and zero elsewhere."""
    hold(ad, samples(operation, smooth=False), lambda at: agrees_in_layout(at, STRIDED))


@behaviour(MUST, CHAIN, *GRADIENTS, cases=with_matrices())
def a_transposed_input_changes_no_gradient(ad, operation):
    """The gradient through the transpose of a matrix is the transpose of the gradient."""
    hold(ad, samples(operation, smooth=False), lambda at: agrees_in_layout(at, TRANSPOSED))


@behaviour(MUST, CHAIN, *GRADIENTS, cases=with_matrices(2))
def one_transposed_input_among_several_changes_no_gradient(ad, operation):
    """The gradient through the transpose of one matrix is its transpose, and the other matrices lie as they are."""
    hold(ad, samples(operation, smooth=False), agrees_for_each_transposed)


@behaviour(MUST, CHAIN, *GRADIENTS, cases=SLICED)
def a_view_that_begins_later_changes_no_gradient(ad, operation):
    """The gradient through a slice that leaves out the first rows is that of the slice, and zero for these rows."""
    hold(ad, samples(operation, smooth=False), lambda at: agrees_in_layout(at, OFFSET))


# HIPS autograd has no derivative of flip: it cannot be asked, and promises nothing.
@behaviour(MUST, CHAIN, jax("jax.grad"), cases=WITH_AXES)
def a_flipped_input_changes_no_gradient(ad, operation):
    """The gradient through an array in reverse order is the gradient in reverse order."""
    hold(ad, samples(operation, smooth=False), lambda at: agrees_in_layout(at, FLIPPED))


@behaviour(MUST, CHAIN, *GRADIENTS, cases=EXPANDABLE)
def an_expanded_input_sums_the_gradient(ad, operation):
    """The gradient of a column that is expanded along the last axis, without a copy, is the sum over that axis."""
    hold(ad, samples(operation, smooth=False), sums_over_expanded)


@behaviour(MUST, *SHAPED, cases=OF_NUMBERS)
def an_input_without_axes_has_the_gradient_of_its_number(ad, operation):
    """The gradient of a zero-dimensional array has no axes, and is that of the number in it."""
    hold(ad, samples(operation), agrees_as_scalars)


@behaviour(MUST, *SHAPED, cases=OF_NUMBERS)
def an_empty_input_has_an_empty_gradient(ad, operation):
    """The gradient of an array of shape (0,) has the shape (0,)."""
    hold(ad, samples(operation, smooth=False), is_empty_for_empty)


@behaviour(MUST, MODES, *TANGENTS, cases=SUMMED)
def forward_mode_of_an_empty_input_gives_zero(ad, operation):
    """The JVP of the sum of an elementwise operation on arrays of shape (0,) is zero."""
    hold(ad, samples(operation, smooth=False), lambda at: is_zero_for_empty(at, FORWARD))


@behaviour(MUST, DUAL, *COMPOSED, cases=SUMMED_TWICE)
def second_derivatives_of_an_empty_input_are_zero(ad, operation):
    """The VJP of a VJP, the JVP of a VJP and the VJP of a JVP, on arrays of shape (0,), are zero."""
    hold(ad, samples(operation, smooth=False), lambda at: is_zero_for_empty(at, *ON_A_TAPE))


@behaviour(MUST, DUAL, torch_func("func.whirlwind_tour"), *COMPOSED, cases=SUMMED_TWICE)
def forward_over_forward_of_an_empty_input_gives_zero(ad, operation):
    """The JVP of a JVP, on arrays of shape (0,), is zero."""
    hold(ad, samples(operation, smooth=False), lambda at: is_zero_for_empty(at, FORWARD_OVER_FORWARD))


@behaviour(MUST, CHAIN, *GRADIENTS, cases=elementwise(2))
def broadcasting_sums_the_gradient(ad, operation):
    """The gradient of a broadcast input is the sum over the axes along which it was repeated."""
    hold(ad, samples(operation, smooth=False), sums_over_broadcast)


@behaviour(MUST, CHAIN, *GRADIENTS, cases=of_one_domain())
def one_array_in_two_arguments_has_the_sum_of_the_gradients(ad, operation):
    """The gradient of an array that is given twice is the sum of the gradients by both arguments."""
    hold(ad, samples(operation, smooth=False), sums_over_uses)
