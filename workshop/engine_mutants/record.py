"""The record: what came of each mutant, and which have no witness."""

from __future__ import annotations

from collections.abc import Iterable
from pathlib import Path

import msgspec

__all__ = ["RECORD", "Record", "TriedMutant", "read", "write"]

RECORD = Path(__file__).with_name("recorded.json")


class TriedMutant(msgspec.Struct, frozen=True, omit_defaults=True):
    """A mutant, its witness, and the cell that kills it, as `column/behaviour[case]`, with the cell's message.

    `acted` counts the cells in which it acts.
    """

    mutant: str
    grade: str
    family: str
    witness: str
    acted: int = 0
    cell: str = ""
    message: str = ""

    @property
    def library(self) -> str:
        """The library that is wrong."""
        return self.mutant.partition(".")[0]

    @property
    def target(self) -> str:
        """The public function that is wrapped."""
        return self.mutant.partition(": ")[0]


class Record(msgspec.Struct):
    """What came of the mutants with a witness, by name, and the names of those without."""

    tried: dict[str, TriedMutant] = {}
    equal: list[str] = []

    def taken_in(
        self, tried: Iterable[TriedMutant], equal: Iterable[str], known: set[str], libraries: set[str]
    ) -> Record:
        """The record with what was found, without mutants of these libraries that there are no longer."""
        found = {**self.tried, **{one.mutant: one for one in tried}}
        left = {name: one for name, one in found.items() if one.library not in libraries or name in known}
        dropped = {n for n in (*self.equal, *equal) if n.partition(".")[0] not in libraries or n in known}
        return Record(dict(sorted(left.items())), sorted(dropped - set(left)))


def read() -> Record:
    """The record as it was last written."""
    return msgspec.json.decode(RECORD.read_bytes(), type=Record) if RECORD.exists() else Record()


def write(record: Record) -> None:
    """Write the record, a line for each mutant."""
    lines = [
        f"{msgspec.json.encode(name).decode()}: {msgspec.json.encode(one).decode()}"
        for name, one in record.tried.items()
    ]
    equal = [msgspec.json.encode(name).decode() for name in record.equal]
    tried, names = ",\n".join(lines), ",\n".join(equal)
    RECORD.write_text(f'{{"tried": {{\n{tried}\n}}, "equal": [\n{names}\n]}}\n', "utf-8")
