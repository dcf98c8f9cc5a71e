"""All mutations of all checks by number, so that a range of them can be given to a process, and tried again.

Number n is that of the check n modulo the number of checks; the quotient counts its changes: first one at a time, in
the order of `Seed.changes`, then pairs, drawn from a stream of NumPy's that belongs to the check and the quotient. What
the changes of a check are depends on the verbs that the engine has.
"""

from __future__ import annotations

import re
import zlib
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import replace
from functools import lru_cache

import numpy

from conformance import known_failures
from conformance.behaviour import Behaviour
from conformance.collecting import cells
from conformance.engines import load, parse
from conformance.known_failures import KnownFailure
from conformance.programs.mutated.calls import Mutation
from conformance.programs.mutated.judging import MUTATORS, MutationFinding, Seed
from conformance.protocol import Adapter

__all__ = ["Numbering", "entries", "explained", "findings"]

REFERENCE = "reference"


class Numbering:
    """The mutations of these checks (none given: of all chapters) on an engine, by number."""

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
        # Kept for all checks: a range of numbers goes round all of them.
        self._seed = lru_cache(maxsize=None)(self._made)

    def seed(self, number: int) -> Seed:
        """The check of this number."""
        return self._seed(number % len(self._checks))

    def changes(self, number: int) -> tuple[Mutation, ...]:
        """The changes of this number; none where the check can be changed in no such way."""
        seed, turn = self.seed(number), number // len(self._checks)
        if turn < len(seed.changes):
            return (seed.changes[turn],)
        return _pair(seed, turn)

    def singles(self) -> int:
        """How many changes there are, one at a time."""
        return sum(len(self._seed(place).changes) for place in range(len(self._checks)))

    def findings(self, first: int, last: int) -> Iterator[MutationFinding]:
        """Those of the numbers from `first` to `last`, which is not among them."""
        for number in range(first, last):
            changes = self.changes(number)
            found = self.seed(number).tried(changes) if changes else None
            if found is not None:
                yield found

    def _made(self, place: int) -> Seed:
        behaviour, case = self._checks[place]
        seed = Seed(behaviour, case, self._engine, self._reference)
        return replace(seed, known=any(one.concerns(seed.cell) for one in self._known))


def findings(engine: str, first: int, last: int) -> Iterator[MutationFinding]:
    """The findings of a range of numbers on an engine, by name. Raises EngineError if it cannot be loaded."""
    reference = None if parse(engine).text == REFERENCE else load(parse(REFERENCE))
    yield from Numbering(load(parse(engine)), reference).findings(first, last)


def entries(engine: Adapter) -> list[KnownFailure]:
    """The known findings of the engine. Raises KnownFailureError."""
    path = known_failures.file_for(engine.name, str(engine.known_failures or ""))
    return known_failures.load(path, engine.name, engine.version, "mutated")


def explained(finding: MutationFinding, known: Iterable[KnownFailure]) -> KnownFailure | None:
    """The entry that a finding is listed by; None for a new one. Either verdict will do."""
    return next((one for one in known if one.concerns(finding.id) and re.search(one.message, finding.got)), None)


def _pair(seed: Seed, turn: int) -> tuple[Mutation, ...]:
    """Two changes at different calls, both neutral or neither; none where there are no two."""
    if len({change.at for change in seed.changes}) < 2:
        return ()
    stream = numpy.random.default_rng([zlib.crc32(seed.cell.encode()), turn])
    for _ in range(10):  # most draws fit
        one, other = sorted(seed.changes[n] for n in stream.integers(len(seed.changes), size=2))
        if one.at != other.at and MUTATORS[one.mutator].neutral == MUTATORS[other.mutator].neutral:
            return one, other
    return ()
