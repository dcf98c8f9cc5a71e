"""Custom functions: inputs marked as modified, outputs marked as non-differentiable, and gradients that are missing."""

from conformance.behaviour import MAY, MUST, SHOULD, behaviour, torch
from conformance.expect import close, equal, raises, warns

CONTEXT = "torch.autograd.function.FunctionCtx."
EXTENDING = "Extending torch.autograd"
CHECKS = "In-place correctness checks"


def _doubled_in_place(ad):
    def forward(ctx, x):
        ad.mark_dirty_(ctx, x)
        return ad.mul_(x, 2.0)

    return ad.custom_function(forward, lambda ctx, g: 5 * g)


@behaviour(MAY, torch(CONTEXT + "mark_dirty"))
def an_input_marked_dirty_is_returned_as_the_same_tensor(ad):
    """An input passed to mark_dirty() is returned as the same tensor, and its grad_fn is now the custom Function."""
    x = ad.leaf(3.0)
    y = ad.clone(x)
    equal(_doubled_in_place(ad)(y) is y, True)
    close(y, 6.0)
    equal(ad.grad_fn_name(y), "CustomBackward")
    ad.backward(y)
    close(ad.gradient_of(x), 5.0)


@behaviour(
    MUST,
    torch("notes/autograd", CHECKS, raises=Exception, says="modified by an inplace operation"),
    torch(CONTEXT + "mark_dirty"),
)
def mark_dirty_counts_as_an_in_place_operation(ad):
    """mark_dirty() counts as in-place: backward() raises an error if an earlier operation had saved the input."""
    y = ad.clone(ad.leaf(3.0))
    squared = y * y

    def marked(ctx, x):
        ad.mark_dirty_(ctx, x)  # without an in-place operation, which would count by itself
        return x

    _ = ad.custom_function(marked, lambda ctx, g: g)(y)
    raises(lambda: ad.backward(squared))


@behaviour(
    MAY,
    torch(CONTEXT + "mark_dirty", unstated="neither page mentions the other"),
    torch("torch.Tensor.retain_grad", unstated="neither page mentions the other"),
)
def a_dirty_input_keeps_the_gradient_of_its_new_value(ad):
    """If retain_grad() precedes mark_dirty(), the input's .grad is with respect to its new value y: 3 for 3y."""
    y = ad.clone(ad.leaf(1.0))
    ad.retain_gradient_(y)
    _doubled_in_place(ad)(y)
    ad.backward(3 * y)
    close(ad.gradient_of(y), 3.0)


@behaviour(
    MUST,
    torch("tutorials/autogradyt", "Autograd and In-place Operations", raises=RuntimeError, says="leaf"),
    torch(CONTEXT + "mark_dirty"),
)
def a_leaf_cannot_be_marked_dirty(ad):
    """In grad mode, passing a leaf that requires grad to mark_dirty() raises an error, as modifying it does."""
    doubled = _doubled_in_place(ad)
    raises(lambda: doubled(ad.leaf(3.0)))


def _double_beside_a_constant(ad, seen):
    def forward(ctx, x):
        double, constant = 2 * x, ad.np.stack([x, x, x])
        ad.mark_non_differentiable_(ctx, constant)
        return double, constant

    def backward(ctx, *cotangents):
        seen.append(cotangents)
        return 2 * cotangents[0]

    return ad.custom_function(forward, backward)


@behaviour(
    MUST,
    torch(CONTEXT + "mark_non_differentiable"),
    torch("notes/extending", EXTENDING),
    cases={
        "first": (lambda outputs: outputs[:1], (False, True, True)),
        "second": (lambda outputs: outputs[1:2], (True, False, True)),
        "two": (lambda outputs: (outputs[2], outputs[0]), (False, True, False)),
    },
)
def an_output_marked_non_differentiable_does_not_require_grad(ad, marked, expected):
    """An output passed to mark_non_differentiable() does not require grad; by default, another floating output does, if
    an input does."""

    def forward(ctx, x):
        outputs = 2 * x, 3 * x, 5 * x
        ad.mark_non_differentiable_(ctx, *marked(outputs))
        return outputs

    first, second, third = ad.custom_function(forward, lambda ctx, *cotangents: None)(ad.leaf(5.0))
    equal((ad.requires_grad(first), ad.requires_grad(second), ad.requires_grad(third)), expected)


@behaviour(MUST, torch(CONTEXT + "mark_non_differentiable"))
def backward_is_given_zeros_for_a_non_differentiable_output(ad):
    """By default, the backward of a custom Function receives zeros for an output passed to
    mark_non_differentiable()."""
    seen = []
    double, _ = _double_beside_a_constant(ad, seen)(ad.leaf(5.0))
    ad.backward(double, ad.array(7.0))
    close(seen, ((7.0, [0.0, 0.0, 0.0]),))


@behaviour(MUST, torch("notes/extending", EXTENDING))
def an_integer_output_does_not_require_grad(ad):
    """An integer output of a custom Function does not require grad, even without mark_non_differentiable()."""
    both = ad.custom_function(lambda ctx, x: (2 * x, ad.cast(x, "int64")), lambda ctx, g, _: 2 * g)
    double, whole = both(ad.leaf(5.0))
    equal((ad.requires_grad(double), ad.requires_grad(whole)), (True, False))


def _seven_or_eleven_times(ctx, first, second):
    """A backward of two outputs that tells by its factor which cotangent is None."""
    if second is None:
        return 7 * first
    if first is None:
        return 11 * second
    return 2 * first + 3 * second


@behaviour(
    MUST,
    torch("notes/extending", EXTENDING),
    torch(CONTEXT + "set_materialize_grads"),
    cases={"first": (0, 11.0), "second": (1, 7.0)},
    aliases=("grad_output is none, materialize grads",),
)
def backward_can_be_given_none_for_an_unused_output(ad, unused, expected):
    """After set_materialize_grads(False), a custom Function's backward receives None for an unused output."""

    def forward(ctx, x):
        ad.set_materialize_grads_(ctx, False)
        return 2 * x, 3 * x

    x = ad.leaf(5.0)
    function = ad.custom_function(forward, _seven_or_eleven_times)
    ad.backward(function(x)[1 - unused])
    close(ad.gradient_of(x), expected)


@behaviour(MUST, torch("torch.autograd.Function.backward"))
def backward_is_given_none_for_a_non_tensor_output(ad):
    """A custom Function's backward receives None for an output that is no tensor, here the second of three."""
    seen, x = [], ad.leaf(3.0)

    def backward(ctx, first, second, third):
        seen.append(second)
        return first + 10 * third

    first, text, third = ad.custom_function(lambda ctx, x: (2 * x, "text", 3 * x), backward)(x)
    ad.backward_of([first, third], [ad.array(5.0), ad.array(7.0)])
    equal((text, seen), ("text", [None]))
    close(ad.gradient_of(x), 75.0)


@behaviour(SHOULD, torch(CONTEXT + "mark_dirty", warns=UserWarning, says="not an input"))
def only_inputs_can_be_marked_dirty(ad):
    """mark_dirty() with a tensor that is no input of the custom Function gives a warning."""

    def forward(ctx, x):
        doubled = 2 * x
        ad.mark_dirty_(ctx, doubled)
        return doubled

    double = ad.custom_function(forward, lambda ctx, g: 2 * g)
    warns(lambda: double(ad.leaf(3.0)))


@behaviour(MUST, torch("notes/extending", EXTENDING, since="2.13"))
def boxed_gradients_are_given_in_a_list(ad):
    """With boxed_grads_call = True, a custom Function's backward receives the gradients of all outputs in one list."""
    seen, x = [], ad.leaf(3.0)

    def backward(ctx, cotangents):
        seen.append(isinstance(cotangents, list))
        return cotangents[0] + 10 * cotangents[1]

    first, second = ad.custom_function(lambda ctx, x: (2 * x, 3 * x), backward, boxed_grads_call=True)(x)
    ad.backward_of([first, second], [ad.array(5.0), ad.array(7.0)])
    equal(seen, [True])
    close(ad.gradient_of(x), 75.0)
