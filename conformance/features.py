"""The features that a check touches, read from its compiled code: no engine is needed, and nothing runs.

Before a run, only this module knows them. In a run, `RecordingAdapter` notes what is touched in fact: a subset.
"""

from __future__ import annotations

import dis
from collections.abc import Callable, Iterator
from types import CodeType, FunctionType
from typing import Any

from conformance.protocol import vocabulary


def features_of(check: Callable[..., Any], *values: Any) -> frozenset[str]:
    """The verbs that a check names, through the functions of its chapter and those among `values`, its case."""
    return frozenset(verb for code in codes_of(check, values) for verb in _verbs(code))


def arguments_of(check: Callable[..., Any], *values: Any) -> frozenset[str]:
    """The arguments that a check gives to verbs by name, as features (`backward.retain_graph`).

    It may name too many: the code does not say which of its calls gives which name.
    """
    return frozenset(
        f"{verb}.{name}"
        for code in codes_of(check, values)
        for verb in _verbs(code)
        for name in _keywords(code) & set(vocabulary()[verb].signature.parameters)
    )


def _keywords(code: CodeType) -> set[str]:
    """The compiler keeps the names of a call's arguments in a tuple."""
    return {name for names in code.co_consts if isinstance(names, tuple) for name in names if isinstance(name, str)}


def codes_of(check: Callable[..., Any], values: tuple[Any, ...]) -> Iterator[CodeType]:
    """The code of a check, of the functions that it calls, and of those of its case."""
    # Functions of a chapter may call each other in a circle.
    seen: set[FunctionType] = set()
    left: list[Any] = [check, *values]
    while left:
        value = left.pop()
        if isinstance(value, FunctionType) and value not in seen:
            seen.add(value)
            for code in _codes(value.__code__):
                yield code
                left += _called(value, code)
        elif isinstance(value, (tuple, list)):
            left += value


def _codes(code: CodeType) -> Iterator[CodeType]:
    """The code of a function, and of the functions and lambdas inside it."""
    yield code
    for constant in code.co_consts:
        if isinstance(constant, CodeType):
            yield from _codes(constant)


def _called(function: FunctionType, code: CodeType) -> list[Any]:
    """The functions of the same module that the code names."""
    values = [function.__globals__.get(name) for name in code.co_names]
    # Of the same module: assertions and other functions from outside receive what verbs return, and never `ad`.
    return [value for value in values if isinstance(value, FunctionType) and value.__module__ == function.__module__]


def _verbs(code: CodeType) -> Iterator[str]:
    """Every `ad.x` and `ad.x.y` of the code that is a verb: attributes of the name `ad`."""
    path: list[str] = []
    for instruction in dis.get_instructions(code):
        # Python 3.13 loads two names at once, or stores a name and loads another: the attribute is of the second.
        last = instruction.argval[-1:] if isinstance(instruction.argval, tuple) else (instruction.argval,)
        if path and instruction.opname in ("LOAD_ATTR", "LOAD_METHOD"):
            path.append(str(*last))
            if (verb := ".".join(path[1:])) in vocabulary():
                yield verb
        else:
            path = ["ad"] if "LOAD_" in instruction.opname and last == ("ad",) else []
