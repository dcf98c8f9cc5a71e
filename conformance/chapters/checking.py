"""Checking: derivatives compared with finite differences, by the engine's own tools."""

from conformance.behaviour import MUST, behaviour, document, hips, jax, torch
from conformance.expect import equal, raises

FIRST = "torch.autograd.gradcheck.gradcheck"
SECOND = "torch.autograd.gradcheck.gradgradcheck"
MISMATCH = "GradcheckError"
PROJECTION = "cotangent projection"


@behaviour(
    MUST, torch(FIRST), jax("jax.test_util.check_grads"), document("004"), hips("updateguide", "Gradient checking")
)
def a_right_gradient_passes_the_check(ad):
    """The check of first derivatives accepts a right one."""
    equal(ad.check_gradients(lambda x: x**3, ad.array([1.0, 2.0])), True)


@behaviour(
    MUST,
    torch(FIRST, raises=MISMATCH, says="Jacobian mismatch"),
    jax("jax.test_util.check_grads", raises=AssertionError, says=PROJECTION),
    document("004"),
    hips("updateguide", "Gradient checking", raises=AssertionError),
)
def a_wrong_gradient_fails_the_check(ad):
    """The check of first derivatives refuses a rule that is wrong."""
    square = ad.custom_vjp(lambda x: (x * x, (x,)), lambda saved, g: (3 * saved[0] * g,))
    raises(lambda: ad.check_gradients(square, ad.array(1.0)))


@behaviour(
    MUST, torch(SECOND), jax("jax.test_util.check_grads"), document("004"), hips("updateguide", "Gradient checking")
)
def a_right_second_derivative_passes_the_check(ad):
    """The check of second derivatives accepts a right one."""
    equal(ad.check_gradients(lambda x: x**3, ad.array([1.0, 2.0]), order=2), True)


@behaviour(
    MUST,
    torch(SECOND, raises=MISMATCH, says="Jacobian mismatch"),
    jax("jax.test_util.check_grads", raises=AssertionError, says=PROJECTION),
    document("004"),
)
def a_wrong_second_derivative_fails_the_check(ad):
    """The check of second derivatives refuses a rule that is right, but cannot itself be differentiated rightly."""
    square = ad.custom_vjp(lambda x: (x * x, (x,)), lambda saved, g: (2 * ad.detach(saved[0]) * g,))
    raises(lambda: ad.check_gradients(square, ad.array(1.0), order=2))


def _square(x):
    return x * x


def _square_and_cube(x):
    return x * x, x * x * x


@behaviour(MUST, torch(FIRST), cases={"one_output": (_square,), "two_outputs": (_square_and_cube,)})
def a_passed_check_returns_true(ad, program):
    """The check of a right gradient returns True, of one array given bare and of a program with one output or two."""
    equal(ad.gradcheck(program, ad.leaf([1.0, 2.0])), True)


def _square_with_a_wrong_rule(ad):
    return ad.custom_vjp(lambda x: (x * x, (x,)), lambda saved, g: (3 * saved[0] * g,))


@behaviour(MUST, torch(FIRST))
def a_failed_check_can_return_false(ad):
    """Told not to raise, the check of a wrong gradient returns False."""
    equal(ad.gradcheck(_square_with_a_wrong_rule(ad), ad.leaf(1.0), raises=False), False)


@behaviour(MUST, torch(FIRST, raises=ValueError, says="require gradient"))
def a_check_needs_a_tracked_input(ad):
    """A check of inputs of which none requires grad is refused."""
    raises(lambda: ad.gradcheck(_square, ad.array([1.0, 2.0])))


@behaviour(
    MUST,
    torch(FIRST, raises=AssertionError),
    cases={
        "none": (False, False, False, False),
        "batched_reverse": (True, False, True, False),
        "batched_forward": (False, True, False, True),
    },
)
def a_check_needs_a_mode(ad, forward, reverse, batched, batched_forward):
    """A check of neither mode is refused, and so is a check of batched gradients in a mode that is not checked."""
    modes = {"forward": forward, "reverse": reverse, "batched": batched, "batched_forward": batched_forward}
    raises(lambda: ad.gradcheck(_square, ad.leaf([1.0, 2.0]), **modes))


def _squared(ad, z):
    return z * z


def _absolute_square(ad, z):
    return ad.np.abs(z) ** 2


def _turned(ad, z):
    return ad.np.exp(1j * z)


@behaviour(
    MUST,
    torch("notes/gradcheck"),
    torch(FIRST),
    cases={
        "complex_to_complex": (_squared, 1 + 2j),
        "complex_to_real": (_absolute_square, 1 + 2j),
        "real_to_complex": (_turned, 2.0),
    },
)
def complex_programs_can_be_checked(ad, program, point):
    """The check accepts the right gradients of programs with complex inputs, complex outputs, or both."""
    equal(ad.check_gradients(lambda z: program(ad, z), ad.array(point)), True)
