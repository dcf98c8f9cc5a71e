"""Checking: derivatives compared with finite differences, by the engine's own tools."""

from conformance.behaviour import MUST, behaviour, document, jax, torch
from conformance.expect import equal, refuses

FIRST = "torch.autograd.gradcheck.gradcheck"
SECOND = "torch.autograd.gradcheck.gradgradcheck"
MISMATCH = "GradcheckError"
PROJECTION = "cotangent projection"


@behaviour(MUST, torch(FIRST), jax("jax.test_util.check_grads"), document("004"))
def a_right_gradient_passes_the_check(ad):
    """The check of first derivatives accepts a right one."""
    equal(ad.check_gradients(lambda x: x**3, ad.array([1.0, 2.0])), True)


@behaviour(
    MUST,
    torch(FIRST, raises=MISMATCH, says="Jacobian mismatch"),
    jax("jax.test_util.check_grads", raises=AssertionError, says=PROJECTION),
    document("004"),
)
def a_wrong_gradient_fails_the_check(ad):
    """The check of first derivatives refuses a rule that is wrong."""
    square = ad.custom_vjp(lambda x: (x * x, (x,)), lambda saved, g: (3 * saved[0] * g,))
    refuses(lambda: ad.check_gradients(square, ad.array(1.0)))


@behaviour(MUST, torch(SECOND), jax("jax.test_util.check_grads"), document("004"))
def a_right_second_derivative_passes_the_check(ad):
    """The check of second derivatives accepts a right one."""
    equal(ad.check_second_gradients(lambda x: x**3, ad.array([1.0, 2.0])), True)


@behaviour(
    MUST,
    torch(SECOND, raises=MISMATCH, says="Jacobian mismatch"),
    jax("jax.test_util.check_grads", raises=AssertionError, says=PROJECTION),
    document("004"),
)
def a_wrong_second_derivative_fails_the_check(ad):
    """The check of second derivatives refuses a rule that is right, but cannot itself be differentiated rightly."""
    square = ad.custom_vjp(lambda x: (x * x, (x,)), lambda saved, g: (2 * ad.detach(saved[0]) * g,))
    refuses(lambda: ad.check_second_gradients(square, ad.array(1.0)))
