"""The population: the mutants written by hand, and those that families of faults generate."""

from __future__ import annotations

import ast
import importlib
import pkgutil
from collections import Counter
from collections.abc import Iterator
from contextlib import AbstractContextManager, nullcontext
from functools import cache
from typing import Any

from workshop.mutant import ENGINES, Mutant, MutantError, by_patch, declared
from workshop.mutants import by_hand
from workshop.mutants.source import Fault, Place, changed, default_changed, modules_of, places
from workshop.mutants.source_faults import FAMILIES

# Only the suite's own engine is mutated in its source: that of the others is mostly compiled.
_SOURCES = {"reference": ENGINES["reference"]}
# Characters of changed text in a name: names are printed one on a line, and are patterns in exempt.toml.
_LONGEST = 90
NULL = "null"


@cache
def population() -> dict[str, Mutant]:
    """All mutants by name: those written by hand, then the generated ones in the order of the source."""
    # Importing registers them.
    for module in pkgutil.iter_modules(by_hand.__path__, f"{by_hand.__name__}."):
        importlib.import_module(module.name)
    mutants = {mutant.name: mutant for mutant in declared()}
    taken: Counter[str] = Counter()
    for engine, package in _SOURCES.items():
        for mutant in _generated(engine, package, taken):
            mutants[mutant.name] = mutant
    return mutants


def find(name: str, engine: str) -> Mutant:
    """The mutant of this name; `null` is the engine as it is. Raises MutantError."""
    if name == NULL:
        return Mutant(NULL, engine, "Nothing is changed.", nullcontext, equal=True)
    if name not in population():
        raise MutantError(f"there is no mutant {name!r}")
    return population()[name]


def _generated(engine: str, package: str, taken: Counter[str]) -> Iterator[Mutant]:
    for module, path in modules_of(package).items():
        for place in places(module, path):
            for family in FAMILIES:
                for fault in family(place):
                    yield _mutant(engine, place, fault, taken)


def _mutant(engine: str, place: Place, fault: Fault, taken: Counter[str]) -> Mutant:
    # The name holds the function and the text, and no line number: it stays while the code around it moves.
    text = fault.text if len(fault.text) <= _LONGEST else fault.text[: _LONGEST - 3] + "..."
    name = f"{engine}:{fault.family} {place.where}: {text}"
    # One function can hold the same text twice.
    taken[name] += 1
    if taken[name] > 1:
        name = f"{name} ({taken[name]})"

    def change() -> AbstractContextManager[None]:
        if fault.default is not None:
            return default_changed(place, *fault.default)
        assert fault.rewrite is not None
        return changed(place, fault.rewrite)

    shown = spots(place, True) if fault.raising else frozenset()
    reached = spots(place, fault.branch)
    return Mutant(name, engine, fault.what, by_patch(change), fault.family, reached_by=reached, shown_by=shown)


def spots(place: Place, branch: bool | None = None) -> frozenset[str]:
    """Position of a place in the source: lines of a file, a branch taken there, or the lambda around it."""
    function = place.node if isinstance(place.node, ast.Lambda) else place.function
    if isinstance(function, ast.Lambda):
        # The tables of rules have several lambdas on a line: the column distinguishes them.
        return frozenset({f"{place.module}:{function.body.lineno}:{function.body.col_offset}"})
    if branch is not None:
        # A fault in a part of a condition shows where the `if` around it is taken.
        head: Any = place.node if isinstance(place.node, ast.If) else place.around[-1]
        return frozenset({f"{place.module}:{head.lineno} {str(branch).lower()}"})
    return frozenset(f"{place.module}:{line}" for line in _lines(place.node))


def _lines(node: Any) -> range:
    """The lines that run if the node does: of a compound statement its head, of a function its body."""
    if isinstance(node, ast.FunctionDef):
        return range(node.body[0].lineno, _last(node) + 1)
    if isinstance(node, ast.If):
        return range(node.lineno, _last(node.test) + 1)
    if isinstance(node, ast.For):
        return range(node.lineno, _last(node.iter) + 1)
    return range(node.lineno, _last(node) + 1)


def _last(node: Any) -> int:
    return int(node.end_lineno)
