"""Edges: gradients at infinite and very large inputs, and of operations that have no derivative."""

from conformance.behaviour import MUST, behaviour, jax, torch
from conformance.expect import close, raises

KINKS = "Gradients for non-differentiable functions"
RELEASE = "releases/2.14"
LOG_3 = 1.0986122886681098
SHARED_ONE_TO_THREE = [[0.1875, -0.1875], [-0.1875, 0.1875]]


BOTH_MODES = {"reverse": (lambda ad, f: ad.grad(f),), "forward": (lambda ad, f: ad.jacfwd(f),)}


@behaviour(MUST, torch("notes/autograd", KINKS), cases=BOTH_MODES, aliases=("logsumexp -inf nan gradient",))
def logsumexp_of_an_infinite_input_has_finite_gradients(ad, derivative):
    """The gradient of logsumexp is finite if some inputs are -inf and the others finite: (1/2, 0, 1/2) at (0, -inf,
    0)."""
    gradient = derivative(ad, lambda x: 3 * ad.np.logsumexp(x))
    close(gradient(ad.array([0.0, float("-inf"), 0.0])), [1.5, 0.0, 1.5])


@behaviour(MUST, torch("torch.nn.functional.log_softmax"), cases=BOTH_MODES)
def log_softmax_has_stable_gradients(ad, derivative):
    """The gradient of log_softmax is right where softmax underflows to 0: that of its first output at (0, 1000) is (1,
    -1)."""
    gradient = derivative(ad, lambda x: 3 * ad.np.log_softmax(x)[0])
    close(gradient(ad.array([0.0, 1000.0])), [3.0, -3.0])


@behaviour(
    MUST,
    torch("torch.special.gammainc", raises=Exception, says="derivative for"),
    jax("jax-primitives", "Forward differentiation", raises=Exception, says="Differentiation rule"),
    jax("jax-primitives", "Reverse differentiation"),
    aliases=("derivative for is not implemented", "differentiation rule not implemented"),
)
def an_operation_without_derivative_raises(ad):
    """The gradient of an operation without a derivative (torch.special.gammainc with respect to its first argument, a
    JAX primitive without a JVP rule) raises an error, instead of being zero."""
    gradient = ad.grad(ad.np.underived)
    raises(lambda: gradient(ad.array(2.0)))


@behaviour(
    MUST,
    torch("notes/autograd", KINKS),
    jax("jax.grad"),
    jax("jax.jacfwd"),
    cases=BOTH_MODES,
    aliases=("softmax overflow",),
)
def softmax_of_large_values_has_finite_gradients(ad, derivative):
    """The gradient of softmax is right where exp overflows: that of its first output at (1000, 1000) is (1/4, -1/4)."""
    gradient = derivative(ad, lambda x: 3 * ad.np.softmax(x)[0])
    close(gradient(ad.array([1000.0, 1000.0])), [0.75, -0.75])


@behaviour(MUST, torch("notes/autograd", KINKS), jax("jax.grad"), jax("jax.jacfwd"), cases=BOTH_MODES)
def logaddexp_of_equal_arguments_splits_its_gradient(ad, derivative):
    """The gradient of logaddexp is 1/2 for each of two equal finite arguments."""
    gradient = derivative(ad, lambda x: 3 * ad.np.logaddexp(x[0], x[1]))
    close(gradient(ad.array([1.0, 1.0])), [1.5, 1.5])


@behaviour(
    MUST,
    torch("notes/autograd", KINKS),
    cases={
        "logsumexp_with_minus_infinity": (
            lambda ad, x: ad.np.logsumexp(x),
            [0.0, float("-inf"), LOG_3],
            [[0.1875, 0.0, -0.1875], [0.0, 0.0, 0.0], [-0.1875, 0.0, 0.1875]],
        ),
        "logsumexp_of_large_values": (
            lambda ad, x: ad.np.logsumexp(x),
            [1000.0, 1000.0 + LOG_3],
            SHARED_ONE_TO_THREE,
        ),
        "logaddexp": (lambda ad, x: ad.np.logaddexp(x[0], x[1]), [1.0, 1.0 + LOG_3], SHARED_ONE_TO_THREE),
    },
)
def logsumexp_has_finite_second_derivatives(ad, function, at, hessian):
    """The Hessian of logsumexp, where p is the softmax of its input, is diag(p) - p pᵀ: also where some inputs
    are -inf and others finite, where exp overflows, and for logaddexp of finite numbers."""
    close(ad.hessian(lambda x: function(ad, x))(ad.array(at)), hessian)


@behaviour(
    MUST,
    torch("notes/autograd", KINKS),
    torch(RELEASE, "Autograd", since="2.14"),
    jax("jax.grad"),
    jax("jax.jacfwd"),
    cases={
        "true_reverse": (True, 6.0, lambda ad, f: ad.grad(f)),
        "true_forward": (True, 6.0, lambda ad, f: ad.jacfwd(f)),
        "false_reverse": (False, 5.0, lambda ad, f: ad.grad(f)),
        "false_forward": (False, 5.0, lambda ad, f: ad.jacfwd(f)),
    },
    aliases=("torch.pow boolean base",),
)
def a_power_with_a_boolean_base_has_gradient_zero(ad, base, expected, derivative):
    """The derivative by a positive exponent of a power whose base is a Python bool, True for 1 or False for 0, is 0:
    x(5 + power) has the derivative 5 + power."""
    close(derivative(ad, lambda x: x * (5 + ad.np.pow(base, x)))(ad.array(3.0)), expected)
