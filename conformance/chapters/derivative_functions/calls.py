"""Derivative functions, calls: called again, in single precision, with argnums and has_aux, and inside of others."""

from conformance.behaviour import MAY, MUST, behaviour, jax, torch_func
from conformance.expect import close

DERIVATIVES = "Taking derivatives with jax.grad"
STARTING = "Starting with grad"
JVPS = "JVPs in JAX code"
VJPS = "VJPs in JAX code"


def cubic(x, y):
    return x**3 * y**2


def two_outputs(x, y):
    return x**3 * y, y**2


def _gradient(ad, program):
    return ad.grad(program, argnums=(0, 1))


def _jacobian(ad, program):
    return ad.jacobian(program, argnums=(0, 1))


def _forward_jacobian(ad, program):
    return ad.jacfwd(program, argnums=(0, 1))


def _hessian(ad, program):
    return ad.hessian(program, argnums=(0, 1))


def _pulled_back(ad, program):
    return lambda x, y: ad.vjp(program, x, y)[1](x / x)


def _pushed_forward(ad, program):
    return lambda x, y: ad.jvp(program, (x, y), (x / x, y - y))


def _linearized(ad, program):
    return lambda x, y: ad.linearize(program, x, y)[1](x / x, y - y)


@behaviour(
    MUST,
    jax("jax.grad"),
    jax("jax.jacrev"),
    jax("jax.jacfwd"),
    jax("jax.hessian"),
    torch_func("torch.func.grad"),
    torch_func("torch.func.jacrev"),
    torch_func("torch.func.jacfwd"),
    torch_func("torch.func.hessian"),
    cases={
        "grad": (_gradient, (27.0, 6.0), (12.0, 16.0)),
        "jacobian": (_jacobian, (27.0, 6.0), (12.0, 16.0)),
        "forward_jacobian": (_forward_jacobian, (27.0, 6.0), (12.0, 16.0)),
        "hessian": (_hessian, ((54.0, 18.0), (18.0, 2.0)), ((12.0, 24.0), (24.0, 16.0))),
    },
)
def a_derivative_function_can_be_called_again(ad, transform, first, second):
    """The function that grad, jacrev, jacfwd or hessian returns can be called again: each call gives the derivatives at
    the arguments of that call, of x³y² at (1, 3) and then at (2, 1)."""
    derivative = transform(ad, cubic)
    x, y = ad.array(1.0), ad.array(3.0)
    close(derivative(x, y), first)
    close(derivative(x + 1, y - 2), second)


@behaviour(
    MUST,
    jax("jax.grad"),
    jax("jax.jacrev"),
    jax("jax.jacfwd"),
    torch_func("torch.func.grad"),
    torch_func("torch.func.jacrev"),
    torch_func("torch.func.jacfwd"),
    cases={
        "grad": (lambda ad, f: ad.grad(f, argnums=(1, 0), has_aux=True), ((6.0, 27.0), 7.0)),
        "jacobian": (lambda ad, f: ad.jacobian(f, argnums=(1, 0), has_aux=True), ((6.0, 27.0), 7.0)),
        "forward_jacobian": (lambda ad, f: ad.jacfwd(f, argnums=(1, 0), has_aux=True), ((6.0, 27.0), 7.0)),
    },
)
def argnums_and_has_aux_go_together(ad, transform, expected):
    """With both `argnums` and `has_aux`, the function that grad, jacrev or jacfwd returns gives a pair: the derivatives
    by the chosen arguments, and the auxiliary output."""
    derivative = transform(ad, lambda x, y: (cubic(x, y), 7 * x))
    close(derivative(ad.array(1.0), ad.array(3.0)), expected)


@behaviour(
    MAY,
    jax("jax.hessian"),
    jax("jax.linearize"),
    jax("autodiff_cookbook", JVPS),
    jax("autodiff_cookbook", VJPS),
    jax("thinking_in_jax", DERIVATIVES),
    torch_func("torch.func.jacrev"),
    torch_func("torch.func.jacfwd"),
    torch_func("torch.func.hessian"),
    torch_func("torch.func.vjp"),
    torch_func("torch.func.jvp"),
    torch_func("torch.func.linearize"),
    cases={
        "jacobian": (_jacobian, (27.0, 6.0)),
        "forward_jacobian": (_forward_jacobian, (27.0, 6.0)),
        "hessian": (_hessian, ((54.0, 18.0), (18.0, 2.0))),
        "vjp": (_pulled_back, (27.0, 6.0)),
        "jvp": (_pushed_forward, (9.0, 27.0)),
        "linearize": (_linearized, 27.0),
    },
)
def single_precision_has_derivatives(ad, transform, expected):
    """The derivatives that jacrev, jacfwd, hessian, vjp, jvp and linearize give of a function of float32 arrays whose
    output is float32 too are float32 arrays."""
    derivative = transform(ad, cubic)
    close(derivative(ad.array(1.0, "float32"), ad.array(3.0, "float32")), expected, dtype="float32")


@behaviour(
    MUST,
    jax("jax.grad"),
    cases={
        "grad": (lambda ad, f, x, y: ad.grad(f, argnums=(0, 1))(x, y),),
        "one_by_one": (lambda ad, f, x, y: (ad.grad(f, 0)(x, y), ad.grad(f, 1)(x, y)),),
    },
)
def each_gradient_has_the_dtype_of_its_argument(ad, gradients):
    """The gradients by a float32 and by a float64 argument are float32 and float64, whether `argnums` names both or
    one."""
    single, double = gradients(ad, cubic, ad.array(1.0, "float32"), ad.array(3.0, "float64"))
    close(single, 27.0, dtype="float32")
    close(double, 6.0)


@behaviour(
    MAY,
    jax("autodiff_cookbook", VJPS),
    jax("thinking_in_jax", DERIVATIVES),
    cases={
        "vjp": (lambda ad, f, x, y: ad.vjp(f, x, y)[1](y / y),),
        "jacobian": (lambda ad, f, x, y: ad.jacobian(f, argnums=(0, 1))(x, y),),
    },
)
def each_cotangent_has_the_dtype_of_its_primal(ad, derivative):
    """The cotangents that vjp gives for a float32 and a float64 primal are float32 and float64, and so are the
    reverse-mode Jacobians by these arguments."""
    single, double = derivative(ad, cubic, ad.array(1.0, "float32"), ad.array(3.0, "float64"))
    close(single, 27.0, dtype="float32")
    close(double, 6.0)


@behaviour(
    MUST,
    jax("thinking_in_jax", DERIVATIVES),
    jax("autodiff_cookbook", STARTING),
    torch_func("func.whirlwind_tour"),
    cases={
        "grad": (lambda ad, x, y: _gradient(ad, cubic)(x, y), (144.0, 28.0)),
        "jacobian": (lambda ad, x, y: _jacobian(ad, cubic)(x, y), (144.0, 28.0)),
        "forward_jacobian": (lambda ad, x, y: _forward_jacobian(ad, cubic)(x, y), (144.0, 28.0)),
        "hessian": (lambda ad, x, y: _hessian(ad, cubic)(x, y)[0], (234.0, 66.0)),
        "vjp": (lambda ad, x, y: ad.vjp(cubic, x, y)[1](ad.array(1.0)), (144.0, 28.0)),
        "value_of_vjp": (lambda ad, x, y: ad.vjp(two_outputs, x, y)[0], (9.0, 31.0)),
        "jvp": (lambda ad, x, y: ad.jvp(cubic, (x, y), (ad.array(1.0), ad.array(2.0))), (477.0, 116.0)),
    },
)
def a_derivative_is_differentiated(ad, pair, expected):
    """The results of grad, jacrev, jacfwd, hessian, vjp and jvp can be differentiated in turn: here the sum of the
    first and five times the second of two results, at (1, 3)."""
    gradient = ad.grad(lambda x, y: pair(ad, x, y)[0] + 5 * pair(ad, x, y)[1], argnums=(0, 1))
    close(gradient(ad.array(1.0), ad.array(3.0)), expected)


@behaviour(MUST, jax("thinking_in_jax", DERIVATIVES))
def linearize_is_differentiated(ad):
    """The outputs of linearize, and the tangents that its function returns, can be differentiated by the primals: of
    (x³y, y²) at (1, 3), with the tangents 1 and 2, the sum of the first and five times the second."""

    def found(x, y):
        return ad.linearize(two_outputs, x, y)

    tangents = ad.array(1.0), ad.array(2.0)
    value = ad.grad(lambda x, y: found(x, y)[0][0] + 5 * found(x, y)[0][1], argnums=(0, 1))
    tangent = ad.grad(lambda x, y: found(x, y)[1](*tangents)[0] + 5 * found(x, y)[1](*tangents)[1], argnums=(0, 1))
    close(value(ad.array(1.0), ad.array(3.0)), (9.0, 31.0))
    close(tangent(ad.array(1.0), ad.array(3.0)), (24.0, 23.0))
