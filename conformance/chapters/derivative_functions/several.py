"""Derivative functions, several: values and derivatives of several outputs and arguments, and auxiliary output."""

from conformance.behaviour import MAY, MUST, behaviour, jax, torch_func
from conformance.expect import close, one_of

DERIVATIVES = "Taking derivatives with jax.grad"


def cubic(x, y):
    return x**3 * y**2


def two_outputs(x, y):
    return x**3 * y, y**2


def _of_both(ad, x, y):
    return ad.value_and_grad(lambda x, y: (cubic(x, y), 7 * x), argnums=(1, 0), has_aux=True)(x, y)


def _again(ad, x, y):
    both = ad.value_and_grad(cubic, argnums=(1, 0))
    return both(x + 1, y - 2), both(x, y)


@behaviour(MUST, jax("jax.vjp"), torch_func("torch.func.vjp"))
def vjp_has_a_value_and_a_cotangent_for_each(ad):
    """vjp returns every output, and a pullback that returns a cotangent for every primal, in each call: of (x³y, y²) at
    (1, 3), for the cotangents (2, 5) and (1, 4)."""
    outputs, pullback = ad.vjp(two_outputs, ad.array(1.0), ad.array(3.0))
    close(outputs, (3.0, 9.0))
    close(pullback((ad.array(2.0), ad.array(5.0))), (18.0, 32.0))
    close(pullback((ad.array(1.0), ad.array(4.0))), (9.0, 25.0))


@behaviour(MUST, jax("jax.linearize"), torch_func("torch.func.linearize"))
def linearize_has_a_value_and_a_tangent_for_each(ad):
    """linearize returns every output, and a function that returns a tangent for every output, in each call: of
    (x³y, y²) at (1, 3), for the tangents (2, 5) and (1, 4)."""
    outputs, pushforward = ad.linearize(two_outputs, ad.array(1.0), ad.array(3.0))
    close(outputs, (3.0, 9.0))
    close(pushforward(ad.array(2.0), ad.array(5.0)), (23.0, 30.0))
    close(pushforward(ad.array(1.0), ad.array(4.0)), (13.0, 24.0))


@behaviour(MUST, jax("jax.vjp"), torch_func("torch.func.vjp"))
def a_pullback_beside_auxiliary_output_has_a_cotangent_for_each(ad):
    """With `has_aux`, vjp returns every output, a pullback that returns a cotangent for every primal, and the auxiliary
    output: of (x³y, y²) and the auxiliary 7x at (1, 3), for the cotangents (2, 5)."""

    def program(x, y):
        return (two_outputs(x, y), 7 * x)

    outputs, pullback, auxiliary = ad.vjp(program, ad.array(1.0), ad.array(3.0), has_aux=True)
    close((outputs, auxiliary), ((3.0, 9.0), 7.0))
    close(pullback((ad.array(2.0), ad.array(5.0))), (18.0, 32.0))


@behaviour(
    MUST,
    jax("jax.jvp"),
    torch_func("torch.func.jvp"),
    cases={"plain": ((2.0, 5.0), (23.0, 30.0)), "unit": ((1.0, 0.0), (9.0, 0.0))},
)
def jvp_has_an_output_and_a_tangent_for_each(ad, tangents, expected):
    """jvp returns every output, and a tangent for every output: of (x³y, y²) at (1, 3), for the tangents (2, 5) and (1,
    0)."""
    given = ad.array(tangents[0]), ad.array(tangents[1])
    close(ad.jvp(two_outputs, (ad.array(1.0), ad.array(3.0)), given), ((3.0, 9.0), expected))


@behaviour(MUST, jax("jax.jvp"), torch_func("torch.func.jvp"))
def jvp_with_auxiliary_output_has_a_tangent_for_each(ad):
    """With `has_aux`, jvp returns every output, a tangent for every output, and the auxiliary output: of (x³y, y²) and
    the auxiliary 7x at (1, 3), for the tangents (2, 5)."""
    primals, tangents = (ad.array(1.0), ad.array(3.0)), (ad.array(2.0), ad.array(5.0))
    found = ad.jvp(lambda x, y: (two_outputs(x, y), 7 * x), primals, tangents, has_aux=True)
    close(found, ((3.0, 9.0), (23.0, 30.0), 7.0))


@behaviour(
    MUST,
    value_first=jax("jax.value_and_grad"),
    gradient_first=torch_func("torch.func.grad_and_value"),
    cases={
        "with_auxiliary_output": (_of_both, ((9.0, 7.0), (6.0, 27.0)), ((6.0, 27.0), (9.0, 7.0))),
        "in_the_second_call": (
            _again,
            ((8.0, (16.0, 12.0)), (9.0, (6.0, 27.0))),
            (((16.0, 12.0), 8.0), ((6.0, 27.0), 9.0)),
        ),
    },
)
def value_and_gradients_by_several_arguments(ad, both, value_first, gradient_first):
    """value_and_grad (grad_and_value) gives the value and the gradients by the chosen arguments, in each call; with
    `has_aux`, value and auxiliary output are a pair. JAX has the value first, PyTorch the gradients."""
    return one_of(both(ad, ad.array(1.0), ad.array(3.0)), value_first=value_first, gradient_first=gradient_first)


@behaviour(
    MUST,
    value_first=(jax("jax.value_and_grad"), jax("thinking_in_jax", DERIVATIVES)),
    gradient_first=(torch_func("torch.func.grad_and_value"), torch_func("func.whirlwind_tour")),
)
def value_and_gradient_are_both_differentiated(ad):
    """Both the value and the gradient that value_and_grad (grad_and_value) gives can be differentiated: of x³ at 3 the
    derivatives are 27 and 18. JAX has the value first, PyTorch the gradient."""
    both = ad.value_and_grad(lambda x: x**3)
    x = ad.array(3.0)
    found = ad.grad(lambda x: both(x)[0])(x), ad.grad(lambda x: both(x)[1])(x)
    return one_of(found, value_first=(27.0, 18.0), gradient_first=(18.0, 27.0))


@behaviour(
    MUST,
    jax("jax.vjp"),
    jax("jax.jvp"),
    jax("jax.linearize"),
    torch_func("torch.func.vjp"),
    torch_func("torch.func.jvp"),
    torch_func("torch.func.linearize"),
    cases={
        "vjp": (lambda ad, x, y: ad.vjp(cubic, x, y)[0],),
        "jvp": (lambda ad, x, y: ad.jvp(cubic, (x, y), (x, y))[0],),
        "linearize": (lambda ad, x, y: ad.linearize(cubic, x, y)[0],),
    },
)
def a_transform_takes_a_function_again(ad, value):
    """vjp, jvp and linearize return the output of the function at the primals, also when they are called again with the
    same function: x³y² at (1, 3), at (2, 1), and at (1, 3) in float32."""
    close(value(ad, ad.array(1.0), ad.array(3.0)), 9.0)
    close(value(ad, ad.array(2.0), ad.array(1.0)), 8.0)
    close(value(ad, ad.array(1.0, "float32"), ad.array(3.0, "float32")), 9.0, dtype="float32")


@behaviour(MAY, jax("autodiff_cookbook", "JVPs in JAX code"))
def each_tangent_has_the_dtype_of_its_output(ad):
    """The tangents that jvp returns for a float32 and a float64 output are float32 and float64, as the outputs are."""
    x, y = ad.array(3.0, "float32"), ad.array(5.0)
    (first, second), (single, double) = ad.jvp(lambda x, y: (x * x, y * y), (x, y), (x / x, y / y))
    close((first, single), (9.0, 6.0), dtype="float32")
    close((second, double), (25.0, 10.0))


@behaviour(MUST, jax("jax.value_and_grad"))
def value_and_gradient_are_in_single_precision(ad):
    """The value and the gradient that value_and_grad gives of x³ for a float32 array are float32: their sum is 20 at 2,
    and both are 27 at 3."""
    both = ad.value_and_grad(lambda x: x**3)
    first, second = both(ad.array(2.0, "float32"))
    close(first + second, 20.0, dtype="float32")
    close(both(ad.array(3.0, "float32")), (27.0, 27.0), dtype="float32")


@behaviour(
    MUST,
    torch_func("torch.func.jacrev"),
    cases={"by_one": (1,), "by_two": (2,)},
)
def a_jacobian_in_chunks_has_argnums_and_auxiliary_output(ad, size):
    """With `chunk_size`, jacrev with `argnums` and `has_aux` still gives the Jacobians by the chosen arguments, and the
    auxiliary output: of (x₀y, x₁y, 2x₀) at x = (2, 3) and y = 5, in chunks of one and of two rows."""

    def program(x, y):
        return (ad.np.stack([x[0] * y, x[1] * y, 2 * x[0]]), 7 * y)

    jacobian = ad.jacobian(program, argnums=(1, 0), has_aux=True, chunk_size=size)
    by_y, by_x = [2.0, 3.0, 0.0], [[5.0, 0.0], [0.0, 5.0], [2.0, 0.0]]
    close(jacobian(ad.array([2.0, 3.0]), ad.array(5.0)), ((by_y, by_x), 35.0))


@behaviour(MUST, jax("jax.jacfwd"), torch_func("torch.func.jacfwd"))
def auxiliary_output_keeps_its_dtype_beside_a_jacobian(ad):
    """With `has_aux`, jacfwd returns an auxiliary array with the dtype with which the function returns it: float64
    beside the Jacobian by a float32 array."""
    x, other = ad.array(3.0, "float32"), ad.array(5.0)
    jacobian, auxiliary = ad.jacfwd(lambda x: (x * x, 7 * other), has_aux=True)(x)
    close((ad.cast(jacobian, "float64"), auxiliary), (6.0, 35.0))
