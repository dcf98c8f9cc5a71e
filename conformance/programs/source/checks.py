"""The check of a program: the program and the oracle that fails on it, as the source of a function `check(ad)`."""

from __future__ import annotations

import textwrap
from collections.abc import Sequence

from conformance.programs.engine import LoadedEngine
from conformance.programs.generator.kinds import KINDS
from conformance.programs.oracles import ORACLES
from conformance.programs.program import Program
from conformance.programs.program_trial import FoundDifference
from conformance.programs.source.endings import ENDINGS, Unwritable, ending
from conformance.programs.source.tape import taped
from conformance.programs.subject import ProgramSubject
from conformance.recording_adapter import FeatureMissing

__all__ = ["Unwritable", "check_of", "statement_of"]

STATEMENTS = {
    "runs": "The program runs without an error.",
    "forward_is_differences": "The derivative along a direction in forward mode is that of central differences.",
    "reference": "Value and gradient are those of the reference engine.",
    "observations": "What the program shows on the tape is what it shows on the reference engine.",
}


def statement_of(oracle: str) -> str:
    """The claim of an oracle on every program, as a sentence."""
    return STATEMENTS.get(oracle) or str(ORACLES[oracle].__doc__)


def check_of(
    program: Program,
    oracle: str,
    engine: LoadedEngine,
    reference: LoadedEngine | None,
    failure: FoundDifference | None = None,
    name: str = "check",
) -> str:
    """The source of a check that passes on an engine where the oracle finds nothing.

    What it compares with is computed in the check, or comes from the reference engine. Raises Unwritable.
    """
    difference = failure.difference if failure else None
    if oracle not in (*ORACLES, *ENDINGS, "observations"):
        raise Unwritable(f"{oracle} is no oracle of programs")
    try:
        if KINDS[program.kind].tape:
            if reference is None:
                raise Unwritable("there is no second engine")
            lines = taped(program, reference.ad, difference)
        else:
            other = ProgramSubject(program, reference.ad) if reference else None
            lines = ending(oracle, _prepared(ProgramSubject(program, engine.ad)), other)
    except Unwritable:
        raise
    except FeatureMissing as missing:
        raise Unwritable(f"no {missing}") from None
    except Exception as error:
        raise Unwritable(f"it raises {type(error).__name__}") from error
    return _function(name, statement_of(oracle), lines)


def _prepared(case: ProgramSubject) -> ProgramSubject:
    try:
        return case.prepared()
    except FeatureMissing:
        raise
    except Exception:  # `runs` is written of shapes alone
        return case


def _function(name: str, statement: str, lines: Sequence[str]) -> str:
    # Parts begin and end with a blank line: of two in a row, one stays.
    body = "\n".join(line for at, line in enumerate(lines) if line or (at and lines[at - 1]))
    return f'def {name}(ad):\n    """{statement}"""\n{textwrap.indent(body.strip(), "    ")}\n'
