"""Programs of a range of seeds on an engine. The same arguments give the same tally and findings, on any machine."""

from __future__ import annotations

import time
from collections import Counter
from collections.abc import Callable
from dataclasses import dataclass, field
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

# How many smaller programs are tried where each has to be compiled.
FEW = 60


def prepare(engine: str) -> tuple[str, ...]:
    """Load the engine, and the reference engine beside it; the kinds of programs that it has verbs for.

    Raises EngineError.
    """
    kinds = kinds_of(engine)
    for kind in kinds:
        engine_of(engine, kind)
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
    batch, findings = ProgramBatch(engine_of(engine, kind), known, started), dict[str, ResultRecord]()
    # Random programs overflow and divide by zero all the time: an oracle judges the numbers, not the warnings.
    with without_warnings():
        for seed in range(first, last):
            program = generate_program(kind, seed)
            started(seed)
            if failure := batch.failure_in(program, seed):
                finding = _finding(*failure, seed)
                batch.seen[finding.signature] += 1
                # Seeds ascend, so the lowest seed of a signature is the one that stays.
                findings.setdefault(finding.signature, finding)
    count, seconds = last - first, round(time.perf_counter() - begun, 3)
    seen = dict(batch.seen)
    tally = TallyRecord(kind, first, last, count, count - batch.unsupported, batch.unsupported, seen, seconds)
    return tally, list(findings.values())


@dataclass
class ProgramBatch:
    """Programs on an engine, of which those with a `known` signature are `seen`, and no finding.

    `started` is called with the seed before each smaller program.
    """

    engine: LoadedEngine
    known: tuple[str, ...] = ()
    started: Callable[[int], Any] = lambda seed: None
    seen: Counter[str] = field(default_factory=Counter)
    unsupported: int = 0

    def failure_in(self, program: Program, seed: int) -> tuple[FoundDifference, Program] | None:
        """The difference that no known signature explains, and the smallest program with it; others are counted."""
        oracles = oracles_of(program, self.engine, seed)
        while oracles:
            outcome = self._try(program, oracles)
            self.unsupported += bool(outcome.unsupported)
            if outcome.failure is None:
                return None
            by = self._known(outcome.failure, program)
            if by is None:
                failure, smallest = self._shrink(program, seed, outcome.failure)
                # A smaller program may match a known signature that the whole did not: a value in place of a view.
                by = self._known(failure, smallest)
                if by is None:
                    return failure, smallest
            self.seen[by] += 1
            # A known difference may hide a new one, which a later oracle can show: go on behind the oracle that failed.
            failed = outcome.failure.oracle
            oracles = oracles[oracles.index(failed) + 1 :] if failed in oracles else ()
        return None

    def _try(self, program: Program, oracles: tuple[str, ...]) -> ProgramOutcome:
        if isinstance(self.engine.adapter, CompilingAdapter):
            return compiled_is_eager(program, self.engine)
        return try_program(program, self.engine, oracles)

    def _known(self, failure: FoundDifference, program: Program) -> str | None:
        return next((name for name in self.known if explains(name, failure, program)), None)

    def _shrink(self, program: Program, seed: int, failure: FoundDifference) -> tuple[FoundDifference, Program]:
        """Shrink a program while its difference stays alike. Returns the difference of the smallest, and that."""

        def fails(candidate: Program) -> bool:
            self.started(seed)
            other = self._try(candidate, (failure.oracle,)).failure
            return other is not None and likeness(other) == likeness(failure)

        limit = FEW if isinstance(self.engine.adapter, CompilingAdapter) else LIMIT
        smallest = shrink_program(program, fails, limit)
        return self._try(smallest, (failure.oracle,)).failure or failure, smallest


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
