"""Control flow, branches: Python's own, and cond and switch, which choose a branch as an operation."""

from conformance.behaviour import MUST, behaviour, hips, jax, jax_jit, torch
from conformance.expect import an_error, close, one_of

GRAPH = "How autograd encodes the history"
HVP = "Hessian-vector products with grad-of-grad"
BOOL = "jax.errors.TracerBoolConversionError"
PYTHON = "Python control flow + autodiff"
STRUCTURED = "Structured control flow primitives"
VALUES = "Different kinds of JAX values"


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
    followed=(jax("control-flow", PYTHON), jax("tracing", VALUES), torch("notes/autograd", GRAPH)),
    raises=jax_jit("errors", BOOL, raises=BOOL),
    cases=MODES,
    aliases=("tracerboolconversionerror", "if statement data dependent control flow"),
)
def a_python_loop_is_differentiated_as_it_ran(ad, derivative):
    """A Python loop whose condition depends on the input is differentiated as it ran; under jit it raises an error."""
    return one_of(lambda: derivative(ad, squared_until_ten, 2.0), followed=32.0, raises=an_error)


@behaviour(
    MUST,
    jax("control-flow", STRUCTURED),
    jax("jax.lax.cond"),
    cases={
        "first_reverse": (_slope, 1.0, 2.0),
        "first_forward": (_tangent, 1.0, 2.0),
        "second_reverse": (_slope, 5.0, 3.0),
        "second_forward": (_tangent, 5.0, 3.0),
    },
)
def cond_differentiates_the_branch_taken(ad, derivative, value, expected):
    """cond differentiates the branch that is taken, in forward and reverse mode."""

    def program(x):
        return ad.cond(x < 2, lambda x: x * x, lambda x: 3 * x, x)

    close(derivative(ad, program, value), expected)


@behaviour(MUST, jax("jax.lax.cond"), jax("control-flow", STRUCTURED))
def the_branch_of_cond_not_taken_leaves_no_nan(ad):
    """Without vmap, a branch of cond that is not taken leaves no NaN in the gradient, such as x log x at 0."""
    gradient = ad.grad(lambda x: ad.cond(x > 0, lambda x: x * ad.np.log(x), lambda x: 5 * x, x))
    close(gradient(ad.array(0.0)), 5.0)


@behaviour(MUST, jax("control-flow", STRUCTURED), jax("autodiff_cookbook", HVP))
def cond_passes_gradients_to_captured_values(ad):
    """A value that a branch of cond captures (closes over) receives its gradient: x for the a in a * x."""
    x = ad.array(2.0)
    gradient = ad.grad(lambda a: ad.cond(x > 0, lambda y: a * y, lambda y: 7 * a * y, x))
    close(gradient(ad.array(5.0)), 2.0)


@behaviour(
    MUST,
    jax("jax.lax.switch"),
    jax("control-flow", STRUCTURED),
    cases={
        "within": (_slope, 1, 12.0),
        "beyond": (_slope, 9, 32.0),
        "below": (_slope, -2, 4.0),
        "within_forward": (_tangent, 1, 12.0),
        "beyond_forward": (_tangent, 9, 32.0),
    },
)
def switch_differentiates_the_branch_chosen(ad, derivative, index, expected):
    """switch differentiates the branch that its index selects; an index out of bounds is clamped to the nearest
    branch."""
    powers = [lambda x: x**2, lambda x: x**3, lambda x: x**4]
    close(derivative(ad, lambda x: ad.switch(ad.array(index), powers, x), 2.0), expected)


def tripled(p):
    return {"n": p["n"], "y": 3 * p["x"], "z": 5 * p["z"]}


def squared(p):
    return {"n": p["n"] + 1, "y": p["x"] ** 2, "z": 2 * p["z"]}


@behaviour(
    MUST,
    jax("jax.lax.cond"),
    jax("control-flow", STRUCTURED),
    cases={"first": (1.0, (21.0, [5.0, 50.0])), "second": (-1.0, (176.0, [2.0, 20.0]))},
)
def cond_passes_containers(ad, sign, expected):
    """cond takes and returns containers (pytrees), whose arrays have gradients: here beside an integer, by which one of
    them is multiplied."""
    positive, weights = ad.array(sign) > 0, ad.array([1.0, 10.0])

    def program(x, z):
        found = ad.cond(positive, tripled, squared, {"n": ad.array(7), "x": x, "z": z})
        return found["n"] * found["y"] + ad.np.sum(weights * found["z"])

    close(ad.grad(program, argnums=(0, 1))(ad.array(11.0), ad.array([2.0, 3.0])), expected)


@behaviour(
    MUST,
    jax("jax.lax.cond"),
    jax("control-flow", STRUCTURED),
    cases={
        "mapped_gradient": (lambda ad, f: ad.vmap(ad.grad(f)),),
        "gradient_of_mapped": (lambda ad, f: ad.grad(lambda x: ad.np.sum(ad.vmap(f)(x))),),
    },
)
def cond_under_vmap_differentiates_the_branch_of_each_example(ad, compose):
    """Under vmap, cond selects the branch of each example, and so does its gradient: x³ for positive x, else 5x."""

    def program(x):
        return ad.cond(x > 0, lambda x: x**3, lambda x: 5 * x, x)

    x = ad.array([2.0, -1.0, 4.0])
    close(ad.vmap(program)(x), [8.0, -5.0, 64.0])
    close(compose(ad, program)(x), [12.0, 5.0, 48.0])


def power(x, n):
    return x * power(x, n - 1) if n else 1.0


@behaviour(
    MUST,
    jax("control-flow", PYTHON),
    torch("notes/autograd", GRAPH),
    hips("README"),
    cases=MODES,
)
def a_recursive_function_is_differentiated(ad, derivative):
    """A recursive Python function is differentiated as it ran: x⁵ as five products has the derivative 80 at 2."""
    close(derivative(ad, lambda x: power(x, 5), 2.0), 80.0)
