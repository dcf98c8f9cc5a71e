"""All mutations of all checks by number, so that a range of them can be given to a process, and run again.

Number n belongs to check n modulo the number of checks; the quotient counts its changes: first one at a time, in the
order of `CheckUnderMutation.changes`, then pairs, drawn from a stream of NumPy's that depends on the check and the
quotient. Which changes a check admits depends on the verbs that the engine has.
"""

from __future__ import annotations

import re
import zlib
from collections.abc import Iterable, Iterator, Mapping
from functools import lru_cache

import numpy

from conformance import known_failures
from conformance.behaviour import Behaviour
from conformance.collection import cells
from conformance.known_failures import KnownFailure
from conformance.protocol import Adapter
from workshop.mutated.calls import Mutation
from workshop.mutated.check import MUTATORS, CheckUnderMutation, MutationFinding


class MutationSpace:
    """The mutations of these checks (default: of all chapters) on an engine, by number."""

    def __init__(
        self,
        engine: Adapter,
        reference: Adapter | None = None,
        checks: Mapping[str, tuple[Behaviour, str | None]] | None = None,
    ) -> None:
        self._engine, self._reference = engine, reference
        self._checks = list((cells() if checks is None else checks).values())
        path = known_failures.file_for(engine.name, str(engine.known_failures or ""))
        self._known = known_failures.load(path, engine.name, engine.version)
        # No bound: a range of numbers goes round all checks, so that an evicted one would be run anew each time.
        self._check_at = lru_cache(maxsize=None)(self._make)

    def __len__(self) -> int:
        """The number of mutations with one change."""
        return sum(len(self.check(place).changes) for place in range(len(self._checks)))

    def check(self, number: int) -> CheckUnderMutation:
        """The check of this number."""
        return self._check_at(number % len(self._checks))

    def changes(self, number: int) -> tuple[Mutation, ...]:
        """The changes of this number; none where the check does not admit so many."""
        check, turn = self.check(number), number // len(self._checks)
        if turn < len(check.changes):
            return (check.changes[turn],)
        return _pair(check, turn)

    def findings(self, first: int, last: int) -> Iterator[MutationFinding]:
        """The findings of the numbers from `first` to `last`, exclusive."""
        for number in range(first, last):
            changes = self.changes(number)
            finding = self.check(number).apply(changes) if changes else None
            if finding is not None:
                yield finding

    def _make(self, place: int) -> CheckUnderMutation:
        behaviour, case = self._checks[place]
        cell = f"{behaviour.id}[{case}]" if case else behaviour.id
        known = any(entry.concerns(cell) for entry in self._known)
        return CheckUnderMutation(behaviour, case, self._engine, self._reference, known)


def known_findings(engine: Adapter) -> list[KnownFailure]:
    """The known findings of the engine. Raises KnownFailureError."""
    path = known_failures.file_for(engine.name, str(engine.known_failures or ""))
    return known_failures.load(path, engine.name, engine.version, "mutated")


def explain(finding: MutationFinding, known: Iterable[KnownFailure]) -> KnownFailure | None:
    """The entry that lists a finding; None for a new one. Either verdict will do."""
    entries = (entry for entry in known if entry.concerns(finding.id) and re.search(entry.message, finding.got))
    return next(entries, None)


def _pair(check: CheckUnderMutation, turn: int) -> tuple[Mutation, ...]:
    """Two changes at different calls, both neutral or neither; none where there are no two."""
    if len({change.at for change in check.changes}) < 2:
        return ()
    stream = numpy.random.default_rng([zlib.crc32(check.cell.encode()), turn])
    for _ in range(10):  # most draws fit
        first, second = sorted(check.changes[n] for n in stream.integers(len(check.changes), size=2))
        if first.at != second.at and MUTATORS[first.mutator].neutral == MUTATORS[second.mutator].neutral:
            return first, second
    return ()
