"""Custom functions: what a rule may return, and when it may be differentiated in its turn."""

from conformance.behaviour import MUST, behaviour, torch
from conformance.expect import close, raises

EXTENDING = "Extending torch.autograd"
SAVE = "torch.autograd.function.FunctionCtx.save_for_backward"


@behaviour(MUST, torch("notes/extending", EXTENDING))
def trailing_none_gradients_are_ignored(ad):
    """A rule may return more gradients than its function has arguments, if these are None."""
    x = ad.leaf(3.0)
    ad.backward(ad.custom_function(lambda ctx, x: 2 * x, lambda ctx, g: (5 * g, None, None))(x))
    close(ad.gradient_of(x), 5.0)


@behaviour(MUST, torch("notes/extending", EXTENDING, raises=RuntimeError, says="input was not a Variable"))
def a_gradient_for_a_number_is_refused(ad):
    """A gradient for an argument that is no array is refused."""
    y = ad.custom_function(lambda ctx, x, factor: factor * x, lambda ctx, g: (5 * g, g))(ad.leaf(3.0), 5.0)
    raises(lambda: ad.backward(y))


@behaviour(MUST, torch("notes/extending", EXTENDING))
def a_gradient_for_a_plain_input_is_ignored(ad):
    """A gradient for an array that does not require grad is dropped, and the others arrive."""
    x, plain = ad.leaf(3.0), ad.array(7.0)
    ad.backward(ad.custom_function(lambda ctx, x, y: x * y, lambda ctx, g: (5 * g, 11 * g))(x, plain))
    close(ad.gradient_of(x), 5.0)


@behaviour(
    MUST,
    torch("torch.autograd.Function.backward", raises=RuntimeError, says="expected Variable or None"),
    cases={"number": (2.0,), "list": ([2.0],)},
)
def a_rule_returns_arrays(ad, answer):
    """A rule that returns a number, or a list of numbers, is refused."""
    y = ad.custom_function(lambda ctx, x: 2 * x, lambda ctx, g: answer)(ad.leaf(3.0))
    raises(lambda: ad.backward(y))


@behaviour(MUST, torch(SAVE, raises=RuntimeError, says="once_differentiable"))
def a_rule_differentiable_once_refuses_a_second_time(ad):
    """Differentiating the gradient that a once-differentiable rule returned is refused."""
    x = ad.leaf(3.0)
    double = ad.custom_function(lambda ctx, x: 2 * x, ad.once_differentiable(lambda ctx, g: 2 * g))
    seed = ad.leaf(5.0)
    gradient = ad.grad_of(double(x), x, seed, create_graph=True)[0]
    raises(lambda: ad.backward(gradient))
