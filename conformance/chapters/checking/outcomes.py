"""Checking: gradcheck and check_grads, which compare derivatives with finite differences."""

from conformance.behaviour import MAY, MUST, behaviour, hips, jax, torch
from conformance.expect import equal, raises

FIRST = "torch.autograd.gradcheck.gradcheck"
SECOND = "torch.autograd.gradcheck.gradgradcheck"
ERROR = "torch.autograd.gradcheck.GradcheckError"
MISMATCH = "GradcheckError"
IN_JAX = "jax.test_util.check_grads"


@behaviour(
    MUST,
    torch(FIRST),
    jax(IN_JAX),
    hips("updateguide", "Gradient checking"),
    aliases=("gradcheck", "check_grads", "numerical gradient", "finite differences"),
)
def a_correct_gradient_passes_gradcheck(ad):
    """The gradient check (gradcheck, check_grads) passes for a correct gradient in double precision, here of x³."""
    equal(ad.check_gradients(lambda x: x**3, ad.array([1.0, 2.0])), True)


@behaviour(
    MUST,
    torch(FIRST, raises=MISMATCH),
    torch(ERROR, raises=MISMATCH),
    jax(IN_JAX, raises=AssertionError),
    cases={"real": (1.0,), "complex": (1 + 2j,)},
    aliases=("jacobian mismatch for output 0 with respect to input 0", "gradcheckerror"),
)
def a_wrong_gradient_fails_gradcheck(ad, point):
    """By default, the gradient check (gradcheck, check_grads) raises an error for a wrong custom VJP rule, real and
    complex."""
    square = ad.custom_vjp(lambda x: (x * x, (x,)), lambda saved, g: (3 * saved[0] * g,))
    raises(lambda: ad.check_gradients(square, ad.array(point)))


@behaviour(
    MUST,
    torch(SECOND),
    jax(IN_JAX),
    hips("updateguide", "Gradient checking"),
    aliases=("gradgradcheck",),
)
def a_correct_second_derivative_passes_gradgradcheck(ad):
    """The second-order check (gradgradcheck, check_grads) passes for a correct second derivative in double precision,
    here of x³."""
    equal(ad.check_gradients(lambda x: x**3, ad.array([1.0, 2.0]), order=2), True)


@behaviour(
    MUST,
    torch(SECOND, raises=MISMATCH),
    torch(ERROR, raises=MISMATCH),
    jax(IN_JAX, raises=AssertionError),
)
def a_wrong_second_derivative_fails_gradgradcheck(ad):
    """By default, the second-order check (gradgradcheck, check_grads) raises an error if only the second derivative is
    wrong."""
    square = ad.custom_vjp(lambda x: (x * x, (x,)), lambda saved, g: (2 * ad.detach(saved[0]) * g,))
    raises(lambda: ad.check_gradients(square, ad.array(1.0), order=2))


def _square(x):
    return x * x


def _square_and_cube(x):
    return x * x, x * x * x


@behaviour(MUST, torch(FIRST), cases={"one_output": (_square,), "two_outputs": (_square_and_cube,)})
def gradcheck_returns_true(ad, program):
    """gradcheck returns True for a correct gradient in double precision, of a function with one output and with a
    tuple of outputs."""
    equal(ad.gradcheck(program, ad.leaf([1.0, 2.0])), True)


def _square_with_a_wrong_rule(ad):
    return ad.custom_vjp(lambda x: (x * x, (x,)), lambda saved, g: (3 * saved[0] * g,))


@behaviour(
    MUST,
    torch(FIRST),
    cases={
        "only_input": (lambda wrong, x, y: wrong(x),),
        "second_input": (lambda wrong, x, y: x * wrong(y),),
        "second_output": (lambda wrong, x, y: (x * y, x * wrong(x)),),
        "last_element": (lambda wrong, x, y: x * (y + wrong(y[1])),),
    },
)
def gradcheck_can_return_false(ad, program):
    """gradcheck(raise_exception=False) returns False for a wrong gradient, be it of one input, output or element."""
    wrong, point = _square_with_a_wrong_rule(ad), (ad.leaf([1.0, 2.0]), ad.leaf([3.0, 5.0]))
    equal(ad.gradcheck(lambda x, y: program(wrong, x, y), point, raises=False), False)


@behaviour(
    MAY,
    torch(FIRST, raises=Exception, says="at least one input", unstated="only the message of the error states it"),
    aliases=("none of them have requires_grad=true", "none of the them have requires_grad=true"),
)
def gradcheck_needs_an_input_that_requires_grad(ad):
    """gradcheck raises an error if no input requires grad."""
    raises(lambda: ad.gradcheck(_square, ad.array([1.0, 2.0])))


@behaviour(
    MAY,
    # The space keeps out a TypeError of "unexpected keyword argument 'check_...'".
    torch(FIRST, raises=Exception, says=" check", unstated="only the message of the error states it"),
    cases={
        "none": (False, False, False, False),
        "batched_reverse": (True, False, True, False),
        "batched_forward": (False, True, False, True),
    },
)
def gradcheck_needs_a_mode_to_check(ad, forward, reverse, batched, batched_forward):
    """gradcheck raises an error if both modes are off, or if it checks batched gradients of a mode that is off."""
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
    aliases=("gradcheck complex",),
)
def gradcheck_checks_complex_functions(ad, program, point):
    """gradcheck passes for correct gradients of functions with complex inputs, complex outputs, or both, in double
    precision."""
    equal(ad.check_gradients(lambda z: program(ad, z), ad.array(point)), True)
