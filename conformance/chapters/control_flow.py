"""Control flow: branches and loops of Python, and those that are operations of the engine."""

from conformance.behaviour import MUST, behaviour, jax, jax_jit, torch
from conformance.expect import an_error, close, one_of, raises

GRAPH = "How autograd encodes the history"
UNKNOWN = "Reverse-mode differentiation does not work"
BOOL = "jax.errors.TracerBoolConversionError"
SUMMARY = "Summary"


def _slope(ad, program, value):
    return ad.grad(program)(ad.array(value))


def _tangent(ad, program, value):
    return ad.jvp(program, (ad.array(value),), (ad.array(1.0),))[1]


MODES = {"reverse": (_slope,), "forward": (_tangent,)}


def squared_until_ten(x):
    while x < 10:
        x = x * x
    return x


@behaviour(
    MUST,
    followed=(jax("control-flow"), torch("notes/autograd", GRAPH)),
    raises=jax_jit("errors", BOOL, raises=BOOL, says="boolean conversion"),
    cases=MODES,
)
def a_loop_until_a_value_is_followed(ad, derivative):
    """A Python loop that a value ends is differentiated as it ran, here as x^4 at 2; compiled, it is refused."""
    return one_of(lambda: derivative(ad, squared_until_ten, 2.0), followed=32.0, raises=an_error)


@behaviour(
    MUST,
    jax("control-flow"),
    cases={
        "first_reverse": (_slope, 1.0, 2.0),
        "first_forward": (_tangent, 1.0, 2.0),
        "second_reverse": (_slope, 5.0, 3.0),
        "second_forward": (_tangent, 5.0, 3.0),
    },
)
def a_conditional_differentiates_the_branch_taken(ad, derivative, value, expected):
    """A conditional that is an operation has the derivative of the branch it took: x^2 below two, else 3 x."""

    def program(x):
        return ad.cond(x < 2, lambda x: x * x, lambda x: 3 * x, x)

    close(derivative(ad, program, value), expected)


@behaviour(MUST, jax("jax.lax.cond"))
def the_branch_not_taken_leaves_no_nan(ad):
    """The branch not taken leaves no NaN in the gradient: it is 5 at 0, where x log x would make it NaN."""
    gradient = ad.grad(lambda x: ad.cond(x > 0, lambda x: x * ad.np.log(x), lambda x: 5 * x, x))
    close(gradient(ad.array(0.0)), 5.0)


@behaviour(MUST, jax("control-flow"))
def branches_pass_gradients_to_what_they_captured(ad):
    """A value that a branch uses, and is not given, receives its gradient: d(a x)/da is x."""
    x = ad.array(2.0)
    gradient = ad.grad(lambda a: ad.cond(x > 0, lambda y: a * y, lambda y: 7 * a * y, x))
    close(gradient(ad.array(5.0)), 2.0)


@behaviour(MUST, jax("jax.lax.switch"), cases={"within": (1, 12.0), "beyond": (9, 32.0)})
def a_choice_differentiates_the_branch_chosen(ad, index, expected):
    """A choice has the derivative of the program chosen, and of the last for an index beyond: x^2, x^3 or x^4."""
    powers = [lambda x: x**2, lambda x: x**3, lambda x: x**4]
    gradient = ad.grad(lambda x: ad.switch(ad.array(index), powers, x))
    close(gradient(ad.array(2.0)), expected)


@behaviour(MUST, jax("control-flow", SUMMARY), cases=MODES)
def a_scan_is_differentiated(ad, derivative):
    """A scan has a derivative in either mode: one, multiplied by w three times, has the slope 3 w^2."""

    def program(w):
        return ad.scan(lambda carry, x: (carry * w * x, None), ad.array(1.0), ad.array([1.0, 1.0, 1.0]))[0]

    close(derivative(ad, program, 2.0), 12.0)


@behaviour(MUST, jax("jax.lax.scan"))
def each_step_of_a_scan_receives_its_cotangent(ad):
    """What a step puts out sends its cotangent to the input of this step and of those before: a running sum."""

    def running_sum(xs):
        return ad.scan(lambda carry, x: (carry + x, carry + x), ad.array(0.0), xs)[1]

    _, pullback = ad.vjp(running_sum, ad.array([2.0, 3.0, 4.0]))
    close(pullback(ad.array([1.0, 10.0, 100.0])), ([111.0, 110.0, 100.0],))


@behaviour(MUST, jax("jax.lax.scan", raises=TypeError, says="equal types"))
def a_carry_keeps_its_type(ad):
    """A scan whose step returns a carry of another dtype is refused under a gradient."""

    def program(x):
        return ad.scan(lambda carry, step: (ad.cast(carry, "int32"), None), x, ad.array([1.0, 1.0]))[0]

    raises(lambda: ad.grad(program)(ad.array(3.0)))


def _squared_until_ten(ad):
    return lambda x: ad.while_loop(lambda x: x < 10, lambda x: x * x, x)


@behaviour(MUST, jax("control-flow", SUMMARY))
def a_while_loop_is_pushed_forward(ad):
    """A while loop that is an operation has a forward mode: 2 squared twice, x^4, has the tangent 4 * 2^3."""
    close(_tangent(ad, _squared_until_ten(ad), 2.0), 32.0)


@behaviour(MUST, jax("jax.lax.while_loop", raises=ValueError, says=UNKNOWN))
def a_while_loop_has_no_reverse_mode(ad):
    """A while loop that is an operation is refused in reverse mode: nobody knows how many values to keep."""
    raises(lambda: _slope(ad, _squared_until_ten(ad), 2.0))


def _power(ad, count):
    """One, multiplied by x `count` times."""
    return lambda x: ad.fori_loop(0, count, lambda i, carry: carry * x, ad.array(1.0))


@behaviour(MUST, jax("jax.lax.fori_loop"))
def a_counted_loop_is_differentiated(ad):
    """A loop counted to a number known beforehand has reverse mode: x^3 at 2."""
    close(_slope(ad, _power(ad, 3), 2.0), 12.0)


@behaviour(MUST, jax("jax.lax.fori_loop", raises=ValueError, says=UNKNOWN))
def a_loop_of_unknown_length_has_no_reverse_mode(ad):
    """A loop counted to a number that is an argument of a compiled program is refused in reverse mode."""
    gradient = ad.jit(lambda count, x: ad.grad(_power(ad, count))(x))
    raises(lambda: gradient(ad.array(3), ad.array(2.0)))


@behaviour(MUST, jax("control-flow", SUMMARY))
def a_loop_of_unknown_length_is_pushed_forward(ad):
    """A loop counted to a number that is an argument of a compiled program has forward mode: x^3 at 2."""
    tangent = ad.jit(lambda count, x: ad.jvp(_power(ad, count), (x,), (ad.array(1.0),))[1])
    close(tangent(ad.array(3), ad.array(2.0)), 12.0)


def polynomial(x):
    h = 0 * x
    for _ in range(3):
        h = h * x + 1
    return h


@behaviour(MUST, jax("jax.lax.scan"))
def a_scan_equals_the_loop(ad):
    """A scan has the derivative of the loop written out: of x^2 + x + 1, by Horner's rule."""

    def scanned(x):
        return ad.scan(lambda h, one: (h * x + one, None), 0 * x, ad.array([1.0, 1.0, 1.0]))[0]

    close(_slope(ad, polynomial, 2.0), 5.0)
    close(_slope(ad, scanned, 2.0), 5.0)
