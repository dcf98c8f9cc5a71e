"""Which cell ended a worker? Each cell in which one ended is tried again alone, in a fresh process.

A cell that ends its process again is a crash or timeout. Otherwise the cell before it, on the same worker, is tried
alone: if that one ends its process, it was the cause, and the cell keeps the verdict that it has alone. A death that
neither reproduces is an error: a verdict must be repeatable. Of generated programs none is blamed for the death of the
next: what does not recur is counted, and no finding.
"""

from __future__ import annotations

from collections.abc import Callable, Generator
from dataclasses import dataclass

import msgspec

from conformance.results import DeathRecord, ResultRecord, TallyRecord
from conformance.verdicts import Reason, Verdict

# How long the process of a suspected cell is kept: a thread that the cell left behind may do its harm late.
LINGER_S = 1.0
# How often a cell is tried alone that ends its process in another way each time.
TRIES = 4


# Records to be written: rows of cells; or rows of findings, then the tally of their programs.
Settled = list[ResultRecord | TallyRecord]


@dataclass(frozen=True)
class Try:
    """A cell to be tried alone, in a fresh process that is kept for some seconds after it."""

    cell: str
    linger_s: float = 0.0


@dataclass(frozen=True)
class Tried:
    """The records of a cell that was tried alone, and whether it ended or damaged its process."""

    records: Settled
    died: bool = False

    @property
    def row(self) -> ResultRecord:
        """The row of a cell, or of a program that ended its process."""
        (row,) = self.records
        assert isinstance(row, ResultRecord)
        return row


# What is to be tried is asked for step by step; the records that come of it are returned at the end.
Inquiry = Generator[Try, Tried, Settled]


def inquire(death: DeathRecord) -> Inquiry:
    """Find the cell that ended a worker."""
    between = death.id == death.after  # it ended after this cell, before the next one
    # Alone first: most deaths are the cell's own, and then no second process is needed.
    alone = yield from _try_alone(Try(death.id, LINGER_S if between else 0.0), death.message)
    if alone.died or between:
        return [alone.row]
    blamed = (yield from _try_alone(Try(death.after, LINGER_S), death.message)) if death.after else None
    if blamed and blamed.died:
        return [blamed.row, alone.row]
    after = f"nor after {death.after} " if death.after else ""
    message = f"{death.message} once; alone it did not ({alone.row.verdict.value}), {after}in a fresh process"
    return [ResultRecord(death.id, Verdict.ERROR, None, message, alone.row.duration_s, reason=Reason.UNREPEATABLE)]


def inquire_program(death: DeathRecord, record: Callable[[ResultRecord], Settled]) -> Inquiry:
    """Find whether a program ends its process again; `record` makes the records of a program that does."""
    alone = yield from _try_alone(Try(death.id), death.message)
    if alone.died:
        return record(alone.row)
    *findings, tally = alone.records
    assert isinstance(tally, TallyRecord)
    return [*findings, msgspec.structs.replace(tally, ended=tally.ended + 1)]


def _try_alone(wanted: Try, message: str) -> Generator[Try, Tried, Tried]:
    """Try a cell until it ends a process in a way that is known of it, or does not end it."""
    ways = [message]
    for _ in range(TRIES):
        tried = yield wanted
        # Another death than before may have come from outside, such as by the system where memory is short.
        if not tried.died or any(tried.row.message.endswith(way) for way in ways):
            break
        ways.append(tried.row.message)
    return tried


def only(cell: str) -> Inquiry:
    """The row of a cell that is known to end its process, and is not given to a worker first."""
    return (yield Try(cell)).records
