"""The kill matrix: what a cross found, and what of it is kept."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass, field

import msgspec
from msgspec.structs import replace

from conformance.kills import SCHEMA, Kills, MutantRecord
from workshop.mutants.mutant import Mutant
from workshop.mutants.runner import Run
from workshop.mutants.worker import KILLS

__all__ = ["Matrix", "dumped", "joined", "record"]

# So many mutants of a cell, and killers of a mutant, are kept: the ones that tell most apart.
_PER_CELL, _PER_MUTANT = 5, 3


@dataclass
class Matrix:
    """Verdicts by mutant and cell, and the verdicts that engines give when nothing is changed."""

    null: Mapping[str, Mapping[str, str]]
    runs: dict[str, Run] = field(default_factory=dict)

    def add(self, run: Run) -> None:
        """Take in what a job found, beside what earlier ones found of the same mutant."""
        earlier = self.runs.get(run.mutant, Run(run.mutant, run.engine))
        cells = {**earlier.cells, **run.cells}
        fault = earlier.fault or run.fault
        self.runs[run.mutant] = Run(run.mutant, run.engine, cells, fault, earlier.seconds + run.seconds)

    def killers(self, mutant: str) -> list[str]:
        """The cells that pass on the engine as it is, and do not on the mutant."""
        run = self.runs.get(mutant)
        if run is None:
            return []
        passes = self.null[run.engine]
        return [cell for cell, verdict in run.cells.items() if verdict in KILLS and passes.get(cell) == "pass"]

    def killed(self) -> set[str]:
        """The mutants that some cell notices."""
        return {name for name in self.runs if self.killers(name)}

    def proved(self) -> set[str]:
        """The cells that notice some mutant."""
        return {cell for name in self.runs for cell in self.killers(name)}

    def state(self, mutant: str, cell: str) -> str:
        """What became of one pair: killed, survived, or not run."""
        if cell not in self.runs[mutant].cells:
            return "not run"
        return "killed" if cell in self.killers(mutant) else "survived"


def record(
    matrix: Matrix, population: Mapping[str, Mutant], cells: Sequence[str], beside: Sequence[MutantRecord] = ()
) -> Kills:
    """What is kept: every mutant that is killed, with the cells for which it is among the most telling.

    `beside` are records that stay as they are, and compete.
    """
    killers = {name: matrix.killers(name) for name in population if name in matrix.runs}
    kept: dict[str, set[str]] = {name: set(found[:_PER_MUTANT]) for name, found in killers.items() if found}
    for cell in cells:
        mine = [(len(found), name) for name, found in killers.items() if cell in found]
        others = [(old.noticed, old.name) for old in beside if cell in old.killers]
        for _, name in sorted(mine + others)[:_PER_CELL]:
            kept.get(name, set()).add(cell)
    order = {cell: place for place, cell in enumerate(cells)}
    return Kills(
        SCHEMA,
        [
            MutantRecord(
                name, population[name].engine, population[name].what, population[name].models,
                len(killers[name]), sorted(kept[name], key=order.__getitem__),
            )
            for name in sorted(kept)
        ],
    )  # fmt: skip


def joined(
    before: Iterable[MutantRecord], found: Iterable[MutantRecord], cells: Collection[str], asked: Collection[str]
) -> list[MutantRecord]:
    """A record with what some cells have been found to notice of the mutants asked, in the place of what it said.

    Such a cell may have been counted among those that notice a mutant without being named: the count is exact for cells
    that are new, and a cross renews it.
    """
    merged = {m.name: m for m in found}
    for old in before:
        kept = [cell for cell in old.killers if cell not in cells or old.name not in asked]
        new = merged.get(old.name, replace(old, noticed=0, killers=[]))
        merged[old.name] = replace(
            new, noticed=old.noticed - (len(old.killers) - len(kept)) + new.noticed, killers=[*kept, *new.killers]
        )
    return [m for m in merged.values() if m.killers]


def dumped(kills: Kills) -> str:
    """The record as JSON, a line per mutant, so that a change shows as what it is."""
    lines: Iterable[str] = (msgspec.json.encode(mutant).decode() for mutant in kills.mutants)
    return f'{{"schema":"{kills.schema}","mutants":[\n' + ",\n".join(lines) + "\n]}\n"
