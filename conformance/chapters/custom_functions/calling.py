"""Custom functions: calling a torch.autograd.Function, and what is recorded of the call."""

from conformance.behaviour import MAY, MUST, SHOULD, behaviour, torch
from conformance.expect import close, equal, raises

EXTENDING = "Extending torch.autograd"
FUNC = "notes/extending.func"
FUNCTION = "torch.autograd.Function"


@behaviour(MUST, torch("notes/extending", EXTENDING), aliases=("torch.autograd.function",))
def a_forward_is_not_recorded(ad):
    """By default, operations inside a custom Function's forward are not recorded: the output's grad_fn is the
    Function's node."""
    seen = []

    def forward(ctx, x):
        seen.append(ad.requires_grad(2 * x))
        return x * x

    y = ad.custom_function(forward, lambda ctx, g: 5 * g)(ad.leaf(3.0))
    equal(seen, [False])
    equal(ad.grad_fn_name(y), "CustomBackward")


@behaviour(MUST, torch("torch.Tensor.backward"), cases={"plain": (False,), "with_a_graph": (True,)})
def backward_is_recorded_only_with_create_graph(ad, create_graph):
    """Operations inside a custom Function's backward are recorded if create_graph=True, and not recorded otherwise."""
    seen, w = [], ad.leaf(5.0)

    def backward(ctx, g):
        seen.append(ad.requires_grad(w * g))
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
    torch("notes/autograd", "Setting requires_grad"),
    torch("notes/autograd", "No-grad Mode"),
    cases={"plain": (_of_a_plain_array,), "unrecorded": (_of_a_leaf_unrecorded,)},
)
def a_function_is_not_recorded_where_nothing_requires_grad(ad, called):
    """The output of a custom Function does not require grad if no input does, or under no_grad."""
    double = ad.custom_function(lambda ctx, x: 2 * x, lambda ctx, g: 2 * g)
    equal(ad.requires_grad(called(ad, double)), False)


@behaviour(MUST, torch("notes/extending", EXTENDING), aliases=("list of tensors as input of autograd.function",))
def only_direct_arguments_are_tracked(ad):
    """A custom Function does not treat tensors in a list as inputs: they alone do not make the output require grad."""
    first = ad.custom_function(lambda ctx, xs: 2 * xs[0], lambda ctx, g: None)
    equal(ad.requires_grad(first([ad.leaf(3.0)])), False)


@behaviour(
    SHOULD,
    torch("torch.autograd.Function.backward", raises=Exception, says="either the backward"),
    aliases=("you must implement either the backward or vjp method",),
)
def a_function_without_backward_raises_an_error(ad):
    """backward() through a custom Function with neither a backward nor a vjp method raises an error; calling it does
    not."""
    y = ad.custom_function(lambda ctx, x: 2 * x)(ad.leaf(3.0))
    raises(lambda: ad.backward(y))


@behaviour(SHOULD, torch("torch.autograd.Function.forward", raises=Exception, says="must implement the forward"))
def a_function_without_forward_raises_an_error(ad):
    """Calling a custom Function without a forward raises an error."""
    nothing = ad.custom_function(backward=lambda ctx, g: 2 * g)
    raises(lambda: nothing(ad.leaf(3.0)))


@behaviour(
    MAY,
    torch(
        "notes/extending", EXTENDING, unstated="the section does not mention it; straight-through estimators rely on it"
    ),
    aliases=("straight-through estimator with a custom function",),
)
def an_input_returned_unchanged_is_a_view(ad):
    """If forward of a custom Function returns its input, the output is a view of it, and backward is still called."""
    x = ad.leaf(3.0)
    y = ad.custom_function(lambda ctx, x: x, lambda ctx, g: 5 * g)(x)
    equal((y is x, ad.shares_memory(y, x)), (False, True))
    ad.backward(y)
    close(ad.gradient_of(x), 5.0)


@behaviour(
    MUST,
    torch("autograd", FUNCTION),
    torch("autograd", "torch.autograd.Function.apply"),
    torch("torch.autograd.Function.backward"),
    torch("notes/extending", EXTENDING),
)
def apply_runs_forward_and_is_differentiated_by_backward(ad):
    """apply() of a custom Function runs its forward, and the gradients are what its backward returns: 5 and 7 times the
    cotangent, for a quotient whose backward returns these."""
    x, y = ad.leaf(3.0), ad.leaf(4.0)
    output = ad.custom_function(lambda ctx, x, y: x / y, lambda ctx, g: (5 * g, 7 * g))(x, y)
    ad.backward(output, ad.array(10.0))
    close((output, ad.gradient_of(x), ad.gradient_of(y)), (0.75, 50.0, 70.0))


@behaviour(MAY, torch("notes/extending", EXTENDING))
def forward_can_have_default_arguments(ad):
    """A custom Function's forward can have arguments with default values, which a call leaves out."""

    def forward(ctx, x, factor=7.0):
        return factor * x

    x = ad.leaf(3.0)
    y = ad.custom_function(forward, lambda ctx, g: 5 * g)(x)
    ad.backward(y)
    close((y, ad.gradient_of(x)), (21.0, 5.0))


@behaviour(
    MUST,
    torch("torch.autograd.Function.forward", "torch.autograd.Function.setup_context"),
    torch(FUNC),
    cases={
        "tensor": (lambda x, factor: factor * x, 21.0),
        "tuple": (lambda x, factor: (factor * x, x * x), (21.0, 9.0)),
        "tuple_of_one": (lambda x, factor: (factor * x,), (21.0,)),
    },
)
def setup_context_is_given_inputs_and_output(ad, forward, returned):
    """setup_context receives the tuple of all inputs, and what forward returned: a tensor, or a tuple, also of one."""
    seen = []

    def setup_context(ctx, inputs, output):
        seen.append((inputs, output))

    ad.custom_function(forward, lambda ctx, *g: (g[0], None), setup_context)(ad.array(3.0), 7.0)
    ((inputs, output),) = seen
    equal((isinstance(inputs, tuple), isinstance(output, tuple)), (True, isinstance(returned, tuple)))
    close((inputs, output), ((3.0, 7.0), returned))
