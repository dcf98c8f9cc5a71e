"""Subsets: a derivative by some arguments, or of some outputs, is a part of the whole."""

from conformance.behaviour import MUST, behaviour, hips, jax, torch, torch_func
from conformance.laws.judge import hold
from conformance.laws.subsets import (
    agrees_by_subsets,
    agrees_of_outputs,
    agrees_with_zero_tangents,
    has_several_arguments,
    has_several_outputs,
)
from conformance.operations import of_order
from conformance.operations.samples import samples

OF_SEVERAL = of_order(1).where(has_several_arguments)
TO_SEVERAL = of_order(1).where(has_several_outputs)


@behaviour(
    MUST,
    torch("torch.autograd.grad"),
    torch_func("torch.func.grad"),
    jax("jax.grad"),
    hips("differential_operators", "grad"),
    cases=OF_SEVERAL,
)
def a_gradient_by_some_arguments_is_that_part_of_the_gradient(ad, operation):
    """The gradient by each subset of two or three arguments, where the others need none, is their part of the whole."""
    hold(ad, samples(operation, smooth=False), agrees_by_subsets)


@behaviour(
    MUST,
    torch("notes/gradcheck", "Notations and background information"),
    jax("jax.jvp"),
    hips("README"),
    cases=OF_SEVERAL,
)
def a_tangent_of_some_arguments_is_that_with_zeros_for_the_others(ad, operation):
    """The JVP along each subset of two or three arguments is the JVP with zeros as the tangents of the others."""
    hold(ad, samples(operation, smooth=False), agrees_with_zero_tangents)


@behaviour(
    MUST, torch("torch.autograd.grad"), jax("jax.grad"), hips("differential_operators", "grad"), cases=TO_SEVERAL
)
def the_gradient_of_some_outputs_is_that_with_zeros_for_the_others(ad, operation):
    """The gradient of each output and of each pair, where nothing uses the others, is the gradient with zeros as their
    cotangents; those of single outputs add up to the whole."""
    hold(ad, samples(operation, smooth=False), agrees_of_outputs)
