"""What a session runs: the fast one re-proves the record, the cross runs everything that can matter, or everything."""

from __future__ import annotations

import importlib.util
import re
from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cache, cached_property
from pathlib import Path

from conformance.kills import Kills
from conformance.sources import tomllib
from workshop.mutants.matrix import Matrix
from workshop.mutants.mutant import ENGINES, Mutant, MutantError
from workshop.mutants.population import NULL, population
from workshop.mutants.runner import Job, run, traced
from workshop.mutants.worker import cells
from workshop.ran import ran

__all__ = ["EXCUSES", "Excuses", "Plan", "excuses", "installed", "plan"]

PARTS = 4  # of the suite, so that several workers share what one engine has to do
EXCUSES = Path(__file__).parent / "excuses.toml"


@dataclass(frozen=True)
class Excuses:
    """Reasons, by name: why no behaviour notices a mutant, why no mutant shows a behaviour.

    In the names of mutants a star stands for anything.
    """

    mutants: Mapping[str, str]
    behaviours: Mapping[str, str]

    def of(self, mutant: str) -> list[str]:
        """The names under which a mutant is excused."""
        return [name for name in self.mutants if _pattern(name).fullmatch(mutant)]


@cache
def _pattern(name: str) -> re.Pattern[str]:
    return re.compile(".*".join(map(re.escape, name.split("*"))))


@cache
def excuses() -> Excuses:
    """The tables of excuses.toml."""
    tables = tomllib.loads(EXCUSES.read_text("utf-8"))
    return Excuses(tables.get("mutants", {}), tables.get("behaviours", {}))


@dataclass
class Plan:
    """The engines and mutants of a session, and what is known of where behaviours go."""

    engines: Sequence[str]
    cells: Sequence[str]
    workers: int
    spots: Mapping[str, Sequence[str]]
    mutants: Mapping[str, Mutant]
    unreached: Sequence[str]
    null: Mapping[str, Mapping[str, str]] = field(default_factory=dict)

    @cached_property
    def matrix(self) -> Matrix:
        """What the session has found so far."""
        return Matrix(self.null)

    def reach(self, mutant: Mutant, among: Collection[str] | None = None) -> list[str]:
        """The cells that pass on the mutant's engine and come by its place, in the order of the suite."""
        passing = self.null[mutant.engine]
        there = {c for spot in mutant.reached_by for c in self.spots.get(spot, ())} if mutant.reached_by else passing
        wanted = self.cells if among is None else [cell for cell in self.cells if cell in among]
        return [cell for cell in wanted if cell in there and passing.get(cell) == "pass"]

    def do(self, jobs: Iterable[Job]) -> None:
        """Run jobs, and take in what they find."""
        for found in run([job for job in jobs if job.cells], self.workers):
            self.matrix.add(found)

    def cross(self, everything: bool = False, among: Collection[str] | None = None) -> None:
        """Every mutant with every cell that can notice it; with `everything`, with every cell."""
        chosen = self.mutants.values()
        wanted = {m.name: list(self.cells) if everything else self.reach(m, among) for m in chosen}
        self.do(Job(m.name, m.engine, wanted[m.name], True) for m in chosen)

    def prove(self, kills: Kills) -> None:
        """Show again what is recorded: each mutant by one of its killers, each cell on one of its mutants.

        What the record does not hold, or no longer holds, is looked for among all cells that can notice. What is
        excused is left to the cross.
        """
        before = {m.name: m.killers for m in kills.mutants if m.name in self.mutants}
        given = _shared_out(before, self.cells)
        self.do(Job(name, self.mutants[name].engine, mine, True) for name, mine in given.items())
        killed = self.matrix.killed()
        left = [m for name, m in self.mutants.items() if name not in killed and not excuses().of(name)]
        self.do(Job(m.name, m.engine, self.reach(m), False) for m in left)
        unproved = set(self.unproved())
        if unproved:
            self.do(Job(m.name, m.engine, self.reach(m, unproved), True) for m in self.mutants.values())

    def survivors(self) -> list[Mutant]:
        """The mutants that nothing noticed and nobody excused."""
        killed = self.matrix.killed()
        return [m for name, m in self.mutants.items() if name not in killed and not excuses().of(name)]

    def noticed_in_nothing(self) -> list[str]:
        """The cells whose verdict is another when the unchanged engine runs once more."""
        again = _with_nothing_changed(self.engines, self.cells, self.workers)
        return [c for e, found in again.items() for c, verdict in found.items() if self.null[e].get(c) != verdict]

    def excused(self) -> list[str]:
        """The mutants that nothing noticed, for a reason that is given."""
        killed = self.matrix.killed()
        return [name for name in self.mutants if name not in killed and excuses().of(name)]

    def unproved(self) -> list[str]:
        """The cells that pass on some engine, noticed nothing, and are not excused.

        Without the reference engine nothing is said: most cells are shown on its mutants.
        """
        if "reference" not in self.engines:
            return []
        passing = {cell for found in self.null.values() for cell, verdict in found.items() if verdict == "pass"}
        proved, excused = self.matrix.proved(), excuses().behaviours
        return [cell for cell in self.cells if cell in passing and cell not in proved and cell not in excused]

    def broken(self) -> dict[str, str]:
        """The mutants that are wrong themselves, with what is wrong."""
        return {name: found.fault for name, found in self.matrix.runs.items() if found.fault}

    def stale(self) -> list[str]:
        """The excuses that are not needed: for what is noticed, or is gone. What was not run keeps its own."""
        proved = self.matrix.proved()
        alive = set(population()) - self.matrix.killed() - set(self.unreached)
        used = {name for mutant in alive for name in excuses().of(mutant)}
        known = cells()
        names = [name for name in excuses().mutants if name not in used and name.partition(":")[0] in self.engines]
        return names + [cell for cell in excuses().behaviours if cell in proved or cell not in known]


def _shared_out(before: Mapping[str, Sequence[str]], cells: Sequence[str]) -> dict[str, list[str]]:
    """To each mutant the cells that are to be shown on it: each cell once, on the mutant that has the fewest yet."""
    given: dict[str, list[str]] = {name: [] for name in before}
    for cell in cells:
        mine = [name for name, killers in before.items() if cell in killers]
        if mine:
            given[min(mine, key=lambda name: len(given[name]))].append(cell)
    return {name: found or [c for c in before[name] if c in cells][:1] for name, found in given.items()}


def _with_nothing_changed(engines: Iterable[str], cells: Sequence[str], workers: int) -> dict[str, dict[str, str]]:
    """The verdicts of engines as they are, found as those of mutants are."""
    found: dict[str, dict[str, str]] = {engine: {} for engine in engines}
    for part in run([Job(NULL, e, list(cells[i::PARTS]), True) for e in found for i in range(PARTS)], workers):
        found[part.engine].update(part.cells)
    return found


def _within_reach(mutant: Mutant, spots: Collection[str]) -> bool:
    return not any(places and places.isdisjoint(spots) for places in (mutant.reached_by, mutant.shown_by))


def installed(engine: str) -> bool:
    """Whether the library that an engine is made of can be imported here."""
    return importlib.util.find_spec(ENGINES[engine]) is not None


def plan(engines: Sequence[str], only: Sequence[str], workers: int, among: Sequence[str] = ()) -> Plan:
    """Look at what there is: engines that can be imported, where behaviours go, which mutants that leaves.

    `only` are parts of names of mutants; `among` are the cells that the session is about, if not all. Raises
    MutantError where nothing is left, or an engine cannot be started.
    """
    here = [engine for engine in engines or ENGINES if installed(engine)]
    spots = traced("reference", ENGINES["reference"]) if "reference" in here else {}
    named = {
        name: mutant
        for name, mutant in population().items()
        if mutant.engine in here and (not only or any(part in name for part in only))
    }
    unreached = [name for name, m in named.items() if not _within_reach(m, spots)]
    mutants = {name: mutant for name, mutant in named.items() if name not in set(unreached)}
    if not mutants:
        raise MutantError(f"no mutant of {', '.join(here) or 'any engine'} fits {', '.join(only) or 'here'}")
    suite = list(among or cells())
    found = {engine: results.results for engine in here if (results := ran(engine))}
    null = {engine: {row.id: row.verdict.value for row in found[engine] if row.id in suite} for engine in found}
    null |= _with_nothing_changed([engine for engine in here if engine not in null], suite, workers)
    return Plan(here, suite, workers, spots, mutants, unreached, null)
