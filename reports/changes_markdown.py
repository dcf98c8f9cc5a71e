"""Changes as Markdown, short enough for a comment on a pull request."""

from __future__ import annotations

from collections.abc import Iterator

from reports.budget import fitting, left_out
from reports.changes import Change, Changes, Kind, of_kind
from reports.changes_text import by_behaviour, compared, moved, suites, title_of
from reports.markdown import code, escape, table
from reports.text import excerpt

_ELSEWHERE = "are in the JSON form and in the HTML"


def render(changes: Changes) -> str:
    """The whole page. Text from engines is escaped: no links, mentions, table cells or HTML."""
    return fitting(lambda rows: "\n\n".join(_parts(changes, rows)) + "\n")


def _parts(changes: Changes, rows: int) -> Iterator[str]:
    yield "# What changed"
    yield from (escape(excerpt(line, 2000)) for line in [*compared(changes), suites(changes)] if line)
    yield _counts(changes)
    for kind in (Kind.REGRESSED, Kind.IMPROVED, Kind.CONVENTION):
        yield from _changed(title_of(kind, changes), of_kind(changes, kind), rows)
    messages = [f"- {code(change.behaviour)} on {escape(change.engine)}" for change in of_kind(changes, Kind.MESSAGE)]
    yield from _listed(title_of(Kind.MESSAGE, changes), messages, rows)
    features = of_kind(changes, Kind.FEATURE)
    lines = [f"- {escape(moved(change))} {code(change.behaviour)} on {escape(change.engine)}" for change in features]
    yield from _listed(title_of(Kind.FEATURE, changes), lines, rows)
    for kind in (Kind.ADDED, Kind.REMOVED):
        its = by_behaviour(of_kind(changes, kind))
        yield from _listed(
            title_of(kind, changes), [f"- {code(id)}: {escape(excerpt(engines, 300))}" for id, engines in its], rows
        )
    yield from _listed(
        "Renamed", [f"- {code(rename.before)} is now {code(rename.after)}" for rename in changes.renamed], rows
    )
    reworded = [
        f"- {code(claim.behaviour)}: {escape(excerpt(claim.after, 300))} (was: {escape(excerpt(claim.before, 300))})"
        for claim in changes.reworded
    ]
    yield from _listed("Reworded", reworded, rows)


def _counts(changes: Changes) -> str:
    counts = [f"{len(of_kind(changes, kind)):,} {kind.value}" for kind in (Kind.REGRESSED, Kind.IMPROVED)]
    counts += [f"{len(of_kind(changes, kind)):,} with another {kind.value}" for kind in (Kind.CONVENTION, Kind.MESSAGE)]
    if features := of_kind(changes, Kind.FEATURE):
        counts.append(f"{len(features):,} of which only one engine has the feature")
    counts += [f"{len(of_kind(changes, kind)):,} {kind.value}" for kind in (Kind.ADDED, Kind.REMOVED)]
    return f"Cells: {', '.join(counts)}."


def _changed(title: str, changes: list[Change], rows: int) -> Iterator[str]:
    if not changes:
        return
    shown, note = left_out(changes, rows, f"cells {_ELSEWHERE}")
    yield f"## {title}: {len(changes):,}"
    if shown:
        yield table(["behaviour", "engine", "change", "statement", "observed"], [_row(change) for change in shown])
    yield from note


def _row(change: Change) -> list[str]:
    return [
        code(change.behaviour),
        escape(change.engine),
        escape(moved(change)),
        escape(excerpt(change.statement, 200)),
        escape(excerpt(change.after.message if change.after else "")),
    ]


def _listed(title: str, lines: list[str], rows: int) -> Iterator[str]:
    if lines:
        shown, note = left_out(lines, rows, f"behaviours {_ELSEWHERE}")
        yield f"## {title}: {len(lines):,}"
        yield from ["\n".join(shown)] if shown else []
        yield from note
