"""Cotangents: the pullback is linear, and gives what its inputs are made of."""

from conformance.behaviour import MUST, behaviour, hips, jax, torch
from conformance.laws.cotangent_layouts import EXPANDED, SLICED, TRANSPOSED, agrees_for_cotangents
from conformance.laws.judge import hold
from conformance.laws.linearity import gives_the_jvp, has_the_form_of_the_input, is_linear, is_zero_for_zero
from conformance.operations import of_order, with_matrices
from conformance.operations.samples import samples

CASES = of_order(1)
# Few operations without a matrix among their arguments have one among their outputs.
TO_MATRICES = with_matrices()
LINEAR = (
    torch("notes/gradcheck", "Notations and background information"),
    jax("jacobian-vector-products", "Vector-Jacobian products (VJPs, a.k.a. reverse-mode autodiff)"),
    hips("tutorial", "Reverse mode differentiation"),
)
# The backward of the backward: the gradient of a VJP, which is itself a program of the cotangent.
TWICE = (
    torch("torch.autograd.functional.jvp"),
    jax("automatic-differentiation", "1. Taking gradients with jax.grad"),
    hips("README"),
)
FORM = (
    torch("torch.autograd.functional.vjp"),
    torch("torch.Tensor.grad_dtype"),
    jax("jax.grad"),
    hips("differential_operators", "grad"),
)


@behaviour(MUST, *LINEAR, cases=CASES)
def the_pullback_is_linear(ad, operation):
    """The VJP for a combination of two cotangents is the combination of their VJPs."""
    hold(ad, samples(operation, smooth=False), is_linear)


@behaviour(MUST, *LINEAR, cases=CASES)
def a_zero_cotangent_gives_zero(ad, operation):
    """The VJP for a cotangent of zeros is zero, also at special points."""
    hold(ad, samples(operation), is_zero_for_zero)


@behaviour(MUST, *TWICE, cases=CASES)
def the_derivative_of_the_pullback_by_its_cotangent_is_the_jvp(ad, operation):
    """The VJP, as a function of the cotangent, has a derivative: the VJP of the VJP agrees with central differences."""
    hold(ad, samples(operation), gives_the_jvp)


@behaviour(MUST, *FORM, cases=CASES)
def a_gradient_has_the_shape_and_dtype_of_its_input(ad, operation):
    """The VJP has the shape and the dtype of each input, in double and in single precision."""
    hold(ad, samples(operation, smooth=False), has_the_form_of_the_input, mathematical=False)


@behaviour(MUST, *LINEAR, cases=CASES)
def an_expanded_cotangent_changes_no_gradient(ad, operation):
    """The gradient for a cotangent that is expanded along the last axis, as a sum hands it over, is that for the same
    numbers in a plain array."""
    hold(ad, samples(operation, smooth=False), lambda at: agrees_for_cotangents(at, EXPANDED))


@behaviour(MUST, *LINEAR, cases=TO_MATRICES)
def a_transposed_cotangent_changes_no_gradient(ad, operation):
    """The gradient for a cotangent that is a transposed view, as a transpose hands it over, is that for the same
    numbers in a plain array."""
    hold(ad, samples(operation, smooth=False), lambda at: agrees_for_cotangents(at, TRANSPOSED))


@behaviour(MUST, *LINEAR, cases=CASES)
def a_cotangent_that_is_a_slice_changes_no_gradient(ad, operation):
    """The gradient for a cotangent that is a slice of a larger array, as a stack hands it over, is that for the same
    numbers in a plain array."""
    hold(ad, samples(operation, smooth=False), lambda at: agrees_for_cotangents(at, SLICED))
