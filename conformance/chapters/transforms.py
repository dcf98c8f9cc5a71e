"""Transforms: what a program under a transform may do, and what around it counts."""

from conformance.behaviour import MAY, MUST, behaviour, jax, torch, torch_func
from conformance.expect import an_error, close, one_of, raises

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
    torch("torch.no_grad"),
    cases={"gradient": (_gradient,), "pullback": (_pulled_back,)},
)
def no_grad_within_a_transform_counts(ad, derivative):
    """What a program computes in no-grad mode is a constant: x minus x^2 computed there has the slope 1."""
    close(derivative(ad, _minus_unrecorded_square(ad), ad.array(3.0)), 1.0)


@behaviour(
    MUST,
    differentiated=torch_func("torch.func.grad"),
    raises=torch("torch.no_grad", raises=RuntimeError, says=NOT_RECORDED),
    cases={"gradient": (_gradient,), "pullback": (_pulled_back,)},
)
def no_grad_around_a_transform(ad, derivative):
    """In no-grad mode x^2 at 3 has its derivative all the same, or none as nothing is recorded there."""
    return one_of(
        lambda: _unrecorded(ad, derivative, lambda x: x * x, ad.array(3.0)), differentiated=6.0, raises=an_error
    )


@behaviour(
    MUST,
    torch("torch.no_grad"),
    torch_func("torch.func.jvp"),
    cases={"tangent": (_pushed_forward,), "jacobian": (_forward_jacobian,)},
)
def forward_mode_ignores_no_grad(ad, derivative):
    """Forward mode also differentiates what is computed in no-grad mode: x minus x^2 has the slope -5 at 3."""
    close(derivative(ad, _minus_unrecorded_square(ad), ad.array(3.0)), -5.0)


@behaviour(MUST, torch_func(UX, "General limitations", raises=RuntimeError, says="mutate a captured"))
def a_captured_array_cannot_be_written(ad):
    """Writing into an array that a differentiated program was not given is refused, and leaves it as it was."""
    captured = ad.array(5.0)
    raises(lambda: ad.grad(lambda x: ad.copy_(captured, x * x))(ad.array(3.0)))
    close(captured, 5.0)


@behaviour(
    MUST,
    torch_func(UX, "General limitations"),
    torch("notes/autograd", "In-place operations with autograd"),
)
def an_intermediate_can_be_written(ad):
    """Writing into an array that the program itself made is differentiated: 2 x, multiplied by x in place, has 4 x."""
    close(ad.grad(lambda x: ad.mul_(2 * x, x))(ad.array(3.0)), 12.0)


@behaviour(
    MUST,
    torch_func("torch.func.jacrev"),
    cases={"row_by_row": (1,), "with_a_rest": (2,), "all_at_once": (5,)},
)
def chunks_change_no_jacobian(ad, size):
    """How many rows are computed at a time changes no Jacobian."""
    jacobian = ad.jacobian(lambda x: ad.np.stack([x[0] * x[1], x[0] * x[0], 5 * x[1]]), chunk_size=size)
    close(jacobian(ad.array([1.0, 2.0])), [[2.0, 1.0], [2.0, 0.0], [0.0, 5.0]])


@behaviour(MAY, torch_func("torch.func.jacrev", raises=ValueError, says="chunk_size"))
def no_rows_at_a_time_are_refused(ad):
    """A Jacobian of no rows at a time is refused."""
    raises(lambda: ad.jacobian(lambda x: x * x, chunk_size=0)(ad.array([1.0, 2.0])))


@behaviour(MUST, torch_func("torch.func.functionalize"))
def removing_mutations_keeps_the_result(ad):
    """A program whose writes in place were removed gives what it gave before, and has the same gradient."""
    program = ad.functionalize(lambda x: ad.mul_(2 * x, x))
    close((program(ad.array(3.0)), ad.grad(program)(ad.array(3.0))), (18.0, 12.0))


@behaviour(MUST, torch_func("torch.func.functionalize"))
def removing_mutations_keeps_what_an_input_becomes(ad):
    """A program whose writes in place were removed leaves its inputs as its writes would have."""
    x = ad.array([1.0, 2.0])
    ad.functionalize(lambda x: ad.add_(x[0], 10.0))(x)
    close(x, [11.0, 2.0])


@behaviour(
    MUST,
    raises=(
        torch_func("torch.func.grad", raises=RuntimeError, says="to return a Tensor"),
        torch("torch.autograd.grad"),
    ),
    zero=jax("jax.grad"),
)
def a_number_is_no_output(ad):
    """A program that returns a number of Python's own is refused, or has the gradient zero of a constant."""
    gradient = ad.grad(lambda x: 7.0)
    return one_of(lambda: gradient(ad.array(3.0)), raises=an_error, zero=0.0)


@behaviour(
    MAY,
    torch_func("torch.func.grad", raises=RuntimeError, says="argnums"),
    cases={"none": ((),), "one_twice": ((0, 0),)},
)
def a_selection_names_distinct_numbers(ad, chosen):
    """To choose no argument is refused, and so is to choose one twice."""
    raises(lambda: ad.grad(lambda x, y: x * y, argnums=chosen)(ad.array(2.0), ad.array(5.0)))


@behaviour(
    MUST,
    raises=torch_func("torch.func.grad", raises=RuntimeError, says="argnums"),
    accepted=jax("jax.grad"),
)
def a_list_of_chosen_arguments(ad):
    """Arguments chosen by a list are refused, or accepted like a tuple of them."""
    gradients = ad.grad(lambda x, y: x * y, argnums=[1, 0])
    return one_of(lambda: gradients(ad.array(2.0), ad.array(5.0)), raises=an_error, accepted=(2.0, 5.0))


@behaviour(MAY, torch_func("torch.func.jvp", raises=RuntimeError, says="independent of the inputs"))
def strict_refuses_an_independent_output(ad):
    """In strict mode an output that does not depend on the input has no tangent of zero, but is refused."""
    x = ad.array(3.0)
    raises(lambda: ad.jvp(lambda x: ad.array(7.0), (x,), (x,), strict=True))


@behaviour(
    MUST,
    torch_func("torch.func.vjp", raises=RuntimeError, says="vjp(f"),
    cases={
        "number": (lambda ad, x: 7.0,),
        "nothing": (lambda ad, x: None,),
        "integer": (lambda ad, x: ad.cast(x, "int32"),),
    },
)
def a_program_returns_arrays(ad, program):
    """A program that returns anything but floating-point or complex arrays cannot be pulled back through."""
    raises(lambda: _pulled_back(ad, lambda x: program(ad, x), ad.array(3.0)))
