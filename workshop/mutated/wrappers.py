"""Wrappers of programs that change neither outputs nor derivatives.

A wrapper takes the adapter and a program, and returns a program of the same arguments. Arguments that are no arrays
stay outside of a transform.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any

from conformance.features import features_of
from conformance.protocol import verbs_of
from conformance.recording_adapter import RecordingAdapter
from workshop.mutated.calls import Ad, MutatedAd, named
from workshop.mutated.identities import BOTH_MODES, COUNTING, ERRORS, FORWARD, IDENTITIES, RULED, TAPE, Identity
from workshop.mutated.values import arrays_in, is_array, is_number_array, map_arrays

Program = Callable[..., Any]

# A program that counts its calls, writes, draws or registers hooks does so again when it is run again, or at another
# time when it is traced. `append` and `nonlocal` are in a check's code, not among the verbs.
IMPURE = named(
    "append nonlocal add_ augment_ sub_ mul_ copy_ set_item_ inplace_ write_out_ operate_ operate_out_ version_of "
    " detach_ backward backward_of leaf register_hook register_node_hook register_post_accumulate_hook retain_gradient_"
    " saved_tensors_hooks draw seed_ pure_callback io_callback debug_callback write_reference_ new_reference"
    " number_of list_of numpy_of to_numpy in_thread survives saved_residuals"
)
TRACING = IMPURE | {"shape_only"}


@dataclass(frozen=True)
class Wrapper:
    """`around(ad, program)` is the same program. `unless`: where these are used, it is not.

    `closed`: for programs that have no array in their closure, as a rule gives derivatives of arguments only.
    `needs`: the verbs that an engine must have.
    """

    around: Callable[[Ad, Program], Program]
    unless: frozenset[str] = frozenset()
    needs: frozenset[str] = frozenset()
    closed: bool = False


def has_closure(program: Program, callers: tuple[Program, ...] = ()) -> bool:
    """Whether a function, or a function that it calls, has arrays of an outer function."""
    if program in callers:  # a recursive function
        return False
    cells = [cell.cell_contents for cell in getattr(program, "__closure__", None) or ()]
    # To ask an adapter for a shape would be to ask for a verb.
    values = [value for value in cells if not isinstance(value, (MutatedAd, RecordingAdapter))]
    return bool(arrays_in(values, is_array)) or any(
        has_closure(value, (*callers, program)) for value in values if callable(value)
    )


def on_arrays(
    transform: Callable[[Ad, Program, list[Any]], Any],
    of: Callable[[Any], bool] = is_array,
    unless: frozenset[str] = frozenset(),
    needs: frozenset[str] = frozenset(),
    closed: bool = False,
) -> Wrapper:
    """A wrapper by a transform, which receives a program of arrays only, and the arrays in order."""

    def around(ad: Ad, program: Program) -> Program:
        def wrapped(*args: Any, **kwargs: Any) -> Any:
            def of_arrays(*replacements: Any) -> Any:
                # `map_arrays` visits arrays in the order of `arrays_in`.
                remaining = iter(replacements)
                return program(*map_arrays(lambda x: next(remaining), args, of), **kwargs)

            arrays = arrays_in(args, of)
            return transform(ad, of_arrays, arrays) if arrays else program(*args, **kwargs)

        return wrapped

    return Wrapper(around, TRACING | unless, features_of(transform) | needs, closed)


def _batched(ad: Ad, program: Program, arrays: list[Any]) -> Any:
    return map_arrays(lambda y: y[0], ad.vmap(program)(*[x[None] for x in arrays]), is_array)


def _ruled(ad: Ad, program: Program, arrays: list[Any]) -> Any:
    def backward(residuals: Any, cotangent: Any) -> Any:
        return ad.linear_transpose(ad.linearize(program, *residuals)[1], *residuals)(cotangent)

    return ad.custom_vjp(lambda *xs: (program(*xs), xs), backward)(*arrays)


def _ruled_on_a_tape(ad: Ad, program: Program, arrays: list[Any]) -> Any:
    def backward(residuals: Any, cotangent: Any) -> Any:
        with ad.enable_grad():  # a pass backward that is not differentiated records nothing
            output, pullback = ad.vjp(program, *residuals)
            if any(map(ad.requires_grad, arrays_in(output))):
                return pullback(cotangent)
            return tuple(map(ad.np.zeros_like, residuals))

    def forward(*xs: Any) -> Any:
        with ad.enable_grad():  # for a program that asks for derivatives itself
            return map_arrays(ad.detach, program(*map(ad.detach, xs))), xs

    return ad.custom_vjp(forward, backward)(*arrays)


def _with_rule_of_tangents(ad: Ad, program: Program, arrays: list[Any]) -> Any:
    return ad.custom_jvp(program, lambda primals, tangents: ad.jvp(program, primals, tangents))(*arrays)


def _by_gradient_rule(ad: Ad, program: Program, arrays: list[Any]) -> Any:
    return ad.custom_gradient(lambda *xs: ad.vjp(program, *xs))(*arrays)


def _scanned(ad: Ad, program: Program, arrays: list[Any]) -> Any:
    def step(carry: Any, xs: Any) -> Any:
        return carry, program(*xs)

    return map_arrays(lambda y: y[0], ad.scan(step, 0, tuple(x[None] for x in arrays))[1], is_array)


def _closed(ad: Ad, program: Program, arrays: list[Any]) -> Any:
    converted, closure = ad.closure_convert(program, *arrays)
    return converted(*arrays, *closure)


def _primal_of_jvp(ad: Ad, program: Program, arrays: list[Any]) -> Any:
    output = program(*arrays)
    # A container of outputs is for some engines only.
    return ad.jvp(program, tuple(arrays), tuple(arrays))[0] if is_number_array(output) else output


def _held(ad: Ad, program: Program) -> Program:
    def wrapped(*args: Any, **kwargs: Any) -> Any:
        with ad.saved_tensors_hooks(lambda kept: kept, lambda kept: kept):
            return program(*args, **kwargs)

    return wrapped


def _dead(ad: Ad, program: Program) -> Program:
    def wrapped(*args: Any, **kwargs: Any) -> Any:
        map_arrays(lambda x: ad.np.exp(x * 2), args)
        return program(*args, **kwargs)

    return wrapped


def _run_twice(ad: Ad, program: Program) -> Program:
    def wrapped(*args: Any, **kwargs: Any) -> Any:
        program(*args, **kwargs)
        return program(*args, **kwargs)

    return wrapped


def _averaged(ad: Ad, program: Program) -> Program:
    """(f + f) / 2, which is exact in binary numbers."""

    def wrapped(*args: Any, **kwargs: Any) -> Any:
        again = iter(arrays_in(program(*args, **kwargs)))
        return map_arrays(lambda y: (y + next(again)) / 2, program(*args, **kwargs))

    return wrapped


def _through(change: Callable[[Ad, Any], Any], before: bool) -> Callable[[Ad, Program], Program]:
    def around(ad: Ad, program: Program) -> Program:
        def wrapped(*args: Any, **kwargs: Any) -> Any:
            if before:
                return program(*map_arrays(lambda x: change(ad, x), args), **kwargs)
            return map_arrays(lambda y: change(ad, y), program(*args, **kwargs))

        return wrapped

    return around


def _with_identities() -> dict[str, Wrapper]:
    """Each identity before a program, on its arguments, and after it, on its results."""
    wrappers = {}
    for name, identity in IDENTITIES.items():

        def change(ad: Ad, x: Any, identity: Identity = identity) -> Any:
            return identity.function(ad, x) if identity.holds(x) else x

        # A program may write its argument.
        unless = identity.unless | (IMPURE if identity.copies else frozenset())
        wrappers[f"argument_{name}"] = Wrapper(_through(change, before=True), unless, identity.needs)
        wrappers[f"result_{name}"] = Wrapper(_through(change, before=False), unless, identity.needs)
    return wrappers


FUNCTIONAL = frozenset(verbs_of("Functional"))

WRAPPERS: Mapping[str, Wrapper] = {
    "checkpointed": on_arrays(lambda ad, program, xs: ad.checkpoint(program)(*xs), unless=COUNTING),
    "batched": on_arrays(_batched, unless=RULED | ERRORS),
    "jitted": on_arrays(lambda ad, program, xs: ad.jit(program)(*xs)),
    "functionalized": on_arrays(lambda ad, program, xs: ad.functionalize(program)(*xs)),
    "ruled": on_arrays(_ruled, is_number_array, FORWARD | TAPE, closed=True),
    "ruled_on_a_tape": on_arrays(_ruled_on_a_tape, is_number_array, FORWARD | TAPE | FUNCTIONAL | ERRORS, closed=True),
    "with_rule_of_tangents": on_arrays(_with_rule_of_tangents, is_number_array, TAPE, BOTH_MODES, closed=True),
    "by_gradient_rule": on_arrays(_by_gradient_rule, is_number_array, FORWARD | TAPE, closed=True),
    "chosen": on_arrays(lambda ad, program, xs: ad.cond(ad.array(True), program, program, *xs)),
    "switched": on_arrays(lambda ad, program, xs: ad.switch(ad.array(1), [program, program], *xs)),
    "scanned": on_arrays(_scanned),
    "closed": on_arrays(_closed),
    "linearized": on_arrays(lambda ad, program, xs: ad.linearize(program, *xs)[0], is_number_array, RULED),
    "primal_of_vjp": on_arrays(lambda ad, program, xs: ad.vjp(program, *xs)[0], is_number_array, RULED),
    "primal_of_jvp": on_arrays(_primal_of_jvp, is_number_array, RULED | FUNCTIONAL | ERRORS),
    "held": Wrapper(_held, COUNTING, features_of(_held)),
    "dead_code": Wrapper(_dead),
    # A pullback on a tape can be run once.
    "run_twice": Wrapper(_run_twice, IMPURE | {"vjp"}),
    "averaged": Wrapper(_averaged, IMPURE | {"vjp"}),
    **_with_identities(),
}
