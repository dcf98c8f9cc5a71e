"""Faults of a target, generated from its signature and from its declaration."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import replace
from itertools import permutations
from typing import Any

from workshop.engine_mutants import conditions as c
from workshop.engine_mutants.callback_faults import callback_faults
from workshop.engine_mutants.conditions import ALWAYS, SECOND_CALL, Condition, both, has
from workshop.engine_mutants.engine_fault import Call, EngineFault
from workshop.engine_mutants.library import Library, library
from workshop.engine_mutants.target import PAIR, PROGRAM, PROGRAMS, VALUE, Target

# What needs more coincidences than two is not made: programs in which all pairs occur leave little of it.
MOST = 2


def faults_of(target: Target) -> list[EngineFault]:
    """All faults of a target, whether or not a witness shows them."""
    lib = library(target.library)
    faults = [*target.faults, *_options(target), *_items(target, lib), *callback_faults(target, lib), *_skipped(target)]
    if target.what in (VALUE, PAIR):
        faults += _results(target, lib, 0)
    if target.what in (PROGRAM, PAIR, PROGRAMS):
        faults += _results(target, lib, 1)
    return faults


def _options(target: Target) -> Iterator[EngineFault]:
    """Each option ignored, alone and beside another."""

    def default(name: str) -> Callable[[Call], Any]:
        return lambda call: call.rebound(name, call.defaults[name])

    # A name with an underscore is for the probe alone, and no parameter.
    named = [name for name in target.settings if not name.startswith("_")]
    for name in named:
        alone = has(name)
        yield EngineFault(f"ignores {name}", alone.weight, "option ignored", alone.when, change_arguments=default(name))
    # Both orders: the first is ignored, and only where the second is set.
    for name, other in permutations(named, 2):
        two = both(has(name), has(other))
        yield EngineFault(
            f"ignores {name} with {other}", two.weight, "option ignored", two.when, change_arguments=default(name)
        )


def _items(target: Target, lib: Library) -> Iterator[EngineFault]:
    """For an argument of several items: only the first is used, two are exchanged, or the second counts double."""

    def several(name: str) -> Callable[[Call], bool]:
        return lambda call: isinstance(call.bound.get(name), (list, tuple)) and len(call.bound[name]) > 1

    def changed(name: str, change: Callable[[list[Any]], list[Any]]) -> Callable[[Call], Any]:
        return lambda call: call.rebound(name, type(call.bound[name])(change(list(call.bound[name]))))

    def doubled(items: list[Any]) -> list[Any]:
        return [items[0], 2 * items[1], *items[2:]] if lib.is_array(items[1]) else items

    for name in target.items:
        changes: tuple[tuple[str, Callable[[list[Any]], list[Any]]], ...] = (
            (f"takes the first of {name} only", lambda items: items[:1]),
            (f"exchanges the first two of {name}", lambda items: [items[1], items[0], *items[2:]]),
            (f"counts the first of {name} for each", lambda items: [items[0]] * len(items)),
            (f"doubles the second of {name}", doubled),
        )
        for text, change in changes:
            yield EngineFault(text, 1, "first only", several(name), change_arguments=changed(name, change))
            # One kind of fault is enough beside an option: the others are seen by the same programs.
            for option in target.settings if text.startswith("exchanges") else ():
                two = both(Condition("", 1, several(name)), has(option))
                if option != name:
                    arguments = changed(name, change)
                    yield EngineFault(
                        f"{text} with {option}", two.weight, "first only", two.when, change_arguments=arguments
                    )


def _skipped(target: Target) -> Iterator[EngineFault]:
    """A call that does nothing, where that can be seen."""
    if not target.skips:
        return

    def instead(call: Call) -> Any:
        return call.args[0] if target.what == VALUE else None

    for condition in (ALWAYS, SECOND_CALL, *(has(option) for option in target.settings)):
        text = f"does nothing {condition.text}".strip()
        yield EngineFault(text, condition.weight, "forgotten", condition.when, instead=instead)


def _results(target: Target, lib: Library, stage: int) -> Iterator[EngineFault]:
    """Results with other numbers, another argument's, of another dtype, or without the right history."""
    whose = "a value" if target.what == PAIR and not stage else "a result"
    options = [has(option) for option in target.settings]
    nested = c.inside(lib, "transform", "inside of a transform")
    for text, family, own, change in _changes(lib):
        # Other changes under the same conditions would be seen by the same programs.
        for more in (ALWAYS, SECOND_CALL, nested, *options) if text.startswith("is doubled") else (ALWAYS,):
            condition = both(own, more)
            if condition.weight > MOST:
                continue
            words = f"{whose} {text} {more.text}".strip()
            family_of = "second call" if more is SECOND_CALL else family
            yield EngineFault(
                words,
                condition.weight,
                family_of,
                condition.when,
                stage,
                change_result=_first_of_pair(target, stage, change),
            )
    yield _bent(target, lib, stage, whose)


def _changes(lib: Library) -> Iterator[tuple[str, str, Condition, Callable[[Any], Any]]]:
    """Changes of a result: words, family, condition, change."""

    def at(number: int, change: Callable[[Any], Any]) -> Callable[[Any], Any]:
        return lambda result: lib.changed(result, lambda n: n == number, change)

    def exchanged(result: Any) -> Any:
        first, second = lib.arrays(result)[:2]
        return at(1, lambda x: first)(at(0, lambda x: second)(result))

    def first_dtype(result: Any) -> Any:
        return at(1, lambda x: lib.cast(x, lib.dtype(lib.arrays(result)[0])))(result)

    # What needs a second or third result is subtle; a first result is always there, so it weighs nothing.
    some, two, three = (c.several(lib, n) for n in (1, 2, 3))
    some = replace(some, weight=0)
    yield "is doubled", "result", some, at(0, lambda x: 2 * x)
    yield "is doubled: the second", "second result", two, at(1, lambda x: 2 * x)
    yield "has its third doubled", "second result", three, at(2, lambda x: 2 * x)
    yield "is exchanged with the next", "exchanged results", two, exchanged
    yield "is zero but for the first", "first only", two, lambda result: lib.changed(result, bool, lambda x: 0 * x)
    yield "is that of the first", "first only", two, lambda result: at(1, lambda x: lib.arrays(result)[0])(result)
    # Of real numbers it would change nothing.
    yield "is conjugated", "complex numbers", both(some, c.is_complex(lib)), at(0, lambda x: x.conj())
    yield "is twice as large in float32", "dtype", both(some, c.in_dtype(lib, "float32")), at(0, lambda x: 2 * x)
    single = both(some, c.in_dtype(lib, "float32"))
    yield "is in float64, not float32", "dtype", single, at(0, lambda x: lib.cast(x, "float64"))
    yield (
        "is in float32, not float64",
        "dtype",
        both(some, replace(c.in_dtype(lib, "float64"), weight=0)),
        at(0, lambda x: lib.cast(x, "float32")),
    )
    yield "has the dtype of the first", "dtype", both(replace(two, weight=0), c.unequal_dtypes(lib)), first_dtype
    # Only a result inside of a transform has history to lose: this shows in second order alone.
    history = Condition("", 2, lambda call: bool(lib.inside(lib.arrays(call.result)[0])))
    yield "has no history", "second order", both(some, history), at(0, lib.constant)


def _first_of_pair(target: Target, stage: int, change: Callable[[Any], Any]) -> Callable[[Call], Any]:
    if target.what == PAIR and not stage:
        return lambda call: (change(call.result[0]), *call.result[1:])
    return lambda call: change(call.result)


def _bent(target: Target, lib: Library, stage: int, whose: str) -> EngineFault:
    """The derivative of a derivative is wrong, and its value right."""

    def when(call: Call) -> bool:
        return bool(lib.inside(lib.arrays(call.result)[0]))

    # With the factor zero it is the neutral mutant: the same operations, and nothing wrong.
    def change(factor: float) -> Callable[[Call], Any]:
        def bend(result: Any) -> Any:
            return lib.changed(result, lambda n: n == 0, lambda x: lib.bent(x, factor, 1))

        return _first_of_pair(target, stage, bend)

    fault = EngineFault(f"{whose} has a wrong derivative", 2, "second order", when, stage, change_result=change(0.5))
    return replace(fault, neutral=replace(fault, change_result=change(0.0)))
