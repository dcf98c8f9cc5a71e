"""The report of a program, by its seed or of a finding: outcomes of oracles, source and native program."""

from __future__ import annotations

import msgspec

from conformance.engines import EngineError
from conformance.laws.comparison import without_warnings
from conformance.programs.batch import Batch
from conformance.programs.engine import engine_of
from conformance.programs.generator.generate import generate_program
from conformance.programs.generator.kinds import KINDS
from conformance.programs.program import Program
from conformance.programs.program_trial import ProgramOutcome, oracles_of, try_program
from conformance.programs.source.checks import check_of, statement_of
from conformance.programs.source.native import native_of
from conformance.programs.source.report import OracleOutcome, ProgramReport
from conformance.programs.source.writer import listing
from conformance.scripts.trees import Underivable
from conformance.tallies import place_of


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
        finding = Batch(engine).finding_in(program, seed)
        if finding is None:
            return msgspec.structs.replace(report, listing=report.drawn)
        smallest, oracle = msgspec.convert(finding.program, Program), place_of(finding)[0]
        shrunk = show_finding(spec, smallest, oracle, name, finding.signature)
    return msgspec.structs.replace(shrunk, drawn=report.drawn, oracles=outcomes)


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
        check, native, problem = "", "", ""
        try:
            if failure is None:
                raise Underivable("the oracle finds nothing wrong")
            check = check_of(program, failure.oracle, engine, failure)
            native = native_of(program, failure, engine, f"program {name}, {signature}")
        except Underivable as error:
            problem = str(error)
    message = f"got {failure.difference.got}, expected {failure.difference.expected}" if failure else ""
    return ProgramReport(
        name=name,
        engine=spec,
        signature=signature,
        oracle=oracle,
        message=message,
        listing=listing(program.body),
        check=check,
        native=native,
        problem=problem,
    )
