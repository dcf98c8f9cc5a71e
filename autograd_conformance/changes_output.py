"""Changes between two matrices, on the terminal."""

from __future__ import annotations

from collections.abc import Sequence

from rich.console import Console

from autograd_conformance.options import Verbosity
from autograd_conformance.run_summary import print_message
from autograd_conformance.terminal import print_line, text
from reports.changes import Changes, Kind, of_kind
from reports.changes_text import by_behaviour, compared, moved, titles
from reports.text import clean

STYLES = {Kind.REGRESSED: "red", Kind.IMPROVED: "green"}


def print_changes(shown: Console, comparison: Changes, verbosity: Verbosity) -> None:
    """Print everything that changed, the regressions first; quietly, only them."""
    if verbosity is Verbosity.QUIET:
        _print_cells(shown, comparison, Kind.REGRESSED, verbosity)
        return
    for line in compared(comparison):
        print_line(shown, line)
    # The kinds are in the order in which they are listed.
    for kind in Kind:
        if kind in (Kind.ADDED, Kind.REMOVED):
            # By behaviour, as a new one has a cell in every column, and none of them has moved.
            lines = [f"{id}: {engines}" for id, engines in by_behaviour(of_kind(comparison, kind))]
            _print_list(shown, titles(comparison)[kind], lines)
        else:
            _print_cells(shown, comparison, kind, verbosity)
    _print_list(shown, "Renamed", [f"{name.before} is now {name.after}" for name in comparison.renamed])
    reworded = [f"{claim.behaviour}: {claim.after} (was: {claim.before})" for claim in comparison.reworded]
    _print_list(shown, "Reworded", reworded)
    if not (comparison.changes or comparison.renamed or comparison.reworded):
        print_line(shown, "No cell changed.")


def _print_cells(shown: Console, comparison: Changes, kind: Kind, verbosity: Verbosity) -> None:
    changes = of_kind(comparison, kind)
    if changes:
        print_line(shown, f"{titles(comparison)[kind]}: {len(changes)}", style="bold")
    for change in changes:
        # Where only the message changed, both verdicts are the same: there is no move to show.
        what = text(" ") if kind is Kind.MESSAGE else text(f"  {moved(change)}", STYLES.get(kind, ""))
        print_line(shown, what.append(clean(f" {change.engine} {change.behaviour}"), "not bold"))
        if verbosity is Verbosity.VERBOSE or (kind is Kind.REGRESSED and verbosity is Verbosity.USUAL):
            for title, side in (("was: ", change.before), ("now: ", change.after)):
                print_message(shown, side.message if side else "", verbosity, title)


def _print_list(shown: Console, title: str, lines: Sequence[str]) -> None:
    if lines:
        print_line(shown, f"{title}: {len(lines)}", style="bold")
    for line in lines:
        print_line(shown, f"  {line}")
