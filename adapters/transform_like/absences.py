"""What an engine of function transforms lacks by design, each absence with a program that shows what it does instead.

Probes speak through the adapter only, so that each can also be run on a tape, where it must not hold.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from conformance.protocol import Absence

__all__ = ["TAPE_NOTIONS"]

JAX = "https://docs.jax.dev/en/latest/"
TRACING = JAX + "key-concepts.html"
SHARP_BITS = JAX + "notebooks/Common_Gotchas_in_JAX.html"


def _shown(condition: bool, otherwise: str) -> None:
    # Not an assert statement: a probe must also speak under python -O.
    if not condition:
        raise AssertionError(otherwise)


def _shown_a_stand_in(ad: Any, differentiate: Callable[[Any, Any], Any]) -> None:
    seen: list[type] = []

    def program(x: Any) -> Any:
        seen.append(type(x))
        return x * x

    x = ad.array(3.0)
    differentiate(program, x)
    _shown(
        bool(seen) and type(x) not in seen,
        f"the program was given a {type(x).__name__}, as any other caller is",
    )


def a_program_is_traced(ad: Any) -> None:
    """A program under `grad` is given a stand-in that records for it, and not the array itself or one of its type."""
    _shown_a_stand_in(ad, lambda program, x: ad.grad(program)(x))


def a_tangent_is_traced(ad: Any) -> None:
    """A program under `jvp` is given a stand-in that carries the tangent, and not an array that does."""
    _shown_a_stand_in(ad, lambda program, x: ad.jvp(program, (x,), (x,)))


def an_array_cannot_be_written(ad: Any) -> None:
    """Assigning to an element raises TypeError."""
    x = ad.array([1.0, 2.0])
    try:
        x[0] = 5.0
    except TypeError:
        return
    raise AssertionError("the element was overwritten")


def no_two_names_share_memory(ad: Any) -> None:
    """`y = x; y += 1` makes a new array and leaves the old one as it was."""
    x = ad.array([1.0, 2.0])
    y = x
    y += 1.0
    _shown(bool((ad.to_numpy(x) == [1.0, 2.0]).all()), "the array changed under its first name")


def a_pullback_keeps_what_it_needs(ad: Any) -> None:
    """A pullback can be called twice without asking for it: what it needs is its own, and nobody frees it."""
    _, pullback = ad.vjp(lambda x: x * x, ad.array(3.0))
    pullback(ad.array(1.0))
    try:
        (again,) = pullback(ad.array(1.0))
    except Exception as error:
        raise AssertionError(f"the second call raised {type(error).__name__}") from error
    _shown(float(ad.to_numpy(again)) == 6.0, "the second call gave another gradient")


def a_checkpoint_replays_its_trace(ad: Any) -> None:
    """The Python of a checkpointed program runs once: what is computed again is its trace."""
    calls: list[Any] = []

    def program(x: Any) -> Any:
        calls.append(x)
        return x * x

    ad.grad(ad.checkpoint(program))(ad.array(3.0))
    _shown(len(calls) == 1, f"the program ran {len(calls)} times")


class _StandIn:
    """Not an array, but ready to take over the functions that it is given to."""

    @classmethod
    def __torch_function__(cls, function: Any, types: Any, args: Any = (), kwargs: Any = None) -> Any:
        return ("taken over",)


def a_foreign_object_is_refused(ad: Any) -> None:
    """An object that is no array, and offers to take functions over, is refused as a value to differentiate."""
    try:
        _, pullback = ad.vjp(lambda x: _StandIn(), ad.array(3.0))
        pullback(ad.array(1.0))
    except TypeError:
        return
    raise AssertionError("the object took the function over")


TAPE_NOTIONS = (
    Absence(
        notions=("leaf", "parameter", "requires_grad", "require_grad_", "is_leaf"),
        reason="No array has a flag: the arguments of a transform say what is differentiated.",
        source=JAX + "_autosummary/jax.grad.html",
        probe=a_program_is_traced,
    ),
    Absence(
        notions=(
            *("backward", "backward_of", "grad_of", "gradient_of"),
            *("clear_gradient_", "zero_gradient_", "retain_gradient_"),
        ),
        reason="No array stores a gradient or knows its history: a transform takes a program, and returns gradients.",
        source=JAX + "automatic-differentiation.html",
        probe=a_program_is_traced,
    ),
    Absence(
        notions=("creator_name", "creators_behind", "survives"),
        reason="There is no graph behind a value: what a transform records lives in the tracers of its own run.",
        source=TRACING,
        probe=a_program_is_traced,
    ),
    Absence(
        notions=("register_hook", "remove_hook"),
        reason="There is nothing to hang a hook on: what sees a cotangent is part of the program, by custom_vjp.",
        source=JAX + "notebooks/Custom_derivative_rules_for_Python_code.html",
        probe=a_program_is_traced,
    ),
    Absence(
        notions=("no_grad", "enable_grad", "set_grad_enabled", "inference_mode"),
        reason="There is no mode of recording: what runs under a transform is traced, and stop_gradient cuts it.",
        source=JAX + "_autosummary/jax.lax.stop_gradient.html",
        probe=a_program_is_traced,
    ),
    Absence(
        notions=("variable", "is_plain_array", "volatile_of", "set_volatile_", "variable_factory"),
        reason="These are former names of the tape's own array type, whose place a tracer takes here.",
        source=TRACING,
        probe=a_program_is_traced,
    ),
    Absence(
        notions=("add_", "sub_", "mul_", "sigmoid_", "copy_", "set_item_", "detach_"),
        reason="Arrays are immutable: an update makes a new array.",
        source=SHARP_BITS,
        probe=an_array_cannot_be_written,
    ),
    Absence(
        notions=("view", "data_of"),
        reason="No two values share memory that can be written, so there are no views and no unwatched data.",
        source=SHARP_BITS,
        probe=no_two_names_share_memory,
    ),
    Absence(
        notions=("saved_tensors_hooks",),
        reason="Nothing is packed and freed per operation: a pullback owns what it needs for as long as it lives.",
        source=JAX + "_autosummary/jax.vjp.html",
        probe=a_pullback_keeps_what_it_needs,
    ),
    Absence(
        notions=("checkpoint.use_reentrant",),
        reason="There is no choice of how to run the program again: its trace is replayed, and its Python is not.",
        source=JAX + "_autosummary/jax.checkpoint.html",
        probe=a_checkpoint_replays_its_trace,
    ),
    Absence(
        notions=("dual_level", "make_dual", "tangent_of"),
        reason="No array carries a tangent: forward mode takes the program and its tangents in one call.",
        source=JAX + "_autosummary/jax.jvp.html",
        probe=a_tangent_is_traced,
    ),
    Absence(
        notions=("array_like",),
        reason="Functions are not handed over to objects of other types: what is no array is refused.",
        source=JAX + "key-concepts.html",
        probe=a_foreign_object_is_refused,
    ),
)
