"""A program of a seed, or of a finding, as it is shown: what each oracle says, and source and native program."""

from __future__ import annotations

import warnings
from collections import Counter

import msgspec
import numpy

from conformance.engines import EngineError
from conformance.programs.batch import finding_in, specification_of
from conformance.programs.engine import engine_of
from conformance.programs.generator.generate import generate_program
from conformance.programs.generator.kinds import KINDS
from conformance.programs.program import Program
from conformance.programs.program_trial import ProgramOutcome, oracles_of, try_program
from conformance.programs.source.checks import Unwritable, check_of, statement_of
from conformance.programs.source.graph import graph_of
from conformance.programs.source.native import native_of
from conformance.programs.source.report import OracleSaid, ShownProgram
from conformance.programs.source.writer import listing
from conformance.scripts import Underivable
from conformance.tallies import place_of

__all__ = ["show_finding", "show_seed"]


def show_seed(spec: str, kind: str, seed: int) -> ShownProgram:
    """The program of a kind and seed on an engine, and the smallest that shows what is found first.

    Raises EngineError for an engine, or a kind of program, that is none.
    """
    if kind not in KINDS:
        raise EngineError(f"there are no programs of kind {kind!r}: the kinds are {', '.join(KINDS)}")
    engine, program, name = engine_of(spec), generate_program(kind, seed), f"{kind}:{seed}"
    reference = specification_of(spec, kind)
    with warnings.catch_warnings(), numpy.errstate(all="ignore"):
        warnings.simplefilter("ignore")
        oracles = oracles_of(program, engine, seed)
        first = try_program(program, engine, reference, oracles)
        each = [(one, try_program(program, engine, reference, (one,))) for one in oracles]
        said = [OracleSaid(one, statement_of(one), _said(outcome)) for one, outcome in each]
        if first.unsupported and not first.found:
            return ShownProgram(
                name, spec, given=listing(program.body), said=said, problem=f"unsupported: {first.unsupported}"
            )
        finding = finding_in(program, seed, engine, reference, (), Counter(), Counter())
        if finding is None:
            return ShownProgram(
                name,
                spec,
                given=listing(program.body),
                said=said,
                listing=listing(program.body),
                graph=graph_of(program),
            )
        smallest, oracle = msgspec.convert(finding.program, Program), place_of(finding)[0]
        shown = show_finding(spec, smallest, oracle, name, finding.signature)
    return msgspec.structs.replace(shown, given=listing(program.body), said=said)


def _said(outcome: ProgramOutcome) -> str:
    if outcome.found:
        difference = outcome.found.difference
        return f"{difference.kind}: got {difference.got}, expected {difference.expected}"
    return f"not judged: {outcome.unsupported}" if outcome.unsupported else "holds"


def show_finding(spec: str, program: Program, oracle: str, name: str, signature: str) -> ShownProgram:
    """A program that an oracle finds wrong on an engine. Raises EngineError."""
    engine, reference = engine_of(spec), specification_of(spec, program.kind)
    with warnings.catch_warnings(), numpy.errstate(all="ignore"):
        warnings.simplefilter("ignore")
        found = try_program(program, engine, reference, (oracle,)).found
        check, native, problem = "", "", ""
        try:
            if found is None:
                raise Unwritable("the oracle finds nothing wrong")
            check = check_of(program, found.oracle, engine, reference, found)
            native = native_of(program, found, engine, reference, f"program {name}, {signature}")
        except (Unwritable, Underivable) as error:
            problem = str(error)
    message = f"got {found.difference.got}, expected {found.difference.expected}" if found else ""
    return ShownProgram(
        name=name,
        engine=spec,
        signature=signature,
        oracle=oracle,
        message=message,
        listing=listing(program.body),
        check=check,
        native=native,
        problem=problem,
        graph=graph_of(program),
    )
