"""Which verbs a behaviour touches, read from its compiled check: how far an adapter reaches, and what to write next."""

from __future__ import annotations

import dis
from collections import Counter
from collections.abc import Collection, Iterator, Mapping
from types import CodeType, FunctionType
from typing import Any

from autograd_conformance.new_engine.records import NextVerb, Reach
from conformance.behaviour import Behaviour
from conformance.protocol import vocabulary

__all__ = ["reach", "touched"]

SHOWN = 3


def reach(
    engine: str, version: str, written: Collection[str], absent: Collection[str], behaviours: Collection[Behaviour]
) -> Reach:
    """How many cells are within reach, and which verb would bring most of the others."""
    missing = [verbs - set(written) - set(absent) for behaviour in behaviours for verbs in _cells(behaviour)]
    within = sum(not verbs for verbs in missing)
    counts = len(written), len(absent), len(vocabulary())
    return Reach(engine, version, *counts, within, len(missing), _following(missing))


def _following(missing: list[set[str]]) -> list[NextVerb]:
    """The verbs that bring most cells within reach by themselves, and among equals those that most cells touch."""
    alone = Counter(next(iter(verbs)) for verbs in missing if len(verbs) == 1)
    touching = Counter(verb for verbs in missing for verb in verbs)
    ranked = sorted(touching, key=lambda verb: (-alone[verb], -touching[verb], verb))
    return [NextVerb(verb, alone[verb]) for verb in ranked[:SHOWN]]


def _cells(behaviour: Behaviour) -> Iterator[set[str]]:
    for values in behaviour.cases.values() or [()]:
        yield touched(behaviour.check, *values)


def touched(check: Any, *values: Any) -> set[str]:
    """The verbs that a check touches, through the functions of its chapter and those that its case gives."""
    found, seen, left = set(), set(), [check, *values]
    while left:
        one = left.pop()
        if isinstance(one, FunctionType) and one not in seen:
            seen.add(one)
            found |= {verb for code in _codes(one.__code__) for verb in _verbs(code)}
            left += _called(one)
        elif isinstance(one, (tuple, list)):
            left += one
    return found


def _codes(code: CodeType) -> Iterator[CodeType]:
    yield code
    for constant in code.co_consts:
        if isinstance(constant, CodeType):
            yield from _codes(constant)


def _called(function: FunctionType) -> list[Any]:
    """The functions of the same module that a function names."""
    scope: Mapping[str, Any] = function.__globals__
    named = [scope.get(name) for code in _codes(function.__code__) for name in code.co_names]
    return [one for one in named if isinstance(one, FunctionType) and one.__module__ == function.__module__]


def _verbs(code: CodeType) -> Iterator[str]:
    """Every `ad.x` and `ad.x.y` of a code object that is a verb: an attribute of an attribute of the name `ad`."""
    path: list[str] = []
    for instruction in dis.get_instructions(code):
        # Python 3.13 loads two names at once, or stores one and loads one; of the second an attribute is then taken.
        last = instruction.argval[-1:] if isinstance(instruction.argval, tuple) else (instruction.argval,)
        if path and instruction.opname in ("LOAD_ATTR", "LOAD_METHOD"):
            path.append(str(*last))
            if (verb := ".".join(path[1:])) in vocabulary():
                yield verb
        else:
            path = ["ad"] if "LOAD_" in instruction.opname and last == ("ad",) else []
