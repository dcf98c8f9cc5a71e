"""A range of seeds on an engine: what is farmed out. The same arguments give the same batch, on any machine."""

from __future__ import annotations

import time
import warnings
from collections import Counter
from collections.abc import Callable
from functools import partial
from typing import Any

import msgspec
import numpy

from conformance.programs.compiled import compiled_is_eager
from conformance.programs.engine import LoadedEngine, engine_of, kinds_of
from conformance.programs.generator.generate import generate_program
from conformance.programs.generator.kinds import KINDS
from conformance.programs.program import Program
from conformance.programs.shrinking.shrink import LIMIT, shrink_program
from conformance.programs.shrinking.signatures import explains, likeness, signature
from conformance.programs.trying import FoundDifference, ProgramOutcome, applying, tried
from conformance.protocol import CompilingAdapter

__all__ = [
    "KINDS",
    "ProgramFinding",
    "SeedBatch",
    "finding_of",
    "findings_of",
    "kinds_of",
    "specification_of",
    "try_batch",
]

# The engine in which the specification is written.
SPECIFICATION = "reference"
# How many smaller programs are tried where each has to be compiled.
FEW = 60


class ProgramFinding(msgspec.Struct, frozen=True):
    """A difference that no known signature explains, with the smallest program that shows it."""

    signature: str
    oracle: str
    kind: str
    seed: int
    message: str
    program: Program


class SeedBatch(msgspec.Struct, frozen=True):
    """What came of the seeds from `first` to `last`, which is not among them."""

    first: int
    last: int
    programs: int
    judged: int
    unsupported: dict[str, int]
    explained: dict[str, int]
    findings: list[ProgramFinding]
    seconds: float


def try_batch(
    engine: str,
    kind: str,
    first: int,
    last: int,
    known: tuple[str, ...] = (),
    started: Callable[[int], Any] = lambda seed: None,
) -> SeedBatch:
    """Try the programs of these seeds.

    `started` is called with each seed before its program is tried, and before each smaller one that is tried for it.
    Raises EngineError, for an engine that is none.
    """
    begun = time.perf_counter()
    subject, specification = engine_of(engine), specification_of(engine, kind)
    unsupported, explained, findings = Counter[str](), Counter[str](), list[ProgramFinding]()
    with warnings.catch_warnings(), numpy.errstate(all="ignore"):
        warnings.simplefilter("ignore")
        for seed in range(first, last):
            program = generate_program(kind, seed)
            started(seed)
            again = partial(started, seed)
            found = findings_of(program, seed, subject, specification, known, explained, unsupported, again)
            findings += [found] if found else []
    count = last - first
    judged = count - sum(unsupported.values())
    return SeedBatch(
        first, last, count, judged, dict(unsupported), dict(explained), findings, time.perf_counter() - begun
    )


def specification_of(engine: str, kind: str) -> LoadedEngine | None:
    """The reference engine, for all engines but itself, and for the programs that it can run."""
    if engine == SPECIFICATION or kind not in (*kinds_of(SPECIFICATION), "function", "mapped_writes", "traced_rules"):
        return None
    return engine_of(SPECIFICATION)


def findings_of(
    program: Program,
    seed: int,
    engine: LoadedEngine,
    specification: LoadedEngine | None,
    known: tuple[str, ...],
    explained: Counter[str],
    unsupported: Counter[str],
    again: Callable[[], Any] = lambda: None,
) -> ProgramFinding | None:
    """What is found of one program that is not explained; what is, and what is unsupported, is counted."""
    oracles = applying(program, engine, seed)
    while oracles:
        outcome = _tried(program, engine, specification, oracles)
        if outcome.unsupported:
            unsupported[outcome.unsupported] += 1
        if outcome.found is None:
            return None
        by, finding = _by(known, outcome.found, program), None
        if by is None:
            found, smallest = _shrunk(program, engine, specification, outcome.found, again)
            # Of a smaller program the same may be said in other words, such as one value in the place of its view.
            by, finding = _by(known, found, smallest), _finding(found, smallest, seed)
        if by is None:
            return finding
        explained[by] += 1
        # What is known may hide what is not: the oracles after it are asked, too.
        oracles = oracles[oracles.index(outcome.found.oracle) + 1 :] if outcome.found.oracle in oracles else ()
    return None


def _tried(
    program: Program, engine: LoadedEngine, specification: LoadedEngine | None, oracles: tuple[str, ...]
) -> ProgramOutcome:
    if isinstance(engine.adapter, CompilingAdapter):
        return compiled_is_eager(program, engine)
    return tried(program, engine, specification, oracles)


def _by(known: tuple[str, ...], found: FoundDifference, program: Program) -> str | None:
    return next((one for one in known if explains(one, found, program)), None)


def _shrunk(
    program: Program,
    engine: LoadedEngine,
    specification: LoadedEngine | None,
    found: FoundDifference,
    again: Callable[[], Any],
) -> tuple[FoundDifference, Program]:
    """The smallest program that shows a difference, and what is found of that."""

    def fails(candidate: Program) -> bool:
        again()
        other = _tried(candidate, engine, specification, (found.oracle,)).found
        return other is not None and likeness(other) == likeness(found)

    smallest = shrink_program(program, fails, FEW if isinstance(engine.adapter, CompilingAdapter) else LIMIT)
    return _tried(smallest, engine, specification, (found.oracle,)).found or found, smallest


def _finding(found: FoundDifference, smallest: Program, seed: int) -> ProgramFinding:
    message = f"got {found.difference.got}, expected {found.difference.expected}"
    return ProgramFinding(signature(found, smallest), found.oracle, smallest.kind, seed, message[:1000], smallest)


def finding_of(engine: str, kind: str, seed: int, oracle: str, message: str) -> ProgramFinding:
    """The finding of a program in which a process ended or took too long. It is not run, and not made smaller."""
    what = f"{oracle}: {kind}" if oracle == "timeout" else f"{oracle}: {kind}: {message}"
    return ProgramFinding(what, oracle, kind, seed, message, generate_program(kind, seed))
