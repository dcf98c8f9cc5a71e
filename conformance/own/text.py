"""Answers as text for people."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence

from conformance.own.answers import BROKEN, HOLDS, UNASKED, UNSUPPORTED, Answer


def report_text(title: str, answers: Sequence[Answer]) -> str:
    """One line per law, those that are broken first; then the witness of the first."""
    counts = Counter(answer.status for answer in answers)
    ordered = [
        answer for status in (BROKEN, UNSUPPORTED, UNASKED, HOLDS) for answer in answers if answer.status == status
    ]
    lines = [f"{title}: " + ", ".join(f"{counts[status]} {status}" for status in (HOLDS, BROKEN, UNSUPPORTED, UNASKED))]
    lines += [_line(answer) for answer in ordered]
    return "\n".join(lines)


def _line(answer: Answer) -> str:
    words = answer.law.partition(".")[2].replace("_", " ")
    reason = answer.remedy or answer.reason
    return f"  {answer.status:13} {words}" + (f": {reason}" if reason else "")


def broken_text(title: str, broken: Sequence[Answer]) -> str:
    """The first broken law with its witness, and the names of the others."""
    return "\n".join(_broken_lines(title, broken))


def _broken_lines(title: str, broken: Sequence[Answer]) -> Iterator[str]:
    first, *others = broken
    yield f"{title} breaks a law: {first.statement} ({first.law})"
    if first.error:
        yield f"  raised    {first.error}"
    else:
        yield f"  compared  {first.what}" + (f", at {first.at}" if first.at else "")
        yield f"  got       {first.got}"
        yield f"  expected  {first.expected}"
    for name, numbers in first.numbers.items():
        yield f"  {name} = {numbers}"
    for other in others:
        yield f"  also broken: {other.law}"
