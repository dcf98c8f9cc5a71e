"""Cells of the laws on operations, run in this process: on an adapter as it is, and on mutants."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from contextlib import nullcontext
from functools import cache, cached_property
from typing import Any

from conformance import trial
from conformance.behaviour import Behaviour
from conformance.collection import cells as collected
from conformance.engines import load_declared, parse
from conformance.laws import LAWS
from conformance.verdicts import Outcome, Verdict
from workshop.mutant import Mutant

# A message about a wrong derivative, or about an error that is missing.
OF_DERIVATIVES = re.compile(
    r"derivative|gradient|VJP|JVP|vmap over|with argument \d+ that requires grad|compiled operation"
)
FAILED = (Verdict.FAIL, Verdict.DIFFERS)


class Cells:
    """The cells of an adapter. Which pass on the adapter as it is, is kept."""

    def __init__(self, engine: str) -> None:
        # Any, as verbs are looked up by name, as in checks.
        self.adapter: Any
        adapter, self.declaration = load_declared(parse(engine))
        # That of a compiler has another for operations.
        self.adapter = getattr(adapter, "on_operations", None) or adapter
        # Thousands of mutants share the cells of an operation.
        self._passes: dict[str, bool] = {}

    @cached_property
    def offered(self) -> frozenset[str]:
        """The operations that the adapter has."""
        return frozenset(dir(self.adapter.np)) & {case_of(cell) for cell in every_cell()}

    def outcome(self, cell: str, mutant: Mutant | None = None) -> Outcome:
        """The outcome of a cell on the adapter as it is, or on a mutant of it."""
        law, case = every_cell()[cell]
        with mutant.change(self.adapter) if mutant else nullcontext(self.adapter) as adapter:
            return trial.run(law, adapter, case, declaration=self.declaration)

    def passes(self, cell: str) -> bool:
        """Whether the cell passes on the adapter as it is."""
        if cell not in self._passes:
            self._passes[cell] = self.outcome(cell).verdict is Verdict.PASS
        return self._passes[cell]

    def of(self, operation: str, laws: Iterable[str] = ()) -> list[str]:
        """The cells of an operation, of the laws or chapters with these names in this order (default: all)."""
        every = [cell for cell in every_cell() if case_of(cell) == operation]
        return [c for law in laws for c in every if law in (law_of(c), c.partition(".")[0])] if laws else every

    def failure(self, cell: str, mutant: Mutant) -> str:
        """The message, where the cell fails on a mutant, and for a wrong derivative; else empty."""
        outcome = self.outcome(cell, mutant)
        return outcome.message if outcome.verdict in FAILED and OF_DERIVATIVES.search(outcome.message) else ""

    def kills(self, mutant: Mutant, cells: Iterable[str]) -> Iterator[tuple[str, str]]:
        """Those of the cells that pass, and fail on a mutant, each with its message."""
        for cell in cells:
            if self.passes(cell) and (message := self.failure(cell, mutant)):
                yield cell, message


def law_of(cell: str) -> str:
    """The law of a cell: `derivatives.forward_mode_gives_the_derivative`."""
    return cell.partition("[")[0]


def case_of(cell: str) -> str:
    """The operation of a cell."""
    return cell.partition("[")[2].removesuffix("]")


@cache
def every_cell() -> dict[str, tuple[Behaviour, str | None]]:
    """The law and the case of each cell."""
    return collected(LAWS)
