"""The name of a finding: the oracle, the kind of difference, and what the smallest program consists of."""

from __future__ import annotations

import re
from fnmatch import fnmatchcase
from functools import cache

from conformance.programs.case import Difference
from conformance.programs.program import Program, Step, walk
from conformance.programs.trying import Found

__all__ = ["explains", "features", "likeness", "raised", "signature"]

# Numbers, addresses and quoted names in messages differ from program to program.
VARYING = re.compile(r"0x[0-9a-f]+|\d+(\.\d+)?|'[^']*'|\"[^\"]*\"|\[.*?\]")


def features(program: Program) -> frozenset[str]:
    """What a program consists of: its forms, those that they are inside of, and whether an operand is the target."""
    return frozenset(feature for path, step in walk(program.body) for feature in _features(path, step))


def _features(path: tuple[str, ...], step: Step) -> list[str]:
    aliased = len(step.takes) == 2 and step.takes[0] == step.takes[1] and step.form.startswith("write.")
    return [*path[-1:], f"{step.form}:itself" if aliased else step.form]


def raised(difference: Difference) -> str:
    """The name of an error that an engine raises: its type and its message, without what varies. It has no forms."""
    message = difference.got.partition(": ")[2]
    return f"{difference.kind}: {VARYING.sub('*', message)[:80].strip()}"


def likeness(found: Found) -> tuple[str, str]:
    """What two findings have in common that may have one cause: the error, or the oracle and the kind of difference."""
    if found.difference.kind.startswith("raises "):
        return "", raised(found.difference)
    return found.oracle, found.difference.kind


def signature(found: Found, smallest: Program) -> str:
    """The signature of a finding, given the smallest program that shows it."""
    if found.difference.kind.startswith("raises "):
        return raised(found.difference)
    return f"{found.oracle}: {found.difference.kind}: {' '.join(sorted(features(smallest)))}"


def explains(known: str, found: Found, program: Program) -> bool:
    """Whether a known signature is that of a finding: the error, or an oracle whose program is a part of this one."""
    if found.difference.kind.startswith("raises "):
        return _like(known).fullmatch(raised(found.difference)) is not None
    oracle, _, rest = known.partition(": ")
    kind, _, forms = rest.partition(": ")
    return (oracle, kind) == (found.oracle, found.difference.kind) and _has(program, forms)


@cache
def _like(known: str) -> re.Pattern[str]:
    # Not fnmatch, to which brackets would be a set of letters: messages have them.
    return re.compile(".*".join(map(re.escape, known.split("*"))))


def _has(program: Program, forms: str) -> bool:
    """Whether a program has all of these features; a star matches any letters."""
    found = features(program)
    return all(any(fnmatchcase(one, form) for one in found) if "*" in form else form in found for form in forms.split())
