"""Changes as Markdown, short enough for a comment on a pull request."""

from __future__ import annotations

from collections.abc import Iterator

from reports.budget import fitting, left_out
from reports.changes import Change, Changes, Kind, of_kind
from reports.changes_text import by_behaviour, compared, moved, suites, title_of
from reports.markdown import code, escape, table
from reports.text import excerpt

__all__ = ["render"]

_ELSEWHERE = "are in the JSON form and in the HTML"


def render(found: Changes) -> str:
    """The whole page. Text from engines is escaped: no links, mentions, table cells or HTML."""
    return fitting(lambda rows: "\n\n".join(_parts(found, rows)) + "\n")


def _parts(found: Changes, rows: int) -> Iterator[str]:
    yield "# What changed"
    yield from (escape(excerpt(line, 2000)) for line in [*compared(found), suites(found)] if line)
    yield _counts(found)
    for kind in (Kind.REGRESSED, Kind.IMPROVED, Kind.CONVENTION):
        yield from _changed(title_of(kind, found), of_kind(found, kind), rows)
    messages = [f"- {code(one.behaviour)} on {escape(one.engine)}" for one in of_kind(found, Kind.MESSAGE)]
    yield from _listed(title_of(Kind.MESSAGE, found), messages, rows)
    features = of_kind(found, Kind.FEATURE)
    lines = [f"- {escape(moved(one))} {code(one.behaviour)} on {escape(one.engine)}" for one in features]
    yield from _listed(title_of(Kind.FEATURE, found), lines, rows)
    for kind in (Kind.ADDED, Kind.REMOVED):
        its = by_behaviour(of_kind(found, kind))
        yield from _listed(
            title_of(kind, found), [f"- {code(id)}: {escape(excerpt(engines, 300))}" for id, engines in its], rows
        )
    yield from _listed("Renamed", [f"- {code(one.before)} is now {code(one.after)}" for one in found.renamed], rows)
    reworded = [
        f"- {code(one.behaviour)}: {escape(excerpt(one.after, 300))} (was: {escape(excerpt(one.before, 300))})"
        for one in found.reworded
    ]
    yield from _listed("Reworded", reworded, rows)


def _counts(found: Changes) -> str:
    counts = [f"{len(of_kind(found, kind)):,} {kind.value}" for kind in (Kind.REGRESSED, Kind.IMPROVED)]
    counts += [f"{len(of_kind(found, kind)):,} with another {kind.value}" for kind in (Kind.CONVENTION, Kind.MESSAGE)]
    if features := of_kind(found, Kind.FEATURE):
        counts.append(f"{len(features):,} of which only one engine has the feature")
    counts += [f"{len(of_kind(found, kind)):,} {kind.value}" for kind in (Kind.ADDED, Kind.REMOVED)]
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
