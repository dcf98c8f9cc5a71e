"""In-place forms: an operation that writes into its first argument has the derivative of the operation."""

from conformance.behaviour import MAY, MUST, behaviour, torch
from conformance.laws.compositions import forward, reverse
from conformance.laws.in_place import (
    agrees_in_place,
    agrees_or_is_detected,
    aliased,
    raises_an_error_with_out,
    through_a_view,
    with_in_place_form,
    with_out,
    written,
)
from conformance.laws.judge import hold
from conformance.laws.writes import detects_writes
from conformance.operations import of_order
from conformance.operations.samples import samples

NOTE = torch("notes/autograd", "In-place correctness checks")
VIEWED = torch("tensor_view")
DUAL = torch("torch.autograd.forward_ad.make_dual")
NUMBERS = with_in_place_form(reshaping=False)
TWICE = with_in_place_form(reshaping=False, several=True)


@behaviour(MUST, NOTE, cases=with_in_place_form())
def reverse_mode_of_an_in_place_form_is_that_of_the_operation(ad, operation):
    """The VJP of x.exp_() is that of exp(x): for each in-place form, written into a copy of the input."""
    hold(ad, samples(operation), lambda at: agrees_in_place(at, written, reverse))


@behaviour(MUST, DUAL, cases=with_in_place_form())
def forward_mode_of_an_in_place_form_is_that_of_the_operation(ad, operation):
    """The JVP of x.exp_() is that of exp(x): for each in-place form, written into a copy of the input."""
    hold(ad, samples(operation), lambda at: agrees_in_place(at, written, forward))


@behaviour(MUST, NOTE, VIEWED, cases=NUMBERS)
def reverse_mode_of_an_in_place_form_reaches_the_base_of_a_view(ad, operation):
    """The VJP of an array, into a view of which an in-place form wrote, is that of the array put together anew."""
    hold(ad, samples(operation, smooth=False), lambda at: agrees_in_place(at, through_a_view, reverse))


@behaviour(MUST, DUAL, VIEWED, cases=NUMBERS)
def forward_mode_of_an_in_place_form_reaches_the_base_of_a_view(ad, operation):
    """The JVP of an array, into a view of which an in-place form wrote, is that of the array put together anew."""
    hold(ad, samples(operation, smooth=False), lambda at: agrees_in_place(at, through_a_view, forward))


@behaviour(MUST, NOTE, cases=TWICE)
def reverse_mode_of_an_in_place_form_may_be_given_the_array_itself(ad, operation):
    """The VJP of x.mul_(x) is that of mul(x, x), for each in-place form that is given the array that it writes; or an
    error says that a value was modified which the VJP needs."""
    hold(ad, samples(operation, smooth=False), lambda at: agrees_or_is_detected(at, aliased, reverse))


@behaviour(MUST, DUAL, cases=TWICE)
def forward_mode_of_an_in_place_form_may_be_given_the_array_itself(ad, operation):
    """The JVP of x.mul_(x) is that of mul(x, x): for each in-place form that is given the array that it writes."""
    hold(ad, samples(operation, smooth=False), lambda at: agrees_in_place(at, aliased, forward))


@behaviour(MUST, NOTE, cases=of_order(1))
def a_write_to_an_input_is_detected_or_changes_no_gradient(ad, operation):
    """After an input of an operation was modified in-place, backward() raises an error, or the gradient is that of the
    input before."""
    hold(ad, samples(operation, smooth=False), detects_writes, False)


@behaviour(
    MAY,
    torch(
        "notes/out",
        raises=Exception,
        says="don't support automatic differentiation",
        unstated="the page is about `out` itself, and only the error's message about the other arguments",
    ),
    cases=with_out(),
)
def out_with_an_argument_that_requires_grad_raises_an_error(ad, operation):
    """In grad mode, a function that is called with out= raises an error if any one of its arguments requires grad."""
    raises_an_error_with_out(ad, operation)
