"""Options together, rules: several arguments and outputs of checkpoints and custom functions."""

from conformance.behaviour import MUST, behaviour, torch
from conformance.expect import close, equal


@behaviour(
    MUST,
    torch("checkpoint", "torch.utils.checkpoint.checkpoint"),
    cases={"reentrant": (True,), "non_reentrant": (False,)},
)
def a_checkpoint_has_several_arguments_and_outputs(ad, use_reentrant):
    """A checkpointed function takes several arguments and gives several outputs, each with its gradient: of (xy², x³)
    at (2, 3), the sum of the first and five times the second."""
    x, y = ad.leaf(2.0), ad.leaf(3.0)
    first, second = ad.checkpoint(lambda x, y: (x * y**2, x**3), use_reentrant)(x, y)
    close((first, second), (18.0, 8.0))
    ad.backward(first + 5 * second)
    close((ad.gradient_of(x), ad.gradient_of(y)), (69.0, 12.0))


@behaviour(MUST, torch("torch.autograd.Function.backward"))
def a_once_differentiable_rule_gives_each_gradient(ad):
    """A backward that is decorated with once_differentiable is given the gradient of the output, and its results are
    the gradients of the inputs: g and 5g for xy."""
    backward = ad.once_differentiable(lambda ctx, gradient: (gradient, 5 * gradient))
    product = ad.custom_function(lambda ctx, x, y: x * y, backward)
    x, y = ad.leaf(2.0), ad.leaf(3.0)
    ad.backward(product(x, y), ad.array(7.0))
    close((ad.gradient_of(x), ad.gradient_of(y)), (7.0, 35.0))


@behaviour(MUST, torch("torch.autograd.Function.forward"), torch("torch.autograd.Function.backward"))
def a_custom_function_keeps_the_dtype_of_each(ad):
    """A custom function gives what its forward gives, here a float32 and a float64 output, and leaves get gradients in
    their own dtypes."""
    apply = ad.custom_function(lambda ctx, x, y: (2 * x, 3 * y), lambda ctx, g, h: (2 * g, 3 * h))
    x, y = ad.leaf(5.0, "float32"), ad.leaf(7.0)
    single, double = apply(x, y)
    close(single, 10.0, dtype="float32")
    close(double, 21.0)
    ad.backward_of([single, double])
    close(ad.gradient_of(x), 2.0, dtype="float32")
    close(ad.gradient_of(y), 3.0)


def _marking(ad, forward):
    return ad.custom_function(forward, lambda ctx, *gradients: tuple(2 * g for g in gradients[:2]))


@behaviour(MUST, torch("torch.autograd.function.FunctionCtx.mark_dirty"))
def several_arguments_are_marked_dirty(ad):
    """mark_dirty() of two inputs marks both: the outputs are the inputs."""

    def forward(ctx, x, y):
        ad.mark_dirty_(ctx, x, y)
        return ad.mul_(x, 2), ad.mul_(y, 3)

    x, y = ad.leaf(5.0) * 1, ad.leaf(7.0) * 1
    first, second = _marking(ad, forward)(x, y)
    equal((first is x, second is y), (True, True))


@behaviour(MUST, torch("torch.autograd.function.FunctionCtx.mark_non_differentiable"))
def several_outputs_are_marked_as_not_differentiable(ad):
    """mark_non_differentiable() of two outputs marks both, and not a third."""

    def forward(ctx, x, y):
        outputs = 2 * x, 3 * y, x * y
        ad.mark_non_differentiable_(ctx, outputs[0], outputs[2])
        return outputs

    outputs = _marking(ad, forward)(ad.leaf(5.0), ad.leaf(7.0))
    equal(tuple(ad.requires_grad(output) for output in outputs), (False, True, False))
