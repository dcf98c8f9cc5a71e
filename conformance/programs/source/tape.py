"""The check of a program on a tape: its steps, and what the reference engine shows of its values."""

from __future__ import annotations

from typing import Any

import numpy

from conformance.laws.comparison import RELATIVE, Difference
from conformance.programs.execution import inputs_of
from conformance.programs.forms import FORMS
from conformance.programs.observations import UNJUDGED, Observed, observed
from conformance.programs.program import Program
from conformance.programs.source.law_source import numbers_shown
from conformance.programs.source.writer import Writer
from conformance.scripts.trees import Underivable, text_of

# How each observation of a value is made in a check.
ASKED = {
    "numbers": "ad.detach({0})",
    "requires_grad": "ad.requires_grad({0})",
    "is_leaf": "ad.is_leaf({0})",
    "writes": "ad.version_of({0}) - before{0}",
    "gradient": "ad.gradient_of({0})",
}


def taped(program: Program, reference: Any, difference: Difference | None, versions: bool) -> list[str]:
    """The lines of a check. It asks for what differs, or for all that can be seen where nothing does.

    `reference` has the verbs of the reference engine, of which expected values are; `versions`: those of values, too.
    Raises Underivable.
    """
    expected = observed(program, reference)
    if expected.error == UNJUDGED:
        raise Underivable("a write into what was saved was found out, of which nothing is promised")
    what, at = (difference.kind, difference.at) if difference else (None, None)
    asked = [
        (number, name)
        for number, shown in enumerate(expected.values)
        for name in shown
        if (what is None or name == what) and at in (None, number) and (versions or name != "writes")
    ]
    # Only the engine raises an error: the check is then that the last value is reached.
    if what == "error" and not expected.error:
        asked = [(number, "numbers") for number, shown in enumerate(expected.values) if shown][-1:]
    heard = what in (None, "hooks") and any(FORMS[step.form].heard for step in program.body.steps)
    # Operations may write into their results before they return them: writes count from then.
    before = {number for number, name in asked if name == "writes" and number >= len(program.inputs)}
    lines = _lines(program, expected, heard, before)
    lines += [_asserted(expected.values[number][name], f"v{number}", name, number in before) for number, name in asked]
    return [*lines, f"equal(heard, {expected.heard})"] if heard and not expected.error else lines


def _lines(program: Program, expected: Observed, heard: bool, before: set[int]) -> list[str]:
    """The program. A step at which the reference engine raises an error is the last."""
    names = [f"v{number}" for number in range(len(program.inputs))]
    verbs = ["leaf" if x.requires_grad else "array" for x in program.inputs]
    lines = ["heard = []"] if heard else []
    lines += [f"{n} = ad.{verb}({x})" for n, verb, x in zip(names, verbs, inputs_of(program), strict=True)]
    writer, steps = Writer(heard), program.body.steps
    ended = len(expected.values) - len(program.inputs) if expected.error else None
    for step in steps[:ended]:
        made = _step_lines(writer, step, names)
        lines += ["", *made] if step.bodies else made
        if len(names) - 1 in before:
            lines.append(f"before{names[-1]} = ad.version_of({names[-1]})")
    if ended is not None:
        made = _step_lines(writer, steps[ended], names)
        kind = expected.error.rpartition(" ")[2]
        # The error itself is the observation: on another engine the step may pass, or raise another.
        lines += ["raised = None", "try:", *(f"    {line}" for line in made), "except Exception as error:"]
        lines += ["    raised = type(error).__name__", f"equal(raised, {kind!r})"]
    return lines


def _step_lines(writer: Writer, step: Any, names: list[str]) -> list[str]:
    return text_of(writer.lines([step], names)).splitlines()


def _asserted(value: Any, name: str, what: str, before: bool) -> str:
    got = ASKED[what].format(name)
    if what == "writes" and not before:
        got = f"ad.version_of({name})"
    if isinstance(value, numpy.ndarray):
        got = f"ad.detach({got})" if what == "gradient" else got
        size = float(numpy.max(numpy.abs(value), initial=1.0))
        within = f"within={RELATIVE * size:.0e}, because='rounding in a long computation'"
        return f"close({got}, {numbers_shown(value)}, {within})"
    return f"equal({got}, {value!r})"
