"""Which cell ended a worker? Each cell in which one ended is tried again alone, in a fresh process.

A cell that ends its process again is a crash or timeout. Otherwise the cell before it, on the same worker, is tried
alone: if that one ends its process, it was the cause, and the cell keeps the verdict that it has alone. A death that
neither reproduces is an error: a verdict must be repeatable.
"""

from __future__ import annotations

from collections.abc import Generator
from dataclasses import dataclass

from conformance.results import DeathRecord, ResultRecord
from conformance.verdicts import Reason, Verdict

__all__ = ["LINGER_S", "Inquiry", "Tried", "Try", "inquire", "only"]

# How long the process of a suspected cell is kept: a thread that the cell left behind may do its harm late.
LINGER_S = 1.0


@dataclass(frozen=True)
class Try:
    """A cell to be tried alone, in a fresh process that is kept for some seconds after it."""

    cell: str
    linger_s: float = 0.0


@dataclass(frozen=True)
class Tried:
    """The row of a cell that was tried alone, and whether it ended or damaged its process."""

    row: ResultRecord
    died: bool = False


# What is to be tried is asked for step by step; the rows that come of it are returned at the end.
Inquiry = Generator[Try, Tried, list[ResultRecord]]


def inquire(death: DeathRecord) -> Inquiry:
    """Find the cell that ended a worker: the rows to be written."""
    between = death.id == death.after  # it ended after this cell, before the next one
    # Alone first: most deaths are the cell's own, and then no second process is needed.
    alone = yield from _try_alone(Try(death.id, LINGER_S if between else 0.0), death)
    if alone.died or between:
        return [alone.row]
    blamed = (yield from _try_alone(Try(death.after, LINGER_S), death)) if death.after else None
    if blamed and blamed.died:
        return [blamed.row, alone.row]
    after = f"nor after {death.after} " if death.after else ""
    message = f"{death.message} once; alone it did not ({alone.row.verdict.value}), {after}in a fresh process"
    return [ResultRecord(death.id, Verdict.ERROR, None, message, alone.row.duration_s, reason=Reason.UNREPEATABLE)]


def _try_alone(wanted: Try, death: DeathRecord) -> Generator[Try, Tried, Tried]:
    tried = yield wanted
    # Another death than the worker's may have come from outside, such as by the system where memory is short.
    if tried.died and not tried.row.message.endswith(death.message):
        tried = yield wanted
    return tried


def only(cell: str) -> Inquiry:
    """The row of a cell that is known to end its process, and is not given to a worker first."""
    return [(yield Try(cell)).row]
