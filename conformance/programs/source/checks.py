"""The check of a program: the program and the oracle that fails on it, as the source of a function `check(ad)`.

A check ends with a law's own source, or with a comparison with numbers.
"""

from __future__ import annotations

import textwrap

from conformance.laws.comparison import largest
from conformance.laws.compositions import reverse
from conformance.laws.differences import central
from conformance.laws.law import EqualityLaw
from conformance.programs.engine import LoadedEngine
from conformance.programs.generator.kinds import KINDS
from conformance.programs.oracles import BY_DIFFERENCES, ORACLES
from conformance.programs.program import Program
from conformance.programs.program_trial import FoundDifference
from conformance.programs.shapes import shapes_of
from conformance.programs.source.law_source import Text, WrittenSubject, array_lines, law_lines, listed, numbers_shown
from conformance.programs.source.tape import taped
from conformance.programs.source.writer import listing
from conformance.programs.subject import ProgramSubject
from conformance.recording_adapter import FeatureMissing
from conformance.scripts.trees import Underivable

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
    failure: FoundDifference | None = None,
    name: str = "check",
    *,
    versions: bool = True,
) -> str:
    """The source of a check that passes on an engine where the oracle finds nothing.

    What it compares with is computed in the check, or comes from the reference engine. Without `versions`, those of
    values on a tape are not compared. Raises Underivable.
    """
    try:
        if KINDS[program.kind].tape:
            if engine.reference is None:
                raise Underivable("there is no second engine")
            lines = taped(program, engine.reference.ad, failure.difference if failure else None, versions)
        else:
            other = ProgramSubject(program, engine.reference.ad) if engine.reference else None
            lines = _lines_of(oracle, ProgramSubject(program, engine.ad), other)
    except Underivable:
        raise
    except FeatureMissing as missing:
        raise Underivable(f"no {missing}") from None
    except Exception as error:
        raise Underivable(f"it raises {type(error).__name__}") from error
    # Parts begin and end with a blank line: of two in a row, one stays.
    body = "\n".join(line for at, line in enumerate(lines) if line or (at and lines[at - 1]))
    return f'def {name}(ad):\n    """{statement_of(oracle)}"""\n{textwrap.indent(body.strip(), "    ")}\n'


def _lines_of(oracle: str, case: ProgramSubject, other: ProgramSubject | None) -> list[str]:
    """The lines of a check of a program that returns a value; `other` is the program on the reference engine."""
    # Before the program is run, which is what raises the error: `runs` is written of shapes alone.
    if oracle == "runs":
        return runs(case)
    case.prepared()
    law = ORACLES.get(oracle)
    if isinstance(law, EqualityLaw):
        return law_lines(law, case)
    if oracle in BY_DIFFERENCES:
        return beside_differences(oracle, case)
    if oracle != "reference":
        raise Underivable(f"{oracle} is no oracle of programs")
    return beside_reference(case, other)


def runs(case: ProgramSubject) -> list[str]:
    """The program returns an array of the shape that is known without running it."""
    shape = shapes_of(case.program)[case.program.body.gives[0]]
    program = listing(case.program.body).splitlines()
    inputs = listed(f"x{n}" for n in range(len(case.point)))
    return [*array_lines("x", case.point), "", *program, "", f"equal(program({inputs}).shape, {shape})"]


def beside_differences(oracle: str, case: ProgramSubject) -> list[str]:
    """The derivative along the directions by a mode is a number."""
    derivative, difference = BY_DIFFERENCES[oracle], ORACLES[oracle](case)
    got = case.number(derivative(case, case.scalar, 0)(*case.primals))
    expected = float(difference.expected) if difference else central(case.along(case.scalar, 0)).value
    # Forward mode is written where reverse mode raises an error: there are no terms to measure rounding by.
    scale = max(case.scale((), case.gradient if derivative is reverse else ()), abs(got))
    # The oracle passes where differences do not settle; then there is no number to write.
    if difference is None and not abs(expected - got) <= case.nearness * scale:
        raise Underivable("it has no derivative there, as differences show")
    at = WrittenSubject(case)
    written = derivative(at, at.scalar, 0)(*at.primals)
    at.close(written, _literal(expected), 2 * scale, case.nearness, "by central differences")
    return at.source


def beside_reference(case: ProgramSubject, other: ProgramSubject | None) -> list[str]:
    """Value and gradient are numbers."""
    if other is None:
        raise Underivable("the reference engine does not run it")
    at, value, gradient = WrittenSubject(case), other.prepared().plain[0], other.numbers(other.gradient)
    at.close(Text("program")(*at.primals), _literal(value), largest([value]))
    for got, expected in zip(at.gradient, gradient, strict=True):
        at.close(got, _literal(expected), largest([expected]))
    return at.source


def _literal(numbers: object) -> Text:
    return Text(numbers_shown(numbers))
