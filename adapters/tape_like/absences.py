"""What an engine of tensors lacks by design, each absence with a program that shows what it does instead.

`TRACED_FEATURES` are those of an engine that traces programs; torch.func lacks them, too. `RECORDED_FEATURES` are those
that only a transform of functions has, `NUMPY_FEATURES` those that NumPy's arrays lack. Probes speak through the
adapter, so that each can also be run on an engine that has the feature, where it must not hold.
"""

from __future__ import annotations

from typing import Any

from adapters.probing import shown
from conformance.protocol import Absence

__all__ = ["NUMPY_FEATURES", "RECORDED_FEATURES", "TRACED_FEATURES"]

NUMPY = "https://numpy.org/doc/stable/"
TORCH = "https://docs.pytorch.org/docs/stable/"
MECHANICS = TORCH + "notes/autograd.html"
EXTENDING = TORCH + "notes/extending.html"


def a_program_is_given_arrays(ad: Any) -> None:
    """A program under `grad` is given an array of the type that any caller gives it, and runs once."""
    seen: list[type] = []

    def program(x: Any) -> Any:
        seen.append(type(x))
        return x * x

    x = ad.array(3.0)
    ad.grad(program)(x)
    shown(seen == [type(x)], f"the program ran {len(seen)} times, on {[kind.__name__ for kind in seen]}")


def a_program_is_given_leaves(ad: Any) -> None:
    """A program under `grad` is given leaves, whose flag it may set, and not values of a level of its own."""

    def program(x: Any) -> Any:
        return x.requires_grad_() * 2.0

    try:
        ad.grad(program)(ad.array(3.0))
    except Exception as error:
        raise AssertionError(f"the argument is no leaf: {type(error).__name__}") from error


def an_array_can_be_written(ad: Any) -> None:
    """Assigning to an element changes the array."""
    x = ad.array([1.0, 2.0])
    try:
        x[0] = 5.0
    except TypeError as error:
        raise AssertionError("the element could not be overwritten") from error
    shown(float(ad.to_numpy(x)[0]) == 5.0, "the element was not overwritten")


def a_draw_moves_the_generator(ad: Any) -> None:
    """After a seed, two draws with the same arguments differ: the second goes on where the first ended."""
    if not hasattr(ad, "draw"):
        raise AssertionError("nothing is drawn from a generator of the process")
    ad.seed_(0)
    first, second = ad.to_numpy(ad.draw((2,))), ad.to_numpy(ad.draw((2,)))
    shown(not (first == second).all(), "both draws gave the same numbers")


def a_gradient_is_the_conjugate(ad: Any) -> None:
    """The pullback of z squared at 1 + 2j gives 2 - 4j: the conjugate derivative, whatever the program."""
    _, pullback = ad.vjp(lambda z: z * z, ad.array(1 + 2j))
    (gradient,) = pullback(ad.array(1 + 0j))
    shown(complex(ad.to_numpy(gradient)) == 2 - 4j, "the pullback gave the derivative itself")


def an_integer_has_no_cotangent(ad: Any) -> None:
    """A pullback at an integer is refused."""
    try:
        _, pullback = ad.vjp(lambda x: x * 1.0, ad.array(3))
        pullback(ad.array(1.0))
    except RuntimeError:
        return
    raise AssertionError("the integer was given a cotangent")


def a_maximum_brings_its_index(ad: Any) -> None:
    """The method `max` along an axis returns a pair, where NumPy's returns an array."""
    x = ad.array([[1.0, 2.0]])
    shown(type(x.max(0)) is not type(x), "the maximum came alone")


def a_double_needs_no_switch(ad: Any) -> None:
    """Where a number alone is single, an array of doubles is double nevertheless."""
    number, array = ad.array(1) * 1.0, ad.array(1.0, "float64")
    shown((ad.dtype_of(number), ad.dtype_of(array)) == ("float32", "float64"), "a number alone is a double")


def numbers_live_on_the_cpu(ad: Any) -> None:
    """Moving an array to another device is refused."""
    try:
        ad.elsewhere(ad.array(1.0))
    except RuntimeError as error:
        shown("CPU only" in str(error), f"refused for another reason: {error}")
        return
    raise AssertionError("the array was moved")


def numbers_are_those_of_numpy(ad: Any) -> None:
    """A kind of numbers that NumPy does not have is refused, and NumPy is named as the reason."""
    try:
        ad.bfloat16(1.0)
    except AttributeError as error:
        shown("NumPy" in str(error), f"refused for another reason: {error}")
        return
    raise AssertionError("the array was made")


def an_array_is_dense(ad: Any) -> None:
    """An array of zeros but for a few numbers is refused, and NumPy is named as the reason."""
    try:
        ad.sparse_array([[0]], ad.array([1.0]), (3,))
    except AttributeError as error:
        shown("NumPy" in str(error), f"refused for another reason: {error}")
        return
    raise AssertionError("the array was made")


TRACED_FEATURES = (
    Absence(
        features=("jit", "shape_only"),
        reason="A program runs as Python on arrays: there is no trace of it to compile or to look at.",
        source=MECHANICS,
        probe=a_program_is_given_arrays,
    ),
    Absence(
        features=("cond", "switch", "while_loop", "fori_loop", "scan"),
        reason="Python's own control flow runs, and what it ran is differentiated: no operation stands in for it.",
        source=MECHANICS,
        probe=a_program_is_given_arrays,
    ),
    Absence(
        features=("pure_callback", "io_callback", "debug_callback"),
        reason="Python runs with the program: there is no trace from which it would have to be called back.",
        source=MECHANICS,
        probe=a_program_is_given_arrays,
    ),
    Absence(
        features=("structure", "fields_of"),
        reason="No class of the user's own is taken apart: arrays stand in lists, tuples and dictionaries.",
        source=TORCH + "func.whirlwind_tour.html",
        probe=a_program_is_given_arrays,
    ),
    Absence(
        features=("linear_transpose", "forward_and_backward"),
        reason="What a program did is not a program: it is walked backward, and not turned into functions.",
        source=MECHANICS,
        probe=a_program_is_given_arrays,
    ),
    Absence(
        features=(
            *("custom_vjp.primal", "custom_vjp.nondiff_argnums", "custom_jvp.nondiff_argnums"),
            *("custom_jvps", "custom_gradient", "closure_convert"),
        ),
        reason="A rule belongs to a Function, with one forward, any arguments and None for those without a gradient.",
        source=EXTENDING,
        probe=a_program_is_given_arrays,
    ),
    Absence(
        features=("checkpoint.policy", "checkpoint_name", "report_of_residuals"),
        reason="What is kept is said by hooks on what operations save, and not by names in a trace.",
        source=TORCH + "checkpoint.html",
        probe=a_program_is_given_arrays,
    ),
    Absence(
        features=("new_reference", "read_reference", "write_reference_", "with_references"),
        reason="Every array can be written: none needs a reference that stands for memory.",
        source=MECHANICS,
        probe=an_array_can_be_written,
    ),
    Absence(
        features=("key", "normal"),
        reason="Random numbers come from a generator with a state, which every draw moves on.",
        source=TORCH + "notes/randomness.html",
        probe=a_draw_moves_the_generator,
    ),
    Absence(
        features=("grad.holomorphic",),
        reason="A gradient is the conjugate derivative of any program, holomorphic or not: no flag says so.",
        source=MECHANICS,
        probe=a_gradient_is_the_conjugate,
    ),
    Absence(
        features=("grad.allow_int", "empty_cotangent"),
        reason="Only floating-point and complex numbers have gradients.",
        source=MECHANICS,
        probe=an_integer_has_no_cotangent,
    ),
    Absence(
        features=("np.spence",),
        reason="Functions are PyTorch's own, and not SciPy's: the dilogarithm is not among them.",
        source=TORCH + "special.html",
        probe=a_maximum_brings_its_index,
    ),
    Absence(
        features=("double_precision",),
        reason="Double precision is always there: each array has the precision that it was made with.",
        source=TORCH + "tensor_attributes.html",
        probe=a_double_needs_no_switch,
    ),
)

RECORDED_FEATURES = (
    Absence(
        features=("functionalize",),
        reason="A write in place is recorded when it happens: no program is rewritten to do without it.",
        source=MECHANICS,
        probe=a_program_is_given_leaves,
    ),
    Absence(
        features=("jvp.strict",),
        reason="An output that the dual numbers do not reach has no tangent: there is no zero to refuse.",
        source=TORCH + "generated/torch.autograd.forward_ad.unpack_dual.html",
        probe=a_program_is_given_leaves,
    ),
    Absence(
        features=("linearize",),
        reason="A record is walked from its outputs to its leaves: no function of tangents is made of it.",
        source=MECHANICS,
        probe=a_program_is_given_leaves,
    ),
    Absence(
        features=("value_and_grad", "grad.has_aux", "vjp.has_aux", "jvp.has_aux"),
        reason="A gradient is asked of a value that is there already, and nothing else need be set apart.",
        source=TORCH + "generated/torch.autograd.grad.html",
        probe=a_program_is_given_leaves,
    ),
    Absence(
        features=(
            *("jacobian.argnums", "jacobian.has_aux", "jacobian.chunk_size"),
            *("jacfwd.argnums", "jacfwd.has_aux", "hessian.argnums"),
        ),
        reason="The tape's Jacobian is that of all inputs, which are leaves; no argument is chosen.",
        source=TORCH + "generated/torch.autograd.functional.jacobian.html",
        probe=a_program_is_given_leaves,
    ),
)

NUMPY_FEATURES = (
    Absence(
        features=("elsewhere",),
        reason="An array of NumPy lives in the memory of the process: there is no other device.",
        source=NUMPY + "reference/arrays.ndarray.html",
        probe=numbers_live_on_the_cpu,
    ),
    Absence(
        features=("bfloat16",),
        reason="NumPy has no such numbers.",
        source=NUMPY + "reference/arrays.scalars.html",
        probe=numbers_are_those_of_numpy,
    ),
    Absence(
        features=("sparse_array",),
        reason="An array of NumPy has memory for each of its elements.",
        source=NUMPY + "reference/arrays.ndarray.html",
        probe=an_array_is_dense,
    ),
)
