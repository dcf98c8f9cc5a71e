"""Custom functions: what backward may return, and double backward."""

from conformance.behaviour import MUST, SHOULD, behaviour, torch
from conformance.expect import close, equal, raises

EXTENDING = "Extending torch.autograd"
SAVE = "torch.autograd.function.FunctionCtx.save_for_backward"


@behaviour(MUST, torch("notes/extending", EXTENDING), aliases=("returned an incorrect number of gradients",))
def trailing_none_gradients_are_ignored(ad):
    """A custom Function's backward may return more gradients than there are inputs, if the additional ones are None."""
    x = ad.leaf(3.0)
    ad.backward(ad.custom_function(lambda ctx, x: 2 * x, lambda ctx, g: (5 * g, None, None))(x))
    close(ad.gradient_of(x), 5.0)


@behaviour(
    SHOULD,
    torch("notes/extending", EXTENDING, raises=Exception, says="None at position"),
    aliases=("returned a gradient different than none at position",),
)
def a_gradient_for_a_non_tensor_raises_an_error(ad):
    """backward() raises an error if a custom Function's backward returns a gradient for an input that is no tensor."""
    y = ad.custom_function(lambda ctx, x, factor: factor * x, lambda ctx, g: (5 * g, g))(ad.leaf(3.0), 5.0)
    raises(lambda: ad.backward(y))


@behaviour(MUST, torch("notes/extending", EXTENDING), torch("notes/autograd", "Setting requires_grad"))
def a_gradient_for_an_input_that_needs_none_is_ignored(ad):
    """A custom Function's backward may return a gradient for an input that does not require grad: it is ignored."""
    x, plain = ad.leaf(3.0), ad.array(7.0)
    ad.backward(ad.custom_function(lambda ctx, x, y: x * y, lambda ctx, g: (5 * g, 11 * g))(x, plain))
    close(ad.gradient_of(x), 5.0)
    equal(ad.gradient_of(plain), None)


@behaviour(
    SHOULD,
    torch("torch.autograd.Function.backward", raises=Exception, says="or None"),
    cases={"number": (2.0,), "list": ([2.0],)},
)
def backward_must_return_tensors(ad, answer):
    """backward() raises an error if the backward of a custom Function returns a number or a list instead of tensors."""
    y = ad.custom_function(lambda ctx, x: 2 * x, lambda ctx, g: answer)(ad.leaf(3.0))
    raises(lambda: ad.backward(y))


@behaviour(
    MUST,
    torch(SAVE, raises=Exception, says="once_differentiable"),
    aliases=("trying to differentiate twice a function that was marked with @once_differentiable",),
)
def double_backward_of_once_differentiable_raises_an_error(ad):
    """Double backward through a custom Function whose backward is once_differentiable raises an error."""
    x = ad.leaf(3.0)
    double = ad.custom_function(lambda ctx, x: 2 * x, ad.once_differentiable(lambda ctx, g: 2 * g))
    seed = ad.leaf(5.0)
    gradient = ad.grad_of(double(x), x, seed, create_graph=True)[0]
    raises(lambda: ad.backward(gradient))
