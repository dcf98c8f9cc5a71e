"""Programs of a range of seeds on an engine. The same arguments give the same tally and findings, on any machine."""

from __future__ import annotations

import time
from collections import Counter
from collections.abc import Callable
from functools import partial
from typing import Any

import msgspec

from conformance.laws.comparison import without_warnings
from conformance.programs.compiled import compiled_is_eager
from conformance.programs.engine import LoadedEngine, engine_of, kinds_of
from conformance.programs.generator.generate import generate_program
from conformance.programs.program import Program
from conformance.programs.program_trial import FoundDifference, ProgramOutcome, oracles_of, try_program
from conformance.programs.shrinking.shrink import LIMIT, shrink_program
from conformance.programs.shrinking.signatures import explains, likeness, signature
from conformance.protocol import CompilingAdapter
from conformance.results import ResultRecord, TallyRecord
from conformance.verdicts import Reason, Verdict, Witness

# The engine in which the specification is written.
SPECIFICATION = "reference"
# How many smaller programs are tried where each has to be compiled.
FEW = 60


def prepare(engine: str) -> tuple[str, ...]:
    """Load the engine, and the reference engine beside it; the kinds of programs that it has verbs for.

    Raises EngineError.
    """
    kinds = kinds_of(engine)
    for kind in kinds:
        specification_of(engine, kind)
    return kinds


def try_batch(
    engine: str,
    kind: str,
    first: int,
    last: int,
    known: tuple[str, ...] = (),
    started: Callable[[int], Any] = lambda seed: None,
) -> tuple[TallyRecord, list[ResultRecord]]:
    """Try the programs of these seeds: their tally, and the finding of the lowest seed for each signature.

    `started` is called with each seed before its program is tried, and again before each smaller program.
    Raises EngineError, for an engine that is none.
    """
    begun = time.perf_counter()
    subject, specification = engine_of(engine), specification_of(engine, kind)
    unsupported, seen, findings = Counter[str](), Counter[str](), dict[str, ResultRecord]()
    # Random programs overflow and divide by zero all the time: an oracle judges the numbers, not the warnings.
    with without_warnings():
        for seed in range(first, last):
            program = generate_program(kind, seed)
            started(seed)
            again = partial(started, seed)
            finding = finding_in(program, seed, subject, specification, known, seen, unsupported, again)
            if finding:
                seen[finding.signature] += 1
                # Seeds ascend, so the lowest seed of a signature is the one that stays.
                findings.setdefault(finding.signature, finding)
    lacking, seconds = sum(unsupported.values()), round(time.perf_counter() - begun, 3)
    count = last - first
    tally = TallyRecord(kind, first, last, count, count - lacking, lacking, dict(seen), seconds)
    return tally, list(findings.values())


def specification_of(engine: str, kind: str) -> LoadedEngine | None:
    """The reference engine, for all engines but itself, and for the programs that it can run."""
    if engine == SPECIFICATION or kind not in (*kinds_of(SPECIFICATION), "function", "mapped_writes", "traced_rules"):
        return None
    return engine_of(SPECIFICATION)


def finding_in(
    program: Program,
    seed: int,
    engine: LoadedEngine,
    specification: LoadedEngine | None,
    known: tuple[str, ...],
    explained: Counter[str],
    unsupported: Counter[str],
    again: Callable[[], Any] = lambda: None,
) -> ResultRecord | None:
    """The finding of a program that no known signature explains; explained and unsupported programs are counted."""
    oracles = oracles_of(program, engine, seed)
    while oracles:
        outcome = _tried(program, engine, specification, oracles)
        if outcome.unsupported:
            unsupported[outcome.unsupported] += 1
        if outcome.failure is None:
            return None
        by, finding = _by(known, outcome.failure, program), None
        if by is None:
            failure, smallest = _shrunk(program, engine, specification, outcome.failure, again)
            # A smaller program may match a known signature that the whole did not: a value in place of a view.
            by, finding = _by(known, failure, smallest), _finding(failure, smallest, seed)
        if by is None:
            return finding
        explained[by] += 1
        # A known difference may hide a new one, which a later oracle can show: go on behind the oracle that failed.
        oracles = oracles[oracles.index(outcome.failure.oracle) + 1 :] if outcome.failure.oracle in oracles else ()
    return None


def _tried(
    program: Program, engine: LoadedEngine, specification: LoadedEngine | None, oracles: tuple[str, ...]
) -> ProgramOutcome:
    if isinstance(engine.adapter, CompilingAdapter):
        return compiled_is_eager(program, engine)
    return try_program(program, engine, specification, oracles)


def _by(known: tuple[str, ...], failure: FoundDifference, program: Program) -> str | None:
    return next((name for name in known if explains(name, failure, program)), None)


def _shrunk(
    program: Program,
    engine: LoadedEngine,
    specification: LoadedEngine | None,
    failure: FoundDifference,
    again: Callable[[], Any],
) -> tuple[FoundDifference, Program]:
    """Shrink a program while its difference stays alike; the smallest program, with the difference that it shows."""

    def fails(candidate: Program) -> bool:
        again()
        other = _tried(candidate, engine, specification, (failure.oracle,)).failure
        return other is not None and likeness(other) == likeness(failure)

    smallest = shrink_program(program, fails, FEW if isinstance(engine.adapter, CompilingAdapter) else LIMIT)
    return _tried(smallest, engine, specification, (failure.oracle,)).failure or failure, smallest


def _finding(failure: FoundDifference, smallest: Program, seed: int) -> ResultRecord:
    difference = failure.difference
    message = f"got {difference.got}, expected {difference.expected}"[:1000]
    named = signature(failure, smallest)
    got = "" if difference.error else difference.got
    witness = Witness(got, difference.expected, difference.kind, "", "", difference.error, difference.text)
    reason = Reason.RAISED if difference.error else Reason.DEVIATES
    return _record(named, failure.oracle, smallest, seed, Verdict.FAIL, message, reason=reason, witness=witness)


def finding_of(kind: str, seed: int, verdict: Verdict, message: str) -> ResultRecord:
    """The finding of a program that ended its process or took too long. It is not run, and not made smaller."""
    oracle = verdict.value
    named = f"{oracle}: {kind}" if verdict is Verdict.TIMEOUT else f"{oracle}: {kind}: {message}"
    return _record(named, oracle, generate_program(kind, seed), seed, verdict, message)


def _record(
    named: str, oracle: str, program: Program, seed: int, verdict: Verdict, message: str, **facts: Any
) -> ResultRecord:
    cell, steps = f"{oracle}[{program.kind}:{seed}]", msgspec.to_builtins(program)
    return ResultRecord(cell, verdict, None, message, 0.0, signature=named, program=steps, **facts)
