"""Custom functions: the dtypes in which backward gets gradients, and the buffers in which they are summed."""

from conformance.behaviour import MAY, MUST, SHOULD, behaviour, torch
from conformance.expect import close, equal, raises

DECLARE = "torch.autograd.function.FunctionCtx.set_output_grad_dtype"
BUFFERS = "torch.autograd.function.FunctionCtx.input_grad_buffers"


def _declaring(ad, seen, *dtypes):
    """A function with the outputs 2x and 3x, whose backward notes the dtypes of their gradients."""

    def forward(ctx, x):
        ad.set_output_gradient_dtypes_(ctx, *dtypes)
        return 2 * x, 3 * x

    def backward(ctx, g, h):
        seen.append((ad.dtype_of(g), ad.dtype_of(h)))
        return 7 * ad.cast(g, "float64") + 11 * ad.cast(h, "float64")

    return ad.custom_function(forward, backward)


@behaviour(
    MUST,
    torch(DECLARE, since="2.14"),
    cases={
        "declared": (("float32", "float16"), "float64", ("float32", "float16")),
        "as_it_comes": (("float32", None), "float16", ("float32", "float16")),
    },
    aliases=("set_output_grad_dtype",),
)
def backward_gets_gradients_in_declared_dtypes(ad, dtypes, given, expected):
    """backward of a custom Function gets each gradient in the dtype that set_output_grad_dtype() declares for the
    output, and with None in the dtype that it has."""
    x, seen = ad.leaf(3.0), []
    outputs = _declaring(ad, seen, *dtypes)(x)
    ad.backward_of(outputs, (ad.array(1.0), ad.array(10.0, dtype=given)))
    close(ad.gradient_of(x), 117.0)
    equal(seen, [expected])


@behaviour(MUST, torch("releases/2.14", "Autograd", since="2.14"))
def setup_context_can_declare_the_dtype_of_a_gradient(ad):
    """setup_context of a custom Function, too, can call set_output_grad_dtype(); the gradient is converted to that
    dtype, also if the output has another."""
    seen, x = [], ad.leaf(3.0)
    double = ad.custom_function(
        lambda x: 2 * x,
        lambda ctx, g: (seen.append(ad.dtype_of(g)), 7 * ad.cast(g, "float64"))[1],
        setup_context=lambda ctx, inputs, output: ad.set_output_gradient_dtypes_(ctx, "float32"),
    )
    ad.backward(double(x), ad.array(1.0))
    close(ad.gradient_of(x), 7.0)
    equal(seen, ["float32"])


@behaviour(SHOULD, torch(DECLARE, since="2.14", raises=Exception, says="number of declarations"))
def a_gradient_dtype_is_declared_for_each_output(ad):
    """A custom Function raises an error if set_output_grad_dtype() is given fewer dtypes than it returns outputs."""
    _ = _declaring(ad, [], "float32", None)(ad.leaf(3.0))
    raises(lambda: _declaring(ad, [], "float32")(ad.leaf(3.0)))


def _summing(ad, seen):
    """2x, with the gradient 7: added to the buffer of the input where there is one, and else returned."""

    def backward(ctx, g):
        (buffer,) = ad.input_gradient_buffers(ctx)
        seen.append(buffer is None)
        return 7 * g if buffer is None else ad.add_(buffer, 7 * g) and None

    return ad.custom_function(lambda ctx, x: 2 * x, backward)


@behaviour(MAY, torch(BUFFERS, since="2.15"), aliases=("input_grad_buffers",))
def backward_may_add_to_the_buffer_of_an_input(ad):
    """backward of a custom Function may add its gradient to the entry of input_grad_buffers and return None, if an
    earlier contribution is there; the gradient is the sum of both."""
    seen, x = [], ad.leaf(3.0)
    double = _summing(ad, seen)
    ad.backward(double(x) + x * x)
    close(ad.gradient_of(x), 13.0)
    ad.backward(x * x + double(x))  # whichever runs first: in one of the two, x * x has contributed before `double`
    close(ad.gradient_of(x), 26.0)
    equal(False in seen, True)


@behaviour(MUST, torch(BUFFERS, since="2.15", raises=Exception, says="does not support create_graph"))
def buffers_of_inputs_are_unavailable_with_create_graph(ad):
    """Reading input_grad_buffers in a backward pass with create_graph=True raises an error."""
    x = ad.leaf(3.0)
    y = _summing(ad, [])(x) + x * x
    close(ad.grad_of(y, x, retain_graph=True), (13.0,))
    raises(lambda: ad.grad_of(y, x, create_graph=True))
