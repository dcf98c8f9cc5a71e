"""Edges: infinite arguments, large ones, and operations that nobody differentiated."""

from conformance.behaviour import MUST, behaviour, jax, torch
from conformance.expect import close, raises

KINKS = "Gradients for non-differentiable functions"


@behaviour(MUST, torch("notes/autograd", KINKS))
def an_infinite_term_leaves_finite_gradients(ad):
    """The logarithm of a sum of exponentials has finite gradients although one exponent is minus infinity."""
    close(ad.grad(ad.np.logsumexp)(ad.array([float("-inf"), 0.0, 0.0])), [0.0, 0.5, 0.5])


@behaviour(MUST, torch("torch.nn.functional.log_softmax"))
def log_softmax_is_stable(ad):
    """The logarithm of a softmax, as one function, has finite gradients where the softmax is rounded to zero."""
    close(ad.grad(lambda x: ad.np.log_softmax(x)[0])(ad.array([0.0, 1000.0])), [1.0, -1.0])


@behaviour(
    MUST,
    torch("torch.special.gammainc", raises=RuntimeError, says="is not implemented"),
    jax("jax-primitives", raises=NotImplementedError, says="Differentiation rule"),
)
def an_operation_without_derivative_is_refused(ad):
    """The gradient of an operation whose derivative nobody wrote is refused, and not taken for zero."""
    gradient = ad.grad(ad.np.underived)
    raises(lambda: gradient(ad.array(2.0)))


@behaviour(MUST, torch("notes/autograd", KINKS), jax("jax.grad"))
def a_softmax_of_large_values_is_finite(ad):
    """A softmax has its gradient where the exponentials of its arguments overflow: 1/4 and -1/4 for equal ones."""
    close(ad.grad(lambda x: ad.np.softmax(x)[0])(ad.array([1000.0, 1000.0])), [0.25, -0.25])


@behaviour(MUST, torch("notes/autograd", KINKS), jax("changelog", "jax 0.1.64"))
def equal_arguments_of_logaddexp_share_evenly(ad):
    """The logarithm of a sum of two equal exponentials has the slope one half in each exponent."""
    gradients = ad.grad(ad.np.logaddexp, argnums=(0, 1))
    close(gradients(ad.array(1.0), ad.array(1.0)), (0.5, 0.5))
