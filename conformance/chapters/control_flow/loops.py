"""Control flow, loops: scan, while_loop and fori_loop, loops as an operation."""

from conformance.behaviour import MUST, SHOULD, behaviour, jax
from conformance.expect import close, raises

UNKNOWN = "Reverse-mode differentiation does not work"
STRUCTURED = "Structured control flow primitives"


def _slope(ad, program, value):
    return ad.grad(program)(ad.array(value))


def _tangent(ad, program, value):
    return ad.jvp(program, (ad.array(value),), (ad.array(1.0),))[1]


MODES = {"reverse": (_slope,), "forward": (_tangent,)}


@behaviour(MUST, jax("control-flow", STRUCTURED), cases=MODES)
def scan_is_differentiable(ad, derivative):
    """scan is differentiable in forward and reverse mode: the carry 10w³, a product of w, 2w and 5w, has the derivative
    30w²."""

    def program(w):
        return ad.scan(lambda carry, x: (carry * w * x, None), ad.array(1.0), ad.array([1.0, 2.0, 5.0]))[0]

    close(derivative(ad, program, 2.0), 120.0)


@behaviour(MUST, jax("jax.lax.scan"), jax("jax.vjp"))
def the_vjp_of_a_running_sum_by_scan(ad):
    """The VJP of a cumulative sum by scan gives to each input the sum of the cotangents of its step and the later
    ones."""

    def running_sum(xs):
        return ad.scan(lambda carry, x: (carry + x, carry + x), ad.array(0.0), xs)[1]

    _, pullback = ad.vjp(running_sum, ad.array([2.0, 3.0, 4.0]))
    close(pullback(ad.array([1.0, 10.0, 100.0])), ([111.0, 110.0, 100.0],))


@behaviour(
    SHOULD,
    jax("jax.lax.scan", raises=Exception, says="carry"),
    aliases=("scan body function carry input and carry output must have equal types",),
)
def a_scan_carry_of_another_dtype_raises(ad):
    """Under grad, scan raises an error if its body turns a carry of floating dtype into an integer."""

    def program(x):
        return ad.scan(lambda carry, step: (ad.cast(carry, "int32"), None), x, ad.array([1.0, 1.0]))[0]

    raises(lambda: ad.grad(program)(ad.array(3.0)))


def _squared_until_ten(ad):
    return lambda x: ad.while_loop(lambda x: x < 10, lambda x: x * x, x)


def _forward_jacobian(ad, program, value):
    return ad.jacfwd(program)(ad.array(value))


def _linearized(ad, program, value):
    return ad.linearize(program, ad.array(value))[1](ad.array(1.0))


@behaviour(
    MUST,
    jax("control-flow", STRUCTURED),
    cases={"jvp": (_tangent,), "jacobian": (_forward_jacobian,), "linearized": (_linearized,)},
)
def while_loop_has_forward_mode(ad, derivative):
    """while_loop is differentiable in forward mode: squaring x until it is 10 or more gives x⁴ near 2, with the
    derivative 32 there."""
    close(derivative(ad, _squared_until_ten(ad), 2.0), 32.0)


def _step(carry, x):
    return {"n": carry["n"] + 1, "x": carry["x"] * x, "v": carry["v"] * carry["x"]}


@behaviour(MUST, jax("jax.lax.while_loop"), jax("control-flow", STRUCTURED))
def while_loop_carries_containers(ad):
    """while_loop carries a container, whose entries have tangents: here a product and a vector, beside an integer."""

    def program(x, v):
        initial = {"n": ad.array(0), "x": x, "v": v}
        last = ad.while_loop(lambda c: c["n"] < 2, lambda c: _step(c, x), initial)
        return last["x"], last["v"]

    primals, tangents = (ad.array(2.0), ad.array([3.0, 5.0])), (ad.array(1.0), ad.array([10.0, 100.0]))
    close(ad.jvp(program, primals, tangents), ((8.0, [24.0, 40.0]), (12.0, [116.0, 860.0])))


@behaviour(MUST, jax("jax.lax.while_loop"), jax("control-flow", STRUCTURED))
def the_condition_of_while_loop_has_no_derivative(ad):
    """The condition of while_loop decides how often it runs, and contributes no derivative: the tangent of its
    threshold adds nothing to that of the result. Squaring 2 until it is 10 or more gives 16, and 32
    times the tangent of the 2."""

    def program(threshold, x):
        return ad.while_loop(lambda x: x < threshold, lambda x: x * x, x)

    primals, tangents = (ad.array(10.0), ad.array(2.0)), (ad.array(1000.0), ad.array(3.0))
    close(ad.jvp(program, primals, tangents), (16.0, 96.0))


@behaviour(
    MUST,
    jax("jax.lax.while_loop", raises=Exception, says=UNKNOWN),
    aliases=("while_loop reverse mode", "reverse-mode differentiation does not work for lax.while_loop"),
)
def while_loop_in_reverse_mode_raises(ad):
    """while_loop in reverse mode raises an error, as the memory that it needs has no static bound."""
    raises(lambda: _slope(ad, _squared_until_ten(ad), 2.0))


def _power(ad, count):
    """One, multiplied by x `count` times."""
    return lambda x: ad.fori_loop(0, count, lambda i, carry: carry * x, ad.array(1.0))


@behaviour(
    MUST,
    jax("jax.lax.fori_loop"),
    cases={"python_number": (lambda ad: 3,), "array": (lambda ad: ad.array(3),)},
    aliases=("fori_loop grad",),
)
def fori_loop_with_a_static_count_has_reverse_mode(ad, count):
    """fori_loop with a static trip count is differentiable in reverse mode: x³, as three products, has the gradient
    3x²."""
    close(_slope(ad, _power(ad, count(ad)), 2.0), 12.0)


@behaviour(
    MUST,
    jax("jax.lax.fori_loop"),
    jax("control-flow", STRUCTURED),
    cases={"none": (0, 0), "negative": (0, -2), "above_zero": (3, 3), "backwards": (3, 1)},
)
def fori_loop_of_no_iterations_is_the_identity(ad, lower, upper):
    """fori_loop whose upper bound, known at tracing time, is not above the lower one runs no iteration: it returns its
    initial value, and has the derivative of the identity in both modes."""

    def program(x):
        return ad.fori_loop(lower, upper, lambda i, carry: carry * carry, 5 * x)

    x = ad.array(2.0)
    close((ad.value_and_grad(program)(x), ad.jvp(program, (x,), (ad.array(1.0),))), ((10.0, 5.0), (10.0, 5.0)))


@behaviour(MUST, jax("jax.lax.fori_loop", raises=Exception, says=UNKNOWN))
def fori_loop_with_a_traced_count_in_reverse_mode_raises(ad):
    """Reverse-mode differentiation of fori_loop raises an error if its trip count is traced, as under jit."""
    gradient = ad.jit(lambda count, x: ad.grad(_power(ad, count))(x))
    raises(lambda: gradient(ad.array(3), ad.array(2.0)))


@behaviour(MUST, jax("control-flow", STRUCTURED))
def fori_loop_with_a_traced_count_has_forward_mode(ad):
    """fori_loop with a traced trip count is differentiable in forward mode: x³, as three products, has the derivative
    3x²."""
    tangent = ad.jit(lambda count, x: ad.jvp(_power(ad, count), (x,), (ad.array(1.0),))[1])
    close(tangent(ad.array(3), ad.array(2.0)), 12.0)


def polynomial(x):
    h = 0 * x
    for coefficient in (3.0, 5.0, 7.0):
        h = h * x + coefficient
    return h


@behaviour(MUST, jax("jax.lax.scan"), jax("control-flow", STRUCTURED), aliases=("rnn loop gradient",))
def scan_equals_the_python_loop(ad):
    """scan has the same gradient as the Python loop that it replaces: 6x + 5 for 3x² + 5x + 7, evaluated by Horner's
    rule."""

    def scanned(x):
        return ad.scan(lambda h, coefficient: (h * x + coefficient, None), 0 * x, ad.array([3.0, 5.0, 7.0]))[0]

    close(_slope(ad, polynomial, 2.0), 17.0)
    close(_slope(ad, scanned, 2.0), 17.0)


@behaviour(MUST, jax("jax.lax.scan"), jax("control-flow", STRUCTURED), cases=MODES)
def scan_over_no_elements_is_the_identity(ad, derivative):
    """scan over an array of no elements returns the initial carry, with the derivative of the identity."""

    def program(x):
        return ad.scan(lambda carry, step: (carry * step, None), 5 * x, ad.array([]))[0]

    close((program(ad.array(2.0)), derivative(ad, program, 2.0)), (10.0, 5.0))


def _add(carry, x):
    return {"sum": carry["sum"] + carry["n"] * x["a"] * x["b"], "n": 2 * carry["n"]}, (carry["sum"], 7 * x["b"])


@behaviour(MUST, jax("jax.lax.scan"), jax("jax.vjp"), aliases=("rnn with several states",))
def scan_carries_and_collects_containers(ad):
    """scan carries, scans over and collects containers (pytrees): its VJP takes cotangents of the last carry and of the
    collected outputs, and returns those of the initial carry and of each array scanned over."""

    def program(total, xs):
        carry, (sums, scaled) = ad.scan(_add, {"sum": total, "n": ad.array(1.0)}, xs)
        return carry["sum"], sums, scaled

    xs = {"a": ad.array([2.0, 3.0]), "b": ad.array([5.0, 11.0])}
    _, pullback = ad.vjp(program, ad.array(1.0), xs)
    cotangents = ad.array(1.0), ad.array([10.0, 100.0]), ad.array([1000.0, 10000.0])
    close(pullback(cotangents), (111.0, {"a": [505.0, 22.0], "b": [7202.0, 70006.0]}))
