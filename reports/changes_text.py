"""Changes in words, the same on the terminal and in Markdown."""

from __future__ import annotations

from collections.abc import Iterable

from reports.changes import Change, Changes, Kind, Seen
from reports.text import words

TITLES = {
    Kind.REGRESSED: "Regressed",
    Kind.IMPROVED: "Improved",
    Kind.CONVENTION: "Another convention",
    Kind.MESSAGE: "Another message",
    Kind.FEATURE: "Only one engine has the feature",
    Kind.ADDED: "Added",
    Kind.REMOVED: "Removed",
}

# Between two engines nothing got worse or better.
BETWEEN = {Kind.REGRESSED: "Behaves differently", Kind.IMPROVED: "As stated, other than before"}


def titles(changes: Changes) -> dict[Kind, str]:
    """The title of each kind of change: two versions of an engine are compared, or two engines."""
    # A column of which several versions were run is called `engine@version`.
    two_engines = any(pair.before.partition("@")[0] != pair.after.partition("@")[0] for pair in changes.engines)
    return TITLES | BETWEEN if two_engines else TITLES


def compared(changes: Changes) -> list[str]:
    """The engines of both sides with their versions, those of a single side, and whether the specification changed."""
    pairs = [
        f"{_version(pair.before, pair.before_version)} -> {_version(pair.after, pair.after_version)}"
        for pair in changes.engines
    ]
    lines = [f"Compared: {', '.join(pairs) or 'nothing, no engine is on both sides'}."]
    for title, names in (("Engines added", changes.engines_added), ("Engines removed", changes.engines_removed)):
        if names:
            lines.append(f"{title}: {', '.join(names)}.")
    if changes.before != changes.after:
        old, new = (f"{suite.version} ({suite.revision})" for suite in (changes.before, changes.after))
        change = "a change may be the check's, not the engine's"
        lines.append(f"The specification changed too, from {old} to {new}: {change}.")
    return lines


def moved(change: Change) -> str:
    """The two sides of a change: `pass -> fail`, or the two conventions."""
    return " -> ".join(_outcome(seen) for seen in (change.before, change.after) if seen)


def by_behaviour(changes: Iterable[Change]) -> list[tuple[str, str]]:
    """Cells that are on a single side, a line per behaviour: which verdict on which engines."""
    outcomes: dict[str, dict[str, list[str]]] = {}
    for change in changes:
        # `moved` is a single outcome, as one side is missing.
        outcomes.setdefault(change.behaviour, {}).setdefault(moved(change), []).append(change.engine)
    return [
        (id, "; ".join(f"{outcome} on {', '.join(engines)}" for outcome, engines in verdicts.items()))
        for id, verdicts in outcomes.items()
    ]


def _outcome(seen: Seen) -> str:
    convention = f" ({words(seen.convention)})" if seen.convention else ""
    return f"{seen.verdict.value}{convention}{' (known)' if seen.known else ''}"


def _version(column: str, version: str) -> str:
    # A column of which several versions were run has the version in its name.
    return column if column.endswith(f"@{version}") else f"{column} {version}"
