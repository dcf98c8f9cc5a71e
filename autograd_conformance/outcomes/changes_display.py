"""Changes on the terminal."""

from __future__ import annotations

from collections.abc import Sequence

from rich.console import Console

from autograd_conformance.outcomes.display import message
from autograd_conformance.shared import Talk
from autograd_conformance.terminal import text
from reports.changes import Change, Changes, Kind, of_kind
from reports.changes_text import TITLES, by_behaviour, compared, moved, suites
from reports.text import clean

__all__ = ["changes"]

STYLES = {Kind.REGRESSED: "red", Kind.IMPROVED: "green"}


def changes(console: Console, found: Changes, talk: Talk) -> None:
    """Everything that changed, the regressions first; quietly, nothing but them."""
    if talk is Talk.QUIET:
        _changed(console, Kind.REGRESSED, of_kind(found, Kind.REGRESSED), talk)
        return
    for line in [*compared(found), suites(found)]:
        if line:
            console.print(text(line), soft_wrap=True)
    for kind in (Kind.REGRESSED, Kind.IMPROVED, Kind.CONVENTION, Kind.MESSAGE, Kind.FEATURE):
        _changed(console, kind, of_kind(found, kind), talk)
    for kind in (Kind.ADDED, Kind.REMOVED):
        _listed(console, TITLES[kind], [f"{id}: {engines}" for id, engines in by_behaviour(of_kind(found, kind))])
    _listed(console, "Renamed", [f"{one.before} is now {one.after}" for one in found.renamed])
    _listed(console, "Reworded", [f"{one.behaviour}: {one.after} (was: {one.before})" for one in found.reworded])
    if not (found.changes or found.renamed or found.reworded):
        console.print("No cell changed.")


def _changed(console: Console, kind: Kind, its: Sequence[Change], talk: Talk) -> None:
    if not its:
        return
    console.print(text(f"{TITLES[kind]}: {len(its)}", "bold"))
    for change in its:
        what = text(f"  {moved(change)}", STYLES.get(kind, "")) if kind is not Kind.MESSAGE else text(" ")
        console.print(what.append(clean(f" {change.engine} {change.behaviour}"), "not bold"), soft_wrap=True)
        if talk is Talk.VERBOSE or (talk is Talk.USUAL and kind is Kind.REGRESSED):
            _observed(console, change, talk)


def _observed(console: Console, change: Change, talk: Talk) -> None:
    if change.before:
        message(console, change.before.message, talk, "was: ")
    if change.after:
        message(console, change.after.message, talk, "now: ")


def _listed(console: Console, title: str, lines: Sequence[str]) -> None:
    if lines:
        console.print(text(f"{title}: {len(lines)}", "bold"))
    for line in lines:
        console.print(text(f"  {line}"), soft_wrap=True)
