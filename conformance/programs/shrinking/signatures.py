"""The name of a finding: the oracle, the kind of difference, and what the smallest program consists of."""

from __future__ import annotations

import re
from collections.abc import Iterator
from fnmatch import fnmatchcase
from functools import cache

from conformance.laws.comparison import Difference
from conformance.programs.forms import FORMS
from conformance.programs.program import Body, Program
from conformance.programs.trying import FoundDifference

__all__ = ["explains", "features", "likeness", "raised", "signature"]

# Numbers, addresses and quoted names in messages differ from program to program.
VARYING = re.compile(r"0x[0-9a-f]+|\d+(\.\d+)?|'[^']*'|\"[^\"]*\"|\[.*?\]")


def features(program: Program) -> frozenset[str]:
    """What a program consists of: its forms, those that they are inside of, and whether an operand is the target."""
    return frozenset(_features(program.body, "", {}))


def _features(body: Body, inside: str, places: dict[int, tuple[int, int]]) -> Iterator[str]:
    """Those of the steps of a body; `places` has for each value outside of it which array, and whose memory, it is."""
    start = len(places)
    places = {**places, **{number: (number, number) for number in range(start, start + body.parameters)}}
    for number, step in enumerate(body.steps, start + body.parameters):
        form = FORMS[step.form]
        taken = [places[one] for one in step.takes]
        yield from [inside] if inside else []
        yield f"{step.form}{_shared(taken) if form.writes else ''}"
        array, memory = taken[0] if taken and (form.writes or form.view) else (number, number)
        places[number] = (array if form.writes else number, memory)
        for inner in step.bodies:
            yield from _features(inner, step.form, {one: places[one] for one in range(number)})


def _shared(taken: list[tuple[int, int]]) -> str:
    """Whether another operand is the array that is written, or lies in the same memory otherwise."""
    array, memory = taken[0]
    if any(other == array for other, _ in taken[1:]):
        return ":itself"
    return ":overlapping" if any(other == memory for _, other in taken[1:]) else ""


def raised(difference: Difference) -> str:
    """The name of an error that an engine raises: its type and its message, without what varies. It has no forms."""
    message = difference.got.partition(": ")[2]
    return f"{difference.kind}: {VARYING.sub('*', message)[:80].strip()}"


def likeness(found: FoundDifference) -> tuple[str, str]:
    """What two findings have in common that may have one cause: the error, or the oracle and the kind of difference."""
    if found.difference.kind.startswith("raises "):
        return "", raised(found.difference)
    return found.oracle, found.difference.kind


def signature(found: FoundDifference, smallest: Program) -> str:
    """The signature of a finding, given the smallest program that shows it."""
    if found.difference.kind.startswith("raises "):
        return raised(found.difference)
    return f"{found.oracle}: {found.difference.kind}: {' '.join(sorted(features(smallest)))}"


def explains(known: str, found: FoundDifference, program: Program) -> bool:
    """Whether a known signature is that of a finding: the error, or an oracle whose program is a part of this one."""
    if found.difference.kind.startswith("raises "):
        return _like(known).fullmatch(raised(found.difference)) is not None
    oracle, _, rest = known.partition(": ")
    kind, _, forms = rest.partition(": ")
    said = fnmatchcase(found.oracle, oracle) and fnmatchcase(found.difference.kind, kind)
    return said and _has(program, forms)


@cache
def _like(known: str) -> re.Pattern[str]:
    # Not fnmatch, to which brackets would be a set of letters: messages have them.
    return re.compile(".*".join(map(re.escape, known.split("*"))))


def _has(program: Program, forms: str) -> bool:
    """Whether a program has all of these features; a star matches any letters."""
    found = features(program)
    return all(any(fnmatchcase(one, form) for one in found) if "*" in form else form in found for form in forms.split())
