"""Signatures: a finding's oracle, its kind of difference, and the features of its smallest program."""

from __future__ import annotations

import re
from collections.abc import Sequence
from functools import cache

from conformance.laws.comparison import Difference
from conformance.programs.forms import FORMS
from conformance.programs.places import ValuePlace, places_of
from conformance.programs.program import Program
from conformance.programs.program_trial import FoundDifference

# Numbers, addresses and quoted names in messages differ from program to program.
VARYING = re.compile(r"0x[0-9a-f]+|\d+(\.\d+)?|'[^']*'|\"[^\"]*\"|\[.*?\]")


def features(program: Program) -> frozenset[str]:
    """The features of a program: its forms, the forms around them, and whether an operand is the target."""
    steps = list(places_of(program))
    forms = {f"{step.form}{_shared(taken) if FORMS[step.form].writes else ''}" for _, step, taken in steps}
    return frozenset(forms | {inside for inside, _, _ in steps if inside})


def _shared(taken: Sequence[ValuePlace]) -> str:
    """Whether another operand is the array that is written, or lies in the same memory otherwise."""
    target, *others = taken
    if any(other.array == target.array for other in others):
        return ":itself"
    return ":overlapping" if any(other.memory == target.memory for other in others) else ""


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
    pairs = [(oracle, finding.oracle), (kind, finding.difference.kind)]
    present = features(program)
    return all(_like(wanted).fullmatch(text) for wanted, text in pairs) and all(
        any(_like(form).fullmatch(feature) for feature in present) for form in forms.split()
    )


@cache
def _like(known: str) -> re.Pattern[str]:
    """A pattern in which a star matches any letters."""
    # Not fnmatch, to which brackets would be a set of letters: messages have them.
    return re.compile(".*".join(map(re.escape, known.split("*"))))
