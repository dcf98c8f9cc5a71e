"""Custom functions: an operation of one's own, what of a call is recorded, and what its definition has to hold."""

from conformance.behaviour import MUST, behaviour, torch
from conformance.expect import close, equal, raises

EXTENDING = "Extending torch.autograd"


@behaviour(MUST, torch("notes/extending", EXTENDING))
def a_forward_is_not_recorded(ad):
    """While a forward runs nothing is recorded: the history of the result begins with the function itself."""
    seen = []

    def forward(ctx, x):
        seen.append(ad.is_recording())
        return x * x

    y = ad.custom_function(forward, lambda ctx, g: 5 * g)(ad.leaf(3.0))
    equal(seen, [False])
    equal(ad.grad_fn_name(y), "CustomBackward")


@behaviour(MUST, torch("notes/extending", EXTENDING), cases={"plain": (False,), "with_a_graph": (True,)})
def a_rule_is_recorded_only_for_a_graph_of_the_gradient(ad, create_graph):
    """A rule runs without recording, unless a graph of the gradient was asked for."""
    seen = []

    def backward(ctx, g):
        seen.append(ad.is_recording())
        return 2 * g

    x = ad.leaf(3.0)
    ad.backward(ad.custom_function(lambda ctx, x: 2 * x, backward)(x), create_graph=create_graph)
    equal(seen, [create_graph])


def _of_a_plain_array(ad, program):
    return program(ad.array(3.0))


def _of_a_leaf_unrecorded(ad, program):
    with ad.no_grad():
        return program(ad.leaf(3.0))


@behaviour(
    MUST,
    torch("notes/extending", EXTENDING),
    cases={"plain": (_of_a_plain_array,), "unrecorded": (_of_a_leaf_unrecorded,)},
)
def a_function_of_plain_arrays_is_not_recorded(ad, called):
    """Called with plain arrays, or while nothing is recorded, a function gives a result that does not require grad."""
    double = ad.custom_function(lambda ctx, x: 2 * x, lambda ctx, g: 2 * g)
    equal(ad.requires_grad(called(ad, double)), False)


@behaviour(MUST, torch("notes/extending", EXTENDING))
def only_direct_arguments_are_tracked(ad):
    """An array inside a list is no argument of a function: its result does not require grad."""
    first = ad.custom_function(lambda ctx, xs: 2 * xs[0], lambda ctx, g: None)
    equal(ad.requires_grad(first([ad.leaf(3.0)])), False)


@behaviour(MUST, torch("torch.autograd.Function.backward", raises=NotImplementedError, says="backward"))
def a_function_without_a_rule_is_refused_in_backward(ad):
    """A function that was given no rule can be called, and is refused when backward reaches it."""
    y = ad.custom_function(lambda ctx, x: 2 * x)(ad.leaf(3.0))
    raises(lambda: ad.backward(y))


@behaviour(MUST, torch("torch.autograd.Function.forward", raises=NotImplementedError, says="forward"))
def a_function_without_forward_is_refused(ad):
    """A function that was given no forward is refused when it is called."""
    nothing = ad.custom_function(backward=lambda ctx, g: 2 * g)
    raises(lambda: nothing(ad.leaf(3.0)))


@behaviour(MUST, torch("notes/extending", EXTENDING))
def an_input_returned_is_another_array(ad):
    """An input that a forward returns as it is comes out as another array in the same memory, behind the rule."""
    x = ad.leaf(3.0)
    y = ad.custom_function(lambda ctx, x: x, lambda ctx, g: 5 * g)(x)
    equal((y is x, ad.shares_memory(y, x)), (False, True))
    ad.backward(y)
    close(ad.gradient_of(x), 5.0)
