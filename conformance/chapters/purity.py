"""Purity: side effects, in-place assignment, NumPy calls and exceptions inside a differentiated function."""

from conformance.behaviour import MAY, MUST, behaviour, document, hips, jax, torch
from conformance.expect import an_error, close, equal, one_of, raises

HOST = "jax.errors.TracerArrayConversionError"
LEAKED = "jax.errors.UnexpectedTracerError"


@behaviour(MUST, jax("thinking_in_jax", "JAX vs. NumPy"))
def grad_does_not_change_its_input(ad):
    """Computing a gradient does not change the input array."""
    x = ad.array([1.0, 2.0])
    close(ad.grad(lambda x: ad.np.sum(3 * x * x))(x), [6.0, 12.0])
    close(x, [1.0, 2.0])


def _cubic(x):
    return x[0] ** 3 * x[1]


@behaviour(
    MUST,
    jax("thinking_in_jax", "JAX vs. NumPy"),
    cases={
        "value_and_gradient": (lambda ad, x: sum(ad.value_and_grad(_cubic)(x)), [60.0, 32.0]),
        "vjp": (lambda ad, x: ad.vjp(_cubic, x)[1](ad.array(5.0))[0], [180.0, 40.0]),
        "jvp": (lambda ad, x: ad.jvp(_cubic, (x,), (x,))[1], 96.0),
        "linearize": (lambda ad, x: ad.linearize(_cubic, x)[1](x), 96.0),
        "jacobian": (lambda ad, x: ad.jacobian(lambda x: 3 * x)(x), [[3.0, 0.0], [0.0, 3.0]]),
        "forward_jacobian": (lambda ad, x: ad.jacfwd(lambda x: 3 * x)(x), [[3.0, 0.0], [0.0, 3.0]]),
        "hessian": (lambda ad, x: ad.hessian(_cubic)(x), [[36.0, 12.0], [12.0, 0.0]]),
        "vmap": (lambda ad, x: ad.vmap(lambda x: x * x)(x), [4.0, 9.0]),
        "mapped_gradient": (lambda ad, x: ad.vmap(ad.grad(lambda x: x**3))(x), [12.0, 27.0]),
    },
)
def a_transform_does_not_change_its_input(ad, derivative, expected):
    """A transform does not change an array that it is given, so that a second call with it returns the same."""
    x = ad.array([2.0, 3.0])
    close(derivative(ad, x), expected)
    close(derivative(ad, x), expected)
    close(x, [2.0, 3.0])


@behaviour(
    MUST,
    jax("errors", HOST, raises=HOST, says="__array__"),
    torch("torch.Tensor.numpy", raises=Exception, says="requires grad"),
    aliases=("tracerarrayconversionerror", "can't call numpy() on tensor that requires grad"),
)
def numpy_conversion_raises_an_error(ad):
    """By default, converting a value that is being differentiated to a NumPy array raises an error."""
    gradient = ad.grad(lambda x: x * ad.array(ad.numpy_of(x)))
    raises(lambda: gradient(ad.array(3.0)))


@behaviour(
    MUST,
    jax("errors", LEAKED, raises=LEAKED, says="unexpected tracer"),
    cases={
        "differentiated": (lambda ad, program: ad.grad(program),),
        "compiled": (lambda ad, program: ad.jit(program),),
    },
    aliases=("unexpectedtracererror leaked tracer", "global variable in grad"),
)
def a_leaked_intermediate_raises_an_error(ad, transform):
    """An operation on an intermediate that leaked out of a differentiated or compiled function raises an error."""
    seen = []

    def program(x):
        y = x * x
        seen.append(y)
        return y

    close(transform(ad, program)(ad.array(0.0)), 0.0)
    raises(lambda: seen[0] + 1)


def through_containers(x):
    kept = {"sums": [2 * x]}
    kept["sums"].append(3 * x)
    kept["product"] = kept["sums"].pop() * kept["sums"].pop()
    return kept["product"]


@behaviour(
    MUST,
    jax("Common_Gotchas", "Pure functions"),
    torch("notes/autograd", "How autograd encodes the history"),
    hips("tutorial", "Supported and unsupported parts of numpy/scipy"),
)
def local_state_is_allowed(ad):
    """A differentiated function may keep intermediates in lists and dicts that it creates itself."""
    close(ad.grad(through_containers)(ad.array(5.0)), 60.0)


class Spilled(Exception):
    """An exception that the differentiated function raises."""


def spilling(x):
    raise Spilled("over")


def what_is_raised(program, *args):
    try:
        program(*args)
    except Spilled as error:
        return str(error)
    return None


@behaviour(
    MAY,
    torch(
        "notes/autograd",
        "How autograd encodes the history",
        unstated="no page mentions exceptions; the model, operations recorded as they run, leaves nothing else",
    ),
)
def an_exception_propagates_through_grad(ad):
    """An exception that a differentiated function raises propagates unchanged through grad."""
    equal(what_is_raised(ad.grad(spilling), ad.array(3.0)), "over")


def assigned(x):
    x[0] = 5.0
    return x


@behaviour(
    MUST,
    raises=(
        jax("Common_Gotchas", "In-place updates", raises=Exception, says="immutable"),
        hips("tutorial", "Supported and unsupported parts of numpy/scipy", raises=Exception, says="item assignment"),
    ),
    done=(torch("tensor_view"), torch("notes/autograd", "In-place correctness checks")),
    aliases=("jax arrays are immutable", "index assignment x[0] = 1"),
)
def assigning_to_an_element(ad):
    """In a differentiated function, y[0] = 5 raises an error, or is in-place and gives the old y[0] the gradient 0."""
    weights = ad.array([1.0, 10.0])
    gradient = ad.grad(lambda x: ad.np.sum(weights * assigned(2 * x)))
    return one_of(lambda: gradient(ad.array([3.0, 4.0])), raises=an_error, done=[0.0, 20.0])


@behaviour(
    MUST,
    rebound=jax("Common_Gotchas", "In-place updates"),
    written=(torch("notes/serialization", "Saving and loading tensors preserves views"), document("003")),
    aliases=("x += 1 augmented assignment",),
)
def an_augmented_assignment(ad):
    """`y += 1` in a differentiated function binds the name y to a new array, or modifies the array in-place."""

    def program(x):
        y = 3 * x
        ad.augment_(y, 1.0)
        return y

    output, _ = ad.vjp(program, ad.array(2.0))
    return one_of(output, rebound=6.0, written=7.0)
