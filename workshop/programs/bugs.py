"""Real bugs that are combinations: programs that show those that are present, and mutants for the fixed ones."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path
from typing import Any

from conformance.sources import tomllib

HEAD = """# Bugs, and the programs that show them

<!-- Written by `python -m workshop programs bugs` from `workshop/programs/bugs.toml`. -->

Real bugs of combinations, compilation, writes in place and custom rules, from a catalogue of upstream issues. One
that is present is shown by a generated program, of this kind and seed. A fixed one is brought back by a
mutant (`python -m workshop programs mutants`), which does to verbs or to the reference engine what the bug did.
"""


@dataclass(frozen=True)
class Combination:
    """A bug, with the engine, kind and seed of the program that shows it.

    A bug that is present has the oracle that sees it, a fixed one the mutant that brings it back; or `reason` is why
    there is neither.
    """

    id: str
    title: str
    mutant: str = ""
    engine: str = ""
    kind: str = ""
    seed: int = -1
    oracle: str = ""
    reason: str = ""


def _read() -> tuple[Combination, ...]:
    entries: dict[str, dict[str, Any]] = tomllib.loads(Path(__file__).with_name("bugs.toml").read_text("utf-8"))
    return tuple(Combination(id=name, **entry) for name, entry in entries.items())


BUGS = _read()


def page() -> str:
    """The table as Markdown."""
    count = sum(bool(bug.kind) for bug in BUGS)
    rows = [f"| {bug.title} (`{bug.id}`) | {_shown_by(bug)} |" for bug in BUGS]
    return "\n".join([HEAD, f"{count} of {len(BUGS)} are shown.\n", "| bug | shown by |", "|---|---|", *rows]) + "\n"


def _shown_by(bug: Combination) -> str:
    # A reason comes first: it is given for bugs that no kind of program can have.
    if bug.reason:
        return f"none: {bug.reason}"
    if not bug.kind:
        return f"not yet: mutant `{bug.mutant}`"
    program = f"{bug.kind} {bug.seed} on {bug.engine}"
    return f"{program}: mutant `{bug.mutant}`" if bug.mutant else f"{program}, by `{bug.oracle}`"
