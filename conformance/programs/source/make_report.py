"""The report of a program, by its seed or of a finding: outcomes of oracles, source and native program."""

from __future__ import annotations

import msgspec

from conformance.engines import EngineError
from conformance.laws.comparison import without_warnings
from conformance.programs.batch import ProgramBatch
from conformance.programs.engine import LoadedEngine, engine_of
from conformance.programs.generator.generate import generate_program
from conformance.programs.generator.kinds import KINDS
from conformance.programs.program import Program
from conformance.programs.program_trial import FoundDifference, ProgramOutcome, oracles_of, try_program
from conformance.programs.shrinking.signatures import signature as signature_of
from conformance.programs.source.checks import check_of, statement_of
from conformance.programs.source.native import native_of
from conformance.programs.source.report import OracleOutcome, ProgramReport
from conformance.programs.source.writer import listing
from conformance.scripts.trees import Underivable


def show_seed(spec: str, kind: str, seed: int) -> ProgramReport:
    """Report the program of a kind and seed on an engine, and the smallest program with its first difference.

    Raises EngineError for an unknown engine or kind.
    """
    if kind not in KINDS:
        raise EngineError(f"there are no programs of kind {kind!r}: the kinds are {', '.join(KINDS)}")
    engine, program, name = engine_of(spec, kind), generate_program(kind, seed), f"{kind}:{seed}"
    with without_warnings():
        oracles = oracles_of(program, engine, seed)
        first = try_program(program, engine, oracles)
        # Each alone as well: the first difference hides those of later oracles.
        outcomes = [_outcome(oracle, try_program(program, engine, (oracle,))) for oracle in oracles]
        report = ProgramReport(name, spec, drawn=listing(program.body), oracles=outcomes)
        if first.unsupported and not first.failure:
            return msgspec.structs.replace(report, problem=f"unsupported: {first.unsupported}")
        # Without known signatures: a report shows what a known failure explains, too.
        shrunk = ProgramBatch(engine).failure_in(program, seed)
        if shrunk is None:
            return msgspec.structs.replace(report, listing=report.drawn)
        failure, smallest = shrunk
        report = msgspec.structs.replace(report, signature=signature_of(failure, smallest), oracle=failure.oracle)
        return _with_source(report, smallest, engine, failure)


def _outcome(oracle: str, outcome: ProgramOutcome) -> OracleOutcome:
    text = f"not judged: {outcome.unsupported}" if outcome.unsupported else "holds"
    if outcome.failure:
        difference = outcome.failure.difference
        text = f"{difference.kind}: got {difference.got}, expected {difference.expected}"
    return OracleOutcome(oracle, statement_of(oracle), text)


def show_finding(spec: str, program: Program, oracle: str, name: str, signature: str) -> ProgramReport:
    """Report a program on which an oracle fails. Raises EngineError."""
    engine = engine_of(spec, program.kind)
    with without_warnings():
        # Again, as a finding has its difference as text only.
        failure = try_program(program, engine, (oracle,)).failure
        return _with_source(ProgramReport(name, spec, signature, oracle), program, engine, failure)


def _with_source(
    report: ProgramReport, program: Program, engine: LoadedEngine, failure: FoundDifference | None
) -> ProgramReport:
    report = msgspec.structs.replace(report, listing=listing(program.body))
    try:
        if failure is None:
            raise Underivable("the oracle finds nothing wrong")
        message = f"got {failure.difference.got}, expected {failure.difference.expected}"
        report = msgspec.structs.replace(report, message=message)
        report = msgspec.structs.replace(report, check=check_of(program, failure.oracle, engine, failure))
        native = native_of(program, failure, engine, f"program {report.name}, {report.signature}")
    except Underivable as error:
        return msgspec.structs.replace(report, problem=str(error))
    return msgspec.structs.replace(report, native=native)
