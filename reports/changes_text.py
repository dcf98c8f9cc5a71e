"""Changes in words, the same on the terminal and in Markdown."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

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


def title_of(kind: Kind, changes: Changes) -> str:
    """The title of a kind of change: two versions of an engine are compared, or two engines."""
    two_engines = any(_name(pair.before) != _name(pair.after) for pair in changes.engines)
    return BETWEEN.get(kind, TITLES[kind]) if two_engines else TITLES[kind]


def _name(column: str) -> str:
    return column.partition("@")[0]


def compared(changes: Changes) -> list[str]:
    """The engines of both sides, with their versions; then those of a single side."""
    pairs = [
        f"{_version(pair.before, pair.before_version)} -> {_version(pair.after, pair.after_version)}"
        for pair in changes.engines
    ]
    lines = [f"Compared: {', '.join(pairs) or 'nothing, no engine is on both sides'}."]
    for title, names in (("Engines added", changes.engines_added), ("Engines removed", changes.engines_removed)):
        if names:
            lines.append(f"{title}: {', '.join(names)}.")
    return lines


def suites(changes: Changes) -> str:
    """A warning where the specification changed as well; else empty."""
    if changes.before == changes.after:
        return ""
    old, new = (f"{suite.version} ({suite.revision})" for suite in (changes.before, changes.after))
    return f"The specification changed too, from {old} to {new}: a change may be the check's, not the engine's."


def moved(change: Change) -> str:
    """The two sides of a change: `pass -> fail`, or the two conventions."""
    return " -> ".join(_outcome(seen) for seen in (change.before, change.after) if seen)


def by_behaviour(changes: Iterable[Change]) -> list[tuple[str, str]]:
    """Cells that are on a single side, a line per behaviour: which verdict on which engines."""
    outcomes: dict[str, dict[str, list[str]]] = {}
    for change in changes:
        # Added or removed: exactly one side is there.
        (seen,) = (side for side in (change.before, change.after) if side)
        outcomes.setdefault(change.behaviour, {}).setdefault(_outcome(seen), []).append(change.engine)
    return [(id, _series(verdicts.items())) for id, verdicts in outcomes.items()]


def _series(verdicts: Iterable[tuple[str, Sequence[str]]]) -> str:
    return "; ".join(f"{outcome} on {', '.join(engines)}" for outcome, engines in verdicts)


def _outcome(seen: Seen) -> str:
    convention = f" ({words(seen.convention)})" if seen.convention else ""
    return f"{seen.verdict.value}{convention}{' (known)' if seen.known else ''}"


def _version(column: str, version: str) -> str:
    # A column of which several versions were run has the version in its name.
    return column if column.endswith(f"@{version}") else f"{column} {version}"
