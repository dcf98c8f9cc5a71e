"""Transforms: grad, vjp, jvp and functionalize with no_grad, in-place operations, argnums and unusual outputs."""

from conformance.behaviour import MAY, MUST, SHOULD, behaviour, jax, torch, torch_func
from conformance.expect import an_error, close, equal, one_of, raises

UX = "func.ux_limitations"
NOT_RECORDED = "does not require grad"


def _minus_unrecorded_square(ad):
    def program(x):
        with ad.no_grad():
            square = x * x
        return x - square

    return program


def _gradient(ad, program, x):
    return ad.grad(program)(x)


def _pulled_back(ad, program, x):
    _, pullback = ad.vjp(program, x)
    return pullback(ad.array(1.0))[0]


def _pushed_forward(ad, program, x):
    return ad.jvp(program, (x,), (ad.array(1.0),))[1]


def _forward_jacobian(ad, program, x):
    return ad.jacfwd(program)(x)


def _unrecorded(ad, derivative, program, x):
    with ad.no_grad():
        return derivative(ad, program, x)


@behaviour(
    MUST,
    torch_func("torch.func.grad"),
    torch_func("torch.func.vjp"),
    torch("torch.no_grad"),
    cases={"gradient": (_gradient,), "pullback": (_pulled_back,)},
    aliases=("no_grad inside torch.func.grad",),
)
def no_grad_inside_a_function_is_respected(ad, derivative):
    """`no_grad` inside a differentiated function makes constants: if x² is computed under it, x - x² has gradient 1."""
    close(derivative(ad, _minus_unrecorded_square(ad), ad.array(3.0)), 1.0)


@behaviour(
    MUST,
    differentiated=(torch_func("torch.func.grad"), torch_func("torch.func.vjp")),
    raises=torch("torch.no_grad", raises=Exception, says=NOT_RECORDED),
    cases={"gradient": (_gradient,), "pullback": (_pulled_back,)},
    aliases=("torch.func with no_grad",),
)
def no_grad_around_grad_and_vjp(ad, derivative):
    """grad and vjp called under `no_grad` still differentiate (x² at 3 has the gradient 6), or raise an error."""
    return one_of(
        lambda: _unrecorded(ad, derivative, lambda x: x * x, ad.array(3.0)), differentiated=6.0, raises=an_error
    )


@behaviour(
    MUST,
    torch("torch.no_grad"),
    cases={"tangent": (_pushed_forward,), "jacobian": (_forward_jacobian,)},
    aliases=("no_grad forward mode ad",),
)
def forward_mode_ignores_no_grad(ad, derivative):
    """`no_grad` does not apply to forward mode: the JVP of x - x², with x² computed under it, is -5 at 3."""
    close(derivative(ad, _minus_unrecorded_square(ad), ad.array(3.0)), -5.0)


@behaviour(
    MAY,
    torch_func(
        UX,
        "General limitations",
        raises=Exception,
        says="mutate a captured",
        unstated="the section is about global variables; only the message of the error is about captured tensors",
    ),
    aliases=("mutate a captured tensor", "attempted to call in-place operation that would mutate a captured tensor"),
)
def an_in_place_write_to_a_captured_array_raises_an_error(ad):
    """In a function under grad, an in-place operation on a captured tensor raises an error and leaves it unchanged."""
    captured = ad.array(5.0)
    raises(lambda: ad.grad(lambda x: ad.copy_(captured, x * x))(ad.array(3.0)))
    close(captured, 5.0)


@behaviour(
    MUST,
    torch_func(UX),
    torch("notes/autograd", "In-place correctness checks"),
    aliases=("inplace in torch.func.grad",),
)
def in_place_operations_on_intermediates_are_differentiated(ad):
    """grad differentiates in-place operations on intermediates: 2x multiplied in-place by x has the gradient 4x."""
    close(ad.grad(lambda x: ad.mul_(2 * x, x))(ad.array(3.0)), 12.0)


@behaviour(
    MUST,
    torch_func("torch.func.jacrev"),
    cases={"row_by_row": (1,), "with_a_rest": (2,), "all_at_once": (5,)},
    aliases=("jacrev out of memory chunk_size",),
)
def chunk_size_does_not_change_a_jacobian(ad, size):
    """The `chunk_size` of jacrev (how many rows are computed at a time) does not change the Jacobian."""
    jacobian = ad.jacobian(lambda x: ad.np.stack([x[0] * x[1], x[0] * x[0], 5 * x[1]]), chunk_size=size)
    close(jacobian(ad.array([1.0, 2.0])), [[2.0, 1.0], [2.0, 0.0], [0.0, 5.0]])


@behaviour(
    MAY,
    torch_func(
        "torch.func.jacrev", raises=Exception, says="greater than 0", unstated="only the message of the error states it"
    ),
)
def chunk_size_zero_raises_an_error(ad):
    """jacrev with `chunk_size=0` raises an error."""
    raises(lambda: ad.jacobian(lambda x: x * x, chunk_size=0)(ad.array([1.0, 2.0])))


@behaviour(MUST, torch_func("torch.func.functionalize"), aliases=("remove mutations functionalization",))
def functionalize_keeps_value_and_gradient(ad):
    """A function has the same value and gradient after `functionalize`: 18 and 12 for (2 * x).mul_(x) at 3."""
    program = ad.functionalize(lambda x: ad.mul_(2 * x, x))
    close((program(ad.array(3.0)), ad.grad(program)(ad.array(3.0))), (18.0, 12.0))


@behaviour(MUST, torch_func("torch.func.functionalize"))
def functionalize_keeps_in_place_writes_to_inputs(ad):
    """A functionalized function still modifies its input in-place if the original does, here through a view."""
    x = ad.array([1.0, 2.0])
    ad.functionalize(lambda x: ad.add_(x[0], 10.0))(x)
    close(x, [11.0, 2.0])


@behaviour(
    MUST,
    raises=(
        torch_func("torch.func.grad", raises=Exception, says="to return a Tensor"),
        torch("torch.autograd.grad", raises=Exception),
    ),
    zero=jax("jax.grad"),
    aliases=("expected f to return a tensor",),
)
def a_python_number_as_output(ad):
    """grad of a function that returns a Python number raises an error, or gives the gradient 0 of a constant."""
    gradient = ad.grad(lambda x: 7.0)
    return one_of(lambda: gradient(ad.array(3.0)), raises=an_error, zero=0.0)


@behaviour(
    MUST,
    raises=torch_func("torch.func.grad", raises=Exception, says="argnums must be"),
    accepted=jax("jax.grad"),
    aliases=("argnums list vs tuple",),
)
def argnums_as_a_list(ad):
    """grad with a list as `argnums` raises an error, or gives a tuple of gradients as for a tuple of argnums."""
    gradients = ad.grad(lambda x, y: x * y, argnums=[1, 0])
    return one_of(lambda: gradients(ad.array(2.0), ad.array(5.0)), raises=an_error, accepted=(2.0, 5.0))


@behaviour(
    MAY,
    torch_func(
        "torch.func.jvp",
        raises=Exception,
        says="independent of the inputs",
        unstated="only the message of the error states it",
    ),
)
def strict_jvp_raises_an_error_for_an_independent_output(ad):
    """A JVP with `strict=True` raises an error for an output that does not depend on the input."""
    x = ad.array(3.0)
    raises(lambda: ad.jvp(lambda x: ad.array(7.0), (x,), (x,), strict=True))


@behaviour(SHOULD, torch_func("torch.func.vjp", raises=Exception, says="vjp(f"))
def a_function_that_returns_none_has_no_vjp(ad):
    """The VJP of a function that returns None raises an error, at the latest for an array as the cotangent."""
    raises(lambda: _pulled_back(ad, lambda x: None, ad.array(3.0)))


@behaviour(MUST, torch("autograd", "torch.autograd", raises=Exception))
def an_integer_output_has_no_vjp(ad):
    """vjp of a function with an output of integer dtype raises an error for a floating-point cotangent."""
    raises(lambda: _pulled_back(ad, lambda x: ad.cast(x, "int32"), ad.array(3.0)))


@behaviour(MAY, jax("jacobian-vector-products", "JVPs in JAX code"))
def a_jvp_calls_its_function_once(ad):
    """jvp computes value and tangent together: it calls the Python function once."""
    calls = []
    found = ad.jvp(lambda x: calls.append("program") or x**3, (ad.array(2.0),), (ad.array(5.0),))
    close(found, (8.0, 60.0))
    equal(calls, ["program"])


@behaviour(
    MUST,
    torch_func("torch.func.jacrev"),
    torch_func("func.ux_limitations", "Data-dependent operations (.item())"),
)
def a_jacobian_row_by_row_has_no_limits_of_vmap(ad):
    """jacrev with `chunk_size=1` works for a backward that vmap does not support, here one that reads a number."""

    def setup_context(ctx, inputs, output):
        ad.save_for_backward_(ctx, *inputs)

    def backward(ctx, g):
        return ad.number_of(ad.np.sum(g)) * 7 * ad.saved(ctx)[0] * g

    square = ad.custom_function(lambda x: x * x, backward, setup_context)
    weights = ad.array([[1.0, 2.0], [3.0, 5.0], [0.0, 1.0]])
    jacobian = ad.jacobian(lambda x: ad.np.matmul(weights, square(x)), chunk_size=1)(ad.array([1.0, 2.0]))
    close(jacobian, [[21.0, 84.0], [168.0, 560.0], [0.0, 14.0]])
