"""Custom functions: what forward keeps for backward, with save_for_backward() and on the context."""

from conformance.behaviour import MAY, MUST, behaviour, torch
from conformance.expect import close, equal, raises

SAVE = "torch.autograd.function.FunctionCtx.save_for_backward"
EXTENDING = "Extending torch.autograd"
CHECKS = "In-place correctness checks"


def _square(ad):
    def forward(ctx, x):
        ad.save_for_backward_(ctx, x)
        return x * x

    return ad.custom_function(forward, lambda ctx, g: 2 * ad.saved(ctx)[0] * g)


@behaviour(MUST, torch(SAVE), aliases=("save_for_backward",))
def saved_tensors_come_back_in_order(ad):
    """ctx.saved_tensors has the arguments of save_for_backward() in the same order; an argument may be None."""

    def forward(ctx, x, y):
        ad.save_for_backward_(ctx, y, None, x)
        return x * y

    def backward(ctx, g):
        saved = ad.saved(ctx)
        return saved[0] + 10 * saved[2], g

    x = ad.leaf(3.0)
    ad.backward(ad.custom_function(forward, backward)(x, ad.array(5.0)))
    close(ad.gradient_of(x), 35.0)


@behaviour(
    MUST,
    torch("notes/extending", EXTENDING, raises=Exception, says="can only save"),
    torch(SAVE),
    cases={"last": (lambda x: (x, 2.0),), "middle": (lambda x: (x, 2.0, x),), "in_a_list": (lambda x: (x, [x]),)},
    aliases=("save_for_backward can only save variables",),
)
def only_tensors_can_be_saved_for_backward(ad, values):
    """save_for_backward() raises an error for a Python number or a list: it takes only tensors and None."""

    def forward(ctx, x):
        ad.save_for_backward_(ctx, *values(x))
        return 2 * x

    double = ad.custom_function(forward, lambda ctx, g: 2 * g)
    raises(lambda: double(ad.leaf(3.0)))


@behaviour(
    MUST,
    torch("notes/autograd", CHECKS, raises=Exception, says="modified by an inplace operation"),
    torch(SAVE),
)
def a_saved_tensor_must_not_be_modified_in_place(ad):
    """Reading ctx.saved_tensors in backward raises an error if one of the tensors was modified in-place since."""
    x = 2 * ad.leaf(3.0)
    y = _square(ad)(x)
    ad.add_(x, 1.0)
    raises(lambda: ad.backward(y))


@behaviour(
    MUST,
    torch("notes/autograd", "Graph retaining", raises=Exception, says="second time"),
    torch("torch.Tensor.backward"),
    torch("notes/extending", EXTENDING),
    aliases=("trying to backward through the graph a second time (saved tensors freed)",),
)
def saved_tensors_are_freed_by_backward(ad):
    """Without retain_graph and create_graph, a second backward() raises an error if a custom Function reads its freed
    saved tensors."""
    y = _square(ad)(ad.leaf(3.0))
    ad.backward(y)
    raises(lambda: ad.backward(y))


@behaviour(
    MAY,
    torch(
        "notes/extending",
        EXTENDING,
        unstated="the section is about saving tensors, and nothing on functions that save none",
    ),
)
def a_function_that_saved_nothing_allows_a_second_backward(ad):
    """A second backward() without retain_graph works through a custom Function that saved no tensors."""
    x = ad.leaf(3.0)
    y = ad.custom_function(lambda ctx, x: 5 * x, lambda ctx, g: 5 * g)(x)
    ad.backward(y)
    ad.backward(y)
    close(ad.gradient_of(x), 10.0)


@behaviour(MUST, torch("torch.autograd.Function.backward"), aliases=("needs_input_grad",))
def needs_input_grad_tells_which_inputs_need_gradients(ad):
    """ctx.needs_input_grad is True for an input that requires grad, False for other tensors and for a number."""
    seen = []

    def backward(ctx, g):
        seen.append(ad.needs_input_grad(ctx))
        return g, g, None

    product = ad.custom_function(lambda ctx, x, y, factor: factor * x * y, backward)
    ad.backward(product(ad.array(3.0), ad.leaf(5.0), 7.0))
    equal(seen, [(False, True, False)])


@behaviour(
    MUST,
    torch("torch.autograd.Function.forward", "torch.autograd.function.FunctionCtx"),
    aliases=("store a non-tensor on ctx",),
)
def non_tensors_are_kept_on_the_context(ad):
    """A value that is no tensor, such as an exponent, can be kept for backward as an attribute of ctx."""

    def forward(ctx, x, exponent):
        ad.set_attribute_(ctx, "exponent", exponent)
        return x**exponent

    power = ad.custom_function(forward, lambda ctx, g: (7 * ad.attribute_of(ctx, "exponent") * g, None))
    x, y = ad.leaf(2.0), ad.leaf(3.0)
    ad.backward(power(x, 3) + power(y, 2))
    close((ad.gradient_of(x), ad.gradient_of(y)), (21.0, 14.0))


def _reading_twice(ad, seen, **option):
    """2x, with the backward x, which reads the saved tensor twice."""

    def setup_context(ctx, inputs, output):
        ad.save_for_backward_(ctx, *inputs)

    def backward(ctx, g):
        seen.append(ad.saved(ctx)[0])
        return ad.saved(ctx)[0]

    return ad.custom_function(lambda x: 2 * x, backward, setup_context, **option)


@behaviour(MUST, torch("notes/extending", EXTENDING, since="2.11", raises=Exception, says="only be accessed once"))
def a_second_access_to_cleared_saved_tensors_raises_an_error(ad):
    """With clear_saved_tensors_on_access = True, and not by default, a backward of a custom Function that accesses
    ctx.saved_tensors a second time raises an error."""
    seen = []
    ad.backward(_reading_twice(ad, seen)(ad.leaf(3.0)))
    raises(lambda: ad.backward(_reading_twice(ad, seen, clear_saved_tensors_on_access=True)(ad.leaf(3.0))))
    close(seen, (3.0, 3.0))
