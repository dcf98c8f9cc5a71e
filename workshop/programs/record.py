"""The record of mutants for programs: of each the first program that shows it, in `recorded.json`, a line each."""

from __future__ import annotations

from collections.abc import Collection, Iterable
from pathlib import Path

import msgspec

from workshop.programs.program_kills import Shown

__all__ = ["RECORD", "read", "write"]

RECORD = Path(__file__).with_name("recorded.json")


def read() -> dict[str, Shown]:
    """What is recorded, by the names of the mutants."""
    if not RECORD.exists():
        return {}
    return {one.name: one for one in msgspec.json.decode(RECORD.read_bytes(), type=list[Shown])}


def write(outcomes: Iterable[Shown], known: Collection[str]) -> None:
    """Add outcomes to the record, in the place of earlier ones; mutants that there are no more are left out."""
    every = read() | {one.name: msgspec.structs.replace(one, seconds=0.0) for one in outcomes}
    lines = [msgspec.json.encode(every[name]).decode() for name in sorted(every) if name in known]
    RECORD.write_text("[\n" + ",\n".join(lines) + "\n]\n", "utf-8")
