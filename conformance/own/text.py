"""Answers as text for people."""

from __future__ import annotations

import textwrap
from collections import Counter
from collections.abc import Iterator, Sequence

from conformance.own.answers import BROKEN, HOLDS, KNOWN, UNASKED, UNSUPPORTED, Answer


def report_lines(title: str, answers: Sequence[Answer]) -> Iterator[tuple[str, str]]:
    """A line of counts, then a line for each law, those that are broken first: its status, and the line."""
    counts = Counter(answer.status for answer in answers)
    order = (BROKEN, KNOWN, UNSUPPORTED, UNASKED, HOLDS)
    yield "", f"{title}: " + ", ".join(f"{counts[status]} {status}" for status in reversed(order) if counts[status])
    for answer in sorted(answers, key=lambda answer: order.index(answer.status)):
        words = answer.law.partition(".")[2].replace("_", " ")
        reason = answer.remedy or answer.reason
        yield answer.status, f"  {answer.status:13} {words}" + (f": {reason}" if reason else "")


def broken_lines(title: str, broken: Sequence[Answer], program: bool = True) -> Iterator[str]:
    """The first broken law with its witness, and the names of the others."""
    first, *others = broken
    yield f"{title} breaks a law: {first.statement} ({first.law})"
    if first.error:
        yield f"  raised    {first.error}"
        if first.remedy:
            yield f"  remedy    {first.remedy}"
    else:
        yield f"  compared  {first.what}" + (f", at {first.at}" if first.at else "")
        yield f"  got       {first.got}"
        yield f"  expected  {first.expected}"
    yield from (f"  {name} = {numbers}" for name, numbers in first.numbers.items())
    if program and first.program:
        yield "the same without the suite:"
        yield textwrap.indent(first.program, "  ")
    yield from (f"  also broken: {other.law}" for other in others)
