"""Staging: gradients under JIT compilation, and Python code that needs concrete values."""

from conformance.behaviour import MAY, MUST, behaviour, jax, jax_jit, torch
from conformance.expect import an_error, close, equal, one_of

GRAPH = "How autograd encodes the history"
DYNAMIC = "The implementation of jacfwd and jacrev"
BOOL = "jax.errors.TracerBoolConversionError"
INTEGER = "jax.errors.TracerIntegerConversionError"
MASK = "jax.errors.NonConcreteBooleanIndexError"


@behaviour(
    MUST,
    jax("thinking_in_jax", "Taking derivatives with jax.grad"),
    cases={
        "compiled_gradient": (lambda ad, f: ad.jit(ad.grad(f)), (32.0, 500.0)),
        "gradient_of_compiled": (lambda ad, f: ad.grad(ad.jit(f)), (32.0, 500.0)),
        "alternating": (lambda ad, f: ad.grad(ad.jit(ad.grad(ad.jit(ad.grad(f))))), (48.0, 120.0)),
    },
    aliases=("jit of grad",),
)
def compiling_changes_no_gradient(ad, compose, expected):
    """jit and grad compose in any order: the first derivative of x⁴ at 2 and 5 is 32 and 500, the third 48 and 120."""
    derivative = compose(ad, lambda x: x**4)
    close((derivative(ad.array(2.0)), derivative(ad.array(5.0))), expected)


def branching(x):
    return 2 * x**3 if x < 3 else 5 * x


def branching_and_raising(x):
    try:
        return 2 * x**3 if x < 3 else raising(x)
    except ValueError:
        return 5 * x


def raising(x):
    raise ValueError("not below three")


@behaviour(
    MUST,
    compiled=jax("autodiff_cookbook", DYNAMIC),
    raises=jax_jit("errors", BOOL, raises=BOOL, says="boolean conversion"),
)
def the_pullback_of_a_function_that_branches(ad):
    """The pullback of a function with Python branches can be compiled; compiling the function raises an error."""

    def pull_back():
        _, pullback = ad.vjp(branching_and_raising, ad.array(4.0))
        return ad.jit(pullback)(ad.array(3.0))

    return one_of(pull_back, compiled=(15.0,), raises=an_error)


@behaviour(
    MUST,
    followed=(jax("control-flow", "Python control flow + autodiff"), torch("notes/autograd", GRAPH)),
    raises=jax_jit("errors", BOOL, raises=BOOL, says="boolean conversion"),
    cases={"below": (2.0, 24.0), "above": (4.0, 5.0)},
    aliases=("tracerboolconversionerror", "if statement on tensor value"),
)
def a_python_branch_on_a_value(ad, value, expected):
    """The gradient of a Python `if` on a traced value is that of the branch taken; under jit it raises an error."""
    return one_of(lambda: ad.grad(branching)(ad.array(value)), followed=expected, raises=an_error)


@behaviour(
    MUST,
    followed=(jax("autodiff_cookbook", DYNAMIC), torch("notes/autograd", GRAPH)),
    raises=jax_jit("errors", INTEGER, raises=INTEGER, says="__index__"),
    aliases=("tracerintegerconversionerror",),
)
def a_list_indexed_by_an_array(ad):
    """A Python list can be indexed by an integer array inside grad; under jit this raises an error."""
    gradient = ad.grad(lambda x, i: [2 * x, 5 * x][i])
    return one_of(lambda: gradient(ad.array(3.0), ad.array(1)), followed=5.0, raises=an_error)


@behaviour(
    MUST,
    followed=(
        jax("jax.grad"),
        jax("thinking_in_jax", "Just-in-time compilation with jax.jit"),
        torch("notes/autograd", GRAPH),
    ),
    raises=jax_jit("errors", MASK, raises=MASK, says="must be concrete"),
    aliases=("nonconcretebooleanindexerror",),
)
def indexing_by_a_boolean_mask(ad):
    """The gradient through a boolean mask x[x > 0] is zero outside of the mask; under jit it raises an error."""
    gradient = ad.grad(lambda x: ad.np.sum(5 * x[x > 0]))
    return one_of(lambda: gradient(ad.array([1.0, -2.0, 3.0])), followed=[5.0, 0.0, 5.0], raises=an_error)


@behaviour(MAY, jax("Common_Gotchas", "Pure functions"), aliases=("print only at first call", "tracing once"))
def a_compiled_gradient_runs_its_python_once(ad):
    """A compiled gradient function runs its Python once for arguments of one shape and dtype, and again for another
    shape or dtype."""
    calls = []
    gradient = ad.jit(ad.grad(lambda x: calls.append("program") or ad.np.sum(x**3)))
    close((gradient(ad.array([2.0])), gradient(ad.array([5.0]))), ([12.0], [75.0]))
    equal(len(calls), 1)
    close(gradient(ad.array([2.0, 5.0])), [12.0, 75.0])
    equal(len(calls), 2)
    close(gradient(ad.array([2.0], "float32")), [12.0], dtype="float32")
    equal(len(calls), 3)


def branching_on_a_number(n, x):
    return x**3 if n < 3 else 5 * x


@behaviour(
    MUST,
    jax("control-flow"),
    jax("thinking_in_jax", "Taking derivatives with jax.grad"),
)
def a_compiled_function_can_branch_on_a_static_argument(ad):
    """A compiled function can have a Python `if` on a static argument; its gradient by the other argument is that of
    the branch taken for each value."""
    program = ad.jit(branching_on_a_number, static_argnums=(0,))
    below, above = ad.grad(lambda x: program(2, x)), ad.grad(lambda x: program(4, x))
    close((below(ad.array(2.0)), above(ad.array(2.0))), (12.0, 5.0))
