"""Mutators that wrap the programs which verbs take, or add an argument to them that is not used."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Any

from workshop.mutated.calls import Ad, Mutator, VerbCall, named
from workshop.mutated.identities import ERRORS
from workshop.mutated.value_mutators import SHOWING
from workshop.mutated.wrappers import WRAPPERS, Program, Wrapper, has_closure

# The verbs with programs whose derivatives or values are what is asked for; the positions of the programs.
DERIVED = named(
    "grad value_and_grad vjp jvp jacobian jacfwd hessian vmap linearize linear_transpose forward_and_backward"
    " check_gradients gradcheck jit checkpoint functionalize functional.jacobian functional.hessian functional.vjp"
    " functional.jvp functional.vhp functional.hvp scan"
)
WITH_PROGRAMS = dict.fromkeys(sorted(DERIVED), (0,)) | {"cond": (1, 2)}
# Whose program has to be linear: what is added must be, too.
LINEAR = frozenset({"linear_transpose"})
CHOOSING = ("grad", "value_and_grad", "jacobian", "jacfwd", "hessian")


def _mutators() -> Iterator[Mutator]:
    for name, wrapper in WRAPPERS.items():
        # A custom rule, or a loop of the engine, is not transposed.
        verbs = frozenset(WITH_PROGRAMS) - (frozenset() if name in TRANSPOSABLE else LINEAR)
        yield Mutator(
            f"program_{name}",
            verbs,
            _wrapped(wrapper),
            _closed if wrapper.closed else _has_program,
            SHOWING | wrapper.unless,
            wrapper.needs,
        )
    for place, in_front in {"front": True, "back": False}.items():
        unused = f"unused_in_{place}_of"
        for verb in CHOOSING:
            needs = frozenset({f"{verb}.argnums"})
            apply = _chosen_later(in_front)
            yield Mutator(f"{unused}_{verb}", frozenset({verb}), apply, _has_program, SHOWING | ERRORS, needs)
        yield Mutator(f"{unused}_jvp", frozenset({"jvp"}), _with_tangent(in_front), _has_program, SHOWING)
        yield Mutator(f"{unused}_vmap", frozenset({"vmap"}), _shared(in_front), _has_program, SHOWING)


TRANSPOSABLE = frozenset({"jitted", "checkpointed", "averaged", "argument_times_one", "result_times_one"})


def _has_program(call: VerbCall) -> bool:
    return all(len(call.args) > n and callable(call.args[n]) for n in WITH_PROGRAMS[call.verb])


def _closed(call: VerbCall) -> bool:
    return _has_program(call) and not any(has_closure(call.args[n]) for n in WITH_PROGRAMS[call.verb])


def _wrapped(wrapper: Wrapper) -> Callable[[Ad, VerbCall], Any]:
    def apply(ad: Ad, call: VerbCall) -> Any:
        chosen = WITH_PROGRAMS[call.verb]
        args = [wrapper.around(ad, x) if n in chosen else x for n, x in enumerate(call.args)]
        return call.run(*args)

    return apply


def _taking(program: Program, in_front: bool) -> Program:
    """The program with one argument more, which it does not use."""
    return lambda *args, **kwargs: program(*(args[1:] if in_front else args[:-1]), **kwargs)


def _with_unused(ad: Ad, args: tuple[Any, ...], in_front: bool) -> tuple[Any, ...]:
    return (ad.array(5.0), *args) if in_front else (*args, ad.array(5.0))


def _chosen_later(in_front: bool) -> Callable[[Ad, VerbCall], Any]:
    def apply(ad: Ad, call: VerbCall) -> Any:
        # Negative numbers count from the end, where an argument may be added.
        argnums = call.args[1] if len(call.args) > 1 else call.kwargs.get("argnums", 0)
        several = isinstance(argnums, (tuple, list))
        moved = tuple(n + (n >= 0 if in_front else -(n < 0)) for n in (argnums if several else (argnums,)))
        options = {"argnums": type(argnums)(moved) if several else moved[0]}
        if not in_front and "argnums" not in call.kwargs and len(call.args) < 2:
            options = {}
        function = call.function(_taking(call.args[0], in_front), **(dict(call.kwargs) | options))

        def derivative(*args: Any, **kwargs: Any) -> Any:
            return function(*_with_unused(ad, args, in_front), **kwargs)

        return derivative

    return apply


def _with_tangent(in_front: bool) -> Callable[[Ad, VerbCall], Any]:
    def apply(ad: Ad, call: VerbCall) -> Any:
        program, primals, tangents = call.args[:3]
        more = [_with_unused(ad, tuple(arrays), in_front) for arrays in (primals, tangents)]
        return call.function(_taking(program, in_front), *more, *call.args[3:], **call.kwargs)

    return apply


def _shared(in_front: bool) -> Callable[[Ad, VerbCall], Any]:
    def apply(ad: Ad, call: VerbCall) -> Any:
        if len(call.args) > 1:
            return call.run()
        axes = call.kwargs.get("in_axes", 0)

        def mapped(*args: Any, **kwargs: Any) -> Any:
            # A list means the same as a tuple, and one axis is that of all arguments.
            of_each = tuple(axes) if isinstance(axes, (tuple, list)) else (axes,) * len(args)
            in_axes = (None, *of_each) if in_front else (*of_each, None)
            function = call.run(_taking(call.args[0], in_front), in_axes=in_axes)
            return function(*_with_unused(ad, args, in_front), **kwargs)

        return mapped

    return apply


MUTATORS = tuple(_mutators())
