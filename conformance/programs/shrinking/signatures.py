"""Signatures: a finding's oracle, its kind of difference, and the features of its smallest program."""

from __future__ import annotations

import re
from collections.abc import Iterator
from fnmatch import fnmatchcase
from functools import cache

from conformance.laws.comparison import Difference
from conformance.programs.forms import FORMS
from conformance.programs.program import Body, Program
from conformance.programs.program_trial import FoundDifference

# Numbers, addresses and quoted names in messages differ from program to program.
VARYING = re.compile(r"0x[0-9a-f]+|\d+(\.\d+)?|'[^']*'|\"[^\"]*\"|\[.*?\]")


def features(program: Program) -> frozenset[str]:
    """The features of a program: its forms, the forms around them, and whether an operand is the target."""
    return frozenset(_features(program.body, "", {}))


def _features(body: Body, inside: str, places: dict[int, tuple[int, int]]) -> Iterator[str]:
    """The features of a body; `places` has the array and the memory of each value outside of it."""
    start = len(places)
    places = {**places, **{number: (number, number) for number in range(start, start + body.parameters)}}
    for number, step in enumerate(body.steps, start + body.parameters):
        form = FORMS[step.form]
        taken = [places[value] for value in step.takes]
        yield from [inside] if inside else []
        yield f"{step.form}{_shared(taken) if form.writes else ''}"
        array, memory = taken[0] if taken and (form.writes or form.view) else (number, number)
        places[number] = (array if form.writes else number, memory)
        for inner in step.bodies:
            yield from _features(inner, step.form, {value: places[value] for value in range(number)})


def _shared(taken: list[tuple[int, int]]) -> str:
    """Whether another operand is the array that is written, or lies in the same memory otherwise."""
    array, memory = taken[0]
    if any(other == array for other, _ in taken[1:]):
        return ":itself"
    return ":overlapping" if any(other == memory for _, other in taken[1:]) else ""


def raised(difference: Difference) -> str:
    """The name of an error that an engine raises: its type and its message, without what varies. It has no forms."""
    return f"{difference.kind}: {VARYING.sub('*', difference.text)[:80].strip()}"


def likeness(finding: FoundDifference) -> tuple[str, str]:
    """A key that findings with one cause have in common: the error, or the oracle and the kind of difference."""
    if finding.difference.error:
        return "", raised(finding.difference)
    return finding.oracle, finding.difference.kind


def signature(finding: FoundDifference, smallest: Program) -> str:
    """The signature of a finding, given the smallest program that shows it."""
    if finding.difference.error:
        return raised(finding.difference)
    return f"{finding.oracle}: {finding.difference.kind}: {' '.join(sorted(features(smallest)))}"


def explains(known: str, finding: FoundDifference, program: Program) -> bool:
    """Whether a known signature fits a finding: by the error, or by an oracle and features that the program has."""
    if finding.difference.error:
        return _like(known).fullmatch(raised(finding.difference)) is not None
    oracle, _, rest = known.partition(": ")
    kind, _, forms = rest.partition(": ")
    alike = fnmatchcase(finding.oracle, oracle) and fnmatchcase(finding.difference.kind, kind)
    return alike and _has(program, forms)


@cache
def _like(known: str) -> re.Pattern[str]:
    # Not fnmatch, to which brackets would be a set of letters: messages have them.
    return re.compile(".*".join(map(re.escape, known.split("*"))))


def _has(program: Program, forms: str) -> bool:
    """Whether a program has all of these features; a star matches any letters."""
    present = features(program)
    return all(
        any(fnmatchcase(feature, form) for feature in present) if "*" in form else form in present
        for form in forms.split()
    )
