"""Custom functions: what backward may return, and double backward."""

from conformance.behaviour import MAY, MUST, SHOULD, behaviour, torch, torch_func
from conformance.expect import close, equal, raises

EXTENDING = "Extending torch.autograd"
FUNC = "notes/extending.func"
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
    cases={"last": (lambda ad: (ad.leaf(3.0), 5.0),), "first": (lambda ad: (5.0, ad.leaf(3.0)),)},
    aliases=("returned a gradient different than none at position",),
)
def a_gradient_for_a_non_tensor_raises_an_error(ad, arguments):
    """backward() raises an error if a custom Function's backward returns a gradient for an input that is no tensor."""
    y = ad.custom_function(lambda ctx, x, y: x * y, lambda ctx, g: (5 * g, g))(*arguments(ad))
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


def _by_the_cotangent(ad, x, y):
    gradient = ad.grad_of(y, x, ad.leaf(5.0), create_graph=True)[0]
    return lambda: ad.backward(gradient)


def _in_a_product(ad, x, y):
    gradient = ad.grad_of(y, x, create_graph=True)[0]
    return lambda: ad.backward(gradient * x)


def _if_unused_is_allowed(ad, x, y):
    gradient = ad.grad_of(y, x, ad.leaf(5.0), create_graph=True)[0]
    return lambda: ad.grad_of(gradient, x, allow_unused=True)


@behaviour(
    MUST,
    torch(SAVE, raises=Exception, says="once_differentiable"),
    torch("notes/extending", "torch.autograd.function.once_differentiable", raises=Exception, says="once_diff"),
    cases={
        "by_the_cotangent": (_by_the_cotangent,),
        "in_a_product": (_in_a_product,),
        "if_unused_is_allowed": (_if_unused_is_allowed,),
    },
    aliases=("trying to differentiate twice a function that was marked with @once_differentiable",),
)
def double_backward_of_once_differentiable_raises_an_error(ad, second_derivative):
    """Double backward through a custom Function whose backward is once_differentiable raises an error."""

    def forward(ctx, x):
        ad.save_for_backward_(ctx, x)
        return x * x

    x = ad.leaf(3.0)
    square = ad.custom_function(forward, ad.once_differentiable(lambda ctx, g: 2 * ad.saved(ctx)[0] * g))
    raises(second_derivative(ad, x, square(x)))


@behaviour(MUST, torch("torch.autograd.Function.backward"))
def vjp_is_another_name_of_backward(ad):
    """A custom Function can define vjp instead of backward: gradients come from it."""
    x = ad.leaf(3.0)
    ad.backward(ad.custom_function(lambda ctx, x: 2 * x, vjp=lambda ctx, g: 5 * g)(x))
    close(ad.gradient_of(x), 5.0)


@behaviour(MUST, torch("notes/extending", EXTENDING), aliases=("tensor saved on ctx",))
def no_gradient_flows_to_an_intermediate_on_the_context(ad):
    """No gradient flows back to an intermediate tensor of forward that backward reads from an attribute of ctx: in
    double backward it is a constant, and a tensor of save_for_backward() is not."""

    def forward(ctx, x):
        ad.set_attribute_(ctx, "square", x * x)
        ad.save_for_backward_(ctx, x)
        return x**3

    x = ad.leaf(3.0)
    cube = ad.custom_function(forward, lambda ctx, g: 5 * ad.attribute_of(ctx, "square") * ad.saved(ctx)[0] * g)
    (gradient,) = ad.grad_of(cube(x), x, create_graph=True)
    (second,) = ad.grad_of(gradient, x)  # of 45x, not of 5x³
    close((gradient, second), (135.0, 45.0))


@behaviour(MAY, torch(SAVE), aliases=("save_for_backward intermediate double backward wrong",))
def a_saved_intermediate_is_a_constant_in_double_backward(ad):
    """An intermediate tensor of forward that is saved by save_for_backward() and not returned is a constant in double
    backward: of 5sx with the intermediate s = x² the derivative is 5s, not 15x²."""

    def forward(ctx, x):
        ad.save_for_backward_(ctx, x, x * x)
        return x**3

    def backward(ctx, g):
        x, square = ad.saved(ctx)
        return 5 * square * x * g

    x = ad.leaf(3.0)
    (gradient,) = ad.grad_of(ad.custom_function(forward, backward)(x), x, create_graph=True)
    (second,) = ad.grad_of(gradient, x)
    close((gradient, second), (135.0, 45.0))


def _with_its_slope(ad):
    """x³, and beside it 5x², which backward uses in the place of its slope."""

    def setup_context(ctx, inputs, output):
        ad.save_for_backward_(ctx, *inputs, output[1])

    def backward(ctx, g, slope_g):
        x, slope = ad.saved(ctx)
        return slope * g + 70 * x * slope_g

    return ad.custom_function(lambda x: (x**3, 5 * x * x), backward, setup_context)


@behaviour(MAY, torch(SAVE), torch_func(FUNC), aliases=("double backward saving intermediates",))
def an_intermediate_that_is_an_output_supports_double_backward(ad):
    """An intermediate that is saved and also returned supports double backward: backward receives its gradient."""
    cube = _with_its_slope(ad)
    close(ad.grad(lambda x: cube(x)[0])(ad.array(2.0)), 20.0)
    close(ad.grad(ad.grad(lambda x: cube(x)[0]))(ad.array(2.0)), 140.0)


@behaviour(MUST, torch("notes/extending", EXTENDING), torch_func(FUNC))
def a_backward_can_apply_another_function(ad):
    """Double backward through a custom Function whose backward applies another custom Function uses the backward of
    that one: 7, if the inner Function is 5x with the backward of 7x."""
    inner = ad.custom_function(lambda x: 5 * x, lambda ctx, g: 7 * g, lambda ctx, inputs, output: None)

    def setup_context(ctx, inputs, output):
        ad.save_for_backward_(ctx, *inputs)

    outer = ad.custom_function(lambda x: x * x, lambda ctx, g: inner(ad.saved(ctx)[0]) * g, setup_context)
    close((ad.grad(outer)(ad.array(3.0)), ad.grad(ad.grad(outer))(ad.array(3.0))), (15.0, 7.0))
