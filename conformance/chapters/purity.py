"""Purity: what a differentiated program may do beside computing its value, and what it may not."""

from conformance.behaviour import MUST, behaviour, hips, jax, torch, torch_func
from conformance.expect import an_error, close, equal, one_of, raises

INPLACE = "In-place operations with autograd"
HOST = "jax.errors.TracerArrayConversionError"
LEAKED = "jax.errors.UnexpectedTracerError"


@behaviour(MUST, jax("Common_Gotchas", "Pure functions"), torch_func("torch.func.grad"))
def a_gradient_leaves_its_input_alone(ad):
    """Computing a gradient leaves the input as it was."""
    x = ad.array([1.0, 2.0])
    close(ad.grad(lambda x: ad.np.sum(3 * x * x))(x), [6.0, 12.0])
    close(x, [1.0, 2.0])


@behaviour(
    MUST,
    jax("errors", HOST, raises=HOST, says="__array__"),
    torch("torch.Tensor.numpy", raises=RuntimeError, says="requires grad"),
)
def a_call_of_numpy_is_refused(ad):
    """A program that hands its value to NumPy is refused, where its gradient would be lost without a word."""
    gradient = ad.grad(lambda x: x * ad.array(ad.numpy_of(x)))
    raises(lambda: gradient(ad.array(3.0)))


@behaviour(
    MUST,
    jax("errors", LEAKED, raises=LEAKED, says="unexpected tracer"),
    cases={
        "differentiated": (lambda ad, program: ad.grad(program),),
        "compiled": (lambda ad, program: ad.jit(program),),
    },
)
def a_value_that_leaked_is_refused(ad, transform):
    """A value that a program left outside is refused when it is used after the transform is done."""
    seen = []

    def program(x):
        seen.append(x)
        return x * x

    close(transform(ad, program)(ad.array(0.0)), 0.0)
    raises(lambda: seen[0] + 1)


def through_containers(x):
    kept = {"sums": [2 * x]}
    kept["sums"].append(3 * x)
    kept["product"] = kept["sums"].pop() * kept["sums"].pop()
    return kept["product"]


@behaviour(MUST, jax("Common_Gotchas", "Pure functions"), torch("notes/autograd", "How autograd encodes the history"))
def local_state_is_allowed(ad):
    """A program may keep its values in lists and dictionaries of its own."""
    close(ad.grad(through_containers)(ad.array(5.0)), 60.0)


class Spilled(Exception):
    """An exception of the program's own."""


def spilling(x):
    raise Spilled("over")


def what_is_raised(program, *args):
    try:
        program(*args)
    except Spilled as error:
        return str(error)
    return None


@behaviour(
    MUST,
    jax("autodiff_cookbook", "The implementation of jacfwd and jacrev"),
    torch("notes/autograd", "How autograd encodes the history"),
)
def an_exception_passes_through(ad):
    """An exception that a program raises passes through its gradient function as it is."""
    equal(what_is_raised(ad.grad(spilling), ad.array(3.0)), "over")


def assigned(x):
    x[0] = 5.0
    return x


@behaviour(
    MUST,
    raises=(
        jax("Common_Gotchas", "In-place updates", raises=TypeError, says="immutable"),
        hips("tutorial", "Supported and unsupported parts of numpy/scipy"),
    ),
    done=torch("notes/autograd", INPLACE),
)
def an_element_is_assigned(ad):
    """Assigning to an element of a computed array is refused, or done, which cuts off what stood there."""
    weights = ad.array([1.0, 10.0])
    gradient = ad.grad(lambda x: ad.np.sum(weights * assigned(2 * x)))
    return one_of(lambda: gradient(ad.array([3.0, 4.0])), raises=an_error, done=[0.0, 20.0])


@behaviour(
    MUST,
    rebound=jax("Common_Gotchas", "In-place updates"),
    written=torch("notes/autograd", INPLACE),
)
def an_augmented_assignment(ad):
    """`y += 1` makes a new array under that name alone, or writes into the array, which its other names show."""

    def program(x):
        y = 3 * x
        ad.augment_(y, 1.0)
        return y

    output, _ = ad.vjp(program, ad.array(2.0))
    return one_of(output, rebound=6.0, written=7.0)
