"""Real bugs that are combinations: the seeds whose programs show those that are present, mutants for the fixed ones."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from conformance.sources import tomllib
from workshop.programs import record

__all__ = ["BUGS", "Combination", "page"]

HEAD = """# Bugs, and the programs that show them

<!-- Written by `python -m workshop programs bugs` from `workshop/programs/bugs.py` and the record of mutants. -->

Real bugs of combinations, compilation, writes in place and custom rules, from a catalogue of upstream issues. One
that is present is shown by a generated program, of the kind and seed that is told. A fixed one is brought back by a
mutant (`python -m workshop programs mutants`), which does to verbs or to the reference engine what the bug did.
"""


@dataclass(frozen=True)
class Combination:
    """A bug: the mutant that brings it back; or the engine, kind, oracle and seed that show it; or why neither is."""

    id: str
    title: str
    mutant: str = ""
    engine: str = ""
    kind: str = ""
    seed: int = -1
    oracle: str = ""
    reason: str = ""


def _read() -> Iterator[Combination]:
    written = tomllib.loads(Path(__file__).with_name("bugs.toml").read_text("utf-8"))
    entry: dict[str, Any]
    for name, entry in written.items():
        yield Combination(id=name, **entry)


BUGS = tuple(_read())


def page() -> str:
    """The table as Markdown."""
    lines = list(map(_row, BUGS))
    shown = sum(found for found, _ in lines)
    return (
        "\n".join(
            [
                HEAD,
                f"{shown} of {len(BUGS)} are shown.\n",
                "| bug | shown by |",
                "|---|---|",
                *(line for _, line in lines),
            ]
        )
        + "\n"
    )


def _row(one: Combination) -> tuple[bool, str]:
    found, told = next(_told(one))
    return found, f"| {one.title} (`{one.id}`) | {told} |"


def _told(one: Combination) -> Iterator[tuple[bool, str]]:
    if one.engine:
        yield True, f"{one.kind} {one.seed} on {one.engine}, by `{one.oracle}`"
    if one.reason:
        yield False, f"none: {one.reason}"
    of = record.read().get(one.mutant)
    if of and of.signature:
        yield True, f"{of.kind} {of.seed} on {of.engine}: mutant `{one.mutant}`"
    yield False, f"not yet: mutant `{one.mutant}`"
