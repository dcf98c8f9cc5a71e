"""Changes between two matrices, cell by cell: a pure comparison, printed elsewhere."""

from __future__ import annotations

from collections.abc import Iterator
from enum import Enum
from typing import Annotated, Final, Literal

from msgspec import Meta

from conformance.results import PublishedPart, SuiteRecord
from conformance.verdicts import Reason, Verdict
from reports import pairs
from reports.model import Matrix, MatrixBehaviour, MatrixCell

SCHEMA: Final = "autograd-conformance/changes/1"

# From the best to the worst. A verdict that moves down this list regressed, one that moves up improved.
ORDER = (
    *(Verdict.PASS, Verdict.DIFFERS, Verdict.ABSENT, Verdict.UNSUPPORTED),
    *(Verdict.FAIL, Verdict.ERROR, Verdict.TIMEOUT, Verdict.CRASH),
)
LACKING = frozenset({Verdict.ABSENT, Verdict.UNSUPPORTED})


class Kind(str, Enum):
    """Kinds of change of a cell, in the order in which changes are listed."""

    REGRESSED = "regressed"
    IMPROVED = "improved"
    CONVENTION = "convention"
    MESSAGE = "message"
    FEATURE = "feature"  # between two different engines, not versions of one: only one has the feature
    ADDED = "added"
    REMOVED = "removed"


class Seen(PublishedPart, frozen=True):
    """One side of a change."""

    verdict: Verdict
    convention: Annotated[str | None, Meta(description="The named outcome that was given, where there are several.")]
    message: Annotated[str, Meta(description="What was observed. Untrusted text: it comes from the engine.")]
    known: Annotated[bool, Meta(description="Whether it is a known failure.")]


class Change(PublishedPart, frozen=True):
    """A cell that is not what it was."""

    kind: Annotated[Kind, Meta(description="How it changed.")]
    behaviour: Annotated[str, Meta(description="Id of the behaviour, as it is now where it is still there.")]
    engine: Annotated[str, Meta(description="Column of the engine, as it is called now.")]
    level: Annotated[str, Meta(description="How strongly the behaviour is put.")]
    statement: Annotated[str, Meta(description="The claim.")]
    before: Annotated[Seen | None, Meta(description="What it was; null where it was not run.")]
    after: Annotated[Seen | None, Meta(description="What it is; null where it was not run.")]


class ComparedEngine(PublishedPart, frozen=True):
    """An engine that both matrices have, with its version in each."""

    before: Annotated[str, Meta(description="Its column in the earlier matrix.")]
    before_version: Annotated[str, Meta(description="Version of the engine there.")]
    after: Annotated[str, Meta(description="Its column in the later matrix.")]
    after_version: Annotated[str, Meta(description="Version of the engine there.")]


class Rename(PublishedPart, frozen=True):
    """A behaviour, or a case of one, whose id changed."""

    before: Annotated[str, Meta(description="Id in the earlier matrix.")]
    after: Annotated[str, Meta(description="Id in the later matrix.")]


class Rewording(PublishedPart, frozen=True):
    """A behaviour whose statement or level changed."""

    behaviour: Annotated[str, Meta(description="Id of the behaviour, as it is now.")]
    before: Annotated[str, Meta(description="Level and statement in the earlier matrix.")]
    after: Annotated[str, Meta(description="Level and statement in the later matrix.")]


class Changes(PublishedPart, frozen=True):
    """All that changed. Where the two suites differ, a change may be the check's and not the engine's."""

    schema: Annotated[Literal["autograd-conformance/changes/1"], Meta(description="Name of this format.")]
    before: Annotated[SuiteRecord, Meta(description="The specification that was run earlier.")]
    after: Annotated[SuiteRecord, Meta(description="The specification that was run later.")]
    engines: Annotated[list[ComparedEngine], Meta(description="The engines that are compared.")]
    engines_added: Annotated[list[str], Meta(description="Columns that only the later matrix has.")]
    engines_removed: Annotated[list[str], Meta(description="Columns that only the earlier matrix has.")]
    renamed: Annotated[list[Rename], Meta(description="Behaviours whose id changed.")]
    reworded: Annotated[list[Rewording], Meta(description="Behaviours whose statement or level changed.")]
    changes: Annotated[list[Change], Meta(description="The cells, by kind and then in reading order.")]


def of_kind(compared: Changes, kind: Kind) -> list[Change]:
    """The changes of a kind, in reading order."""
    return [change for change in compared.changes if change.kind is kind]


def compare(before: Matrix, after: Matrix) -> Changes:
    """The changes from a matrix to another."""
    columns, rows = pairs.columns(before, after), pairs.rows(before, after)
    kept = [(old, new) for old, new in rows if old and new]
    order, paired = list(Kind), ([old.column for old, _ in columns], [new.column for _, new in columns])
    return Changes(
        schema=SCHEMA,
        before=before.suite,
        after=after.suite,
        engines=[ComparedEngine(old.column, old.version, new.column, new.version) for old, new in columns],
        engines_added=[engine.column for engine in after.engines if engine.column not in paired[1]],
        engines_removed=[engine.column for engine in before.engines if engine.column not in paired[0]],
        renamed=[Rename(old.id, new.id) for old, new in kept if old.id != new.id],
        reworded=[Rewording(new.id, _claim(old), _claim(new)) for old, new in kept if _claim(old) != _claim(new)],
        # Sorting is stable: within a kind, cells stay in reading order.
        changes=sorted(_changes(before, after, columns, rows), key=lambda change: order.index(change.kind)),
    )


def _claim(row: MatrixBehaviour) -> str:
    return f"{row.level}: {row.statement}"


def _changes(before: Matrix, after: Matrix, columns: pairs.Columns, rows: pairs.Rows) -> Iterator[Change]:
    """The cells that changed, in reading order; what only the earlier side has comes last."""
    olds, news = ({(cell.behaviour, cell.engine): cell for cell in matrix.cells} for matrix in (before, after))
    for old_row, new_row in rows:
        row = new_row or old_row
        assert row, "a row is on one side at least"
        for old_engine, new_engine in columns:
            old = olds.get((old_row.id, old_engine.column)) if old_row else None
            new = news.get((row.id, new_engine.column)) if new_row else None
            if kind := _kind(old, new, old_engine.name != new_engine.name):
                yield Change(kind, row.id, new_engine.column, row.level, row.statement, _seen(old), _seen(new))


def _kind(old: MatrixCell | None, new: MatrixCell | None, of_another: bool) -> Kind | None:
    """The kind of change; `of_another`: the columns are of two different engines."""
    if old is None or new is None:
        return None if old is new else Kind.ADDED if old is None else Kind.REMOVED
    # There, a feature that either lacks is a difference, and not a regression.
    if of_another and (old.verdict in LACKING) is not (new.verdict in LACKING):
        return Kind.FEATURE
    # The verdict before the convention before the message: a cell is a single change, its most important.
    if old.verdict is not new.verdict:
        return Kind.REGRESSED if ORDER.index(new.verdict) > ORDER.index(old.verdict) else Kind.IMPROVED
    if _named(old) != _named(new):
        return Kind.CONVENTION
    return Kind.MESSAGE if old.message != new.message else None


def _named(cell: MatrixCell) -> str | None:
    """The convention; of a deviation or an absence, whether an error was raised or nothing is offered."""
    named = cell.reason in (Reason.RAISED, Reason.NOT_OFFERED) and cell.convention is None
    return cell.reason.value if cell.reason and named else cell.convention


def _seen(cell: MatrixCell | None) -> Seen | None:
    return Seen(cell.verdict, _named(cell), cell.message, cell.known is not None) if cell else None
