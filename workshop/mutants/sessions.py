"""Sessions of mutants and cells: the fast kind proves the record again, a cross runs all pairs that can matter."""

from __future__ import annotations

import importlib.util
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field

from conformance.collection import cells
from workshop.ci_results import ci_results
from workshop.mutant import ENGINES, Mutant, MutantError
from workshop.mutants.exemptions import exemptions
from workshop.mutants.kill_record import Record, key_of, renewed
from workshop.mutants.matrix import KillMatrix
from workshop.mutants.population import NULL, population
from workshop.mutants.runner import Workers, traced
from workshop.mutants.worker import Job

PARTS = 4  # of the cells, so that several workers share what one engine has to do
STEP = 60  # mutants that are run on new cells at a time, before it is looked at which cells still need one


@dataclass
class Session:
    """The engines, cells and mutants that a session is about, and the kills so far.

    `spots` has the cells that run each place of the reference engine's source.
    """

    engines: Sequence[str]
    cells: Sequence[str]
    spots: Mapping[str, Sequence[str]]
    mutants: Mapping[str, Mutant]
    unreached: Sequence[str]
    workers: Workers
    matrix: KillMatrix = field(default_factory=KillMatrix)
    elsewhere: frozenset[str] = frozenset()  # cells recorded to kill mutants of engines that are not in the session

    def reach(self, mutant: Mutant, among: Collection[str] | None = None) -> list[str]:
        """The cells that pass on the mutant's engine and come by its place, in the order of the suite."""
        wanted = [cell for cell in self.cells if among is None or cell in among]
        # Mutants written by hand have no place: any cell may reach them.
        if mutant.reached_by:
            there = {cell for spot in mutant.reached_by for cell in self.spots.get(spot, ())}
            wanted = [cell for cell in wanted if cell in there]
        self.learn(mutant.engine, wanted)
        return [cell for cell in wanted if self.matrix.passes(mutant.engine, cell)]

    def learn(self, engine: str, wanted: Iterable[str]) -> None:
        """Run the cells on an engine as it is whose verdicts are not known."""
        known = self.matrix.null.setdefault(engine, {})
        known.update(_unchanged(self.workers, engine, [cell for cell in wanted if cell not in known]))

    def do(self, jobs: Iterable[Job]) -> None:
        """Run jobs, and add their verdicts."""
        for run in self.workers.run([job for job in jobs if job.cells]):
            self.matrix.add(run)

    def cross(self, everything: bool = False) -> None:
        """Every mutant with every cell that can kill it; with `everything`, with every cell."""
        for engine in self.engines:
            self.learn(engine, self.cells)
        chosen = self.mutants.values()
        self.do(Job(m.name, m.engine, list(self.cells) if everything else self.reach(m), True) for m in chosen)

    def prove(self, record: Record) -> None:
        """Run the recorded kills, and look among all cells for those that are not recorded, or no longer hold.

        What is exempt is left to the cross.
        """
        by_key: dict[str, list[str]] = {}
        for cell in self.cells:
            for key in record.get(cell, ()):
                by_key.setdefault(key, []).append(cell)
        others = {cell for key, its in by_key.items() if key.partition(":")[0] not in self.engines for cell in its}
        self.elsewhere = frozenset(others)
        # All recorded cells of a mutant, not only up to the first kill: each line of the record is proved again.
        jobs = [Job(m.name, m.engine, by_key.get(key_of(m.name), []), True) for m in self.mutants.values()]
        for engine in self.engines:
            self.learn(engine, dict.fromkeys(cell for job in jobs if job.engine == engine for cell in job.cells))
        self.do(jobs)
        self.do([Job(m.name, m.engine, self.reach(m), False) for m in self.survivors()])
        self.prove_cells([cell for cell in self.cells if cell not in exemptions().behaviours])

    def prove_cells(self, wanted: Sequence[str]) -> None:
        """Look for mutants until each of these cells kills one or there are no more."""
        mutants = list(self.mutants.values())
        for start in range(0, len(mutants), STEP):
            # Looked at again after each step: most cells are proved by the first steps, and need no more runs.
            left = set(wanted) - self.matrix.proved() - self.elsewhere
            if not left:
                return
            self.do([Job(m.name, m.engine, self.reach(m, left), True) for m in mutants[start : start + STEP]])

    def renewed(self, record: Record) -> dict[str, list[str]]:
        """The record with the kills of this session."""
        killers = {key_of(name): self.matrix.killers(name) for name in self.matrix.runs}
        run = {(key_of(name), cell) for name, outcome in self.matrix.runs.items() for cell in outcome.cells}
        # A mutant where no behaviour goes any more would stay in the record, as no session runs it.
        # Of a part of the suite it is unknown which places the other cells reach.
        whole = set(self.cells) == set(cells())
        known = set(map(key_of, population())) - set(map(key_of, self.unreached if whole else ()))
        return renewed(record, killers, run, known, list(cells()))

    def survivors(self) -> list[Mutant]:
        """The mutants that nothing killed and that are not exempt."""
        killed = self.matrix.killed()
        return [m for name, m in self.mutants.items() if name not in killed and not exemptions().of(name)]

    def flaky(self) -> list[str]:
        """The cells that killed a mutant and have another verdict when the unchanged engine runs once more."""
        changed = []
        for engine in self.engines:
            # A cell whose verdict changes from run to run kills mutants by chance.
            killers = {c for name, run in self.matrix.runs.items() if run.engine == engine for c in run.cells}
            again = _unchanged(self.workers, engine, sorted(killers & set(self.matrix.null.get(engine, {}))))
            changed += [cell for cell, verdict in again.items() if self.matrix.null[engine][cell] != verdict]
        return changed

    def exempt(self) -> list[str]:
        """The mutants that nothing killed, with a reason in exempt.toml."""
        killed = self.matrix.killed()
        return [name for name in self.mutants if name not in killed and exemptions().of(name)]

    def unproved(self) -> list[str]:
        """The cells that pass on some engine, killed nothing here or elsewhere, and are not exempt."""
        done = self.matrix.proved() | self.elsewhere | set(exemptions().behaviours)
        left = [cell for cell in self.cells if cell not in done]
        for engine in self.engines:
            self.learn(engine, left)
        return [cell for cell in left if any(self.matrix.passes(engine, cell) for engine in self.engines)]

    def broken(self) -> dict[str, str]:
        """The mutants that are wrong themselves, with their faults."""
        return {name: run.fault for name, run in self.matrix.runs.items() if run.fault}

    def stale(self) -> list[str]:
        """The exemptions that are not needed: of mutants that are killed or gone. What was not run keeps its own."""
        proved, known = self.matrix.proved(), cells()
        alive = set(population()) - self.matrix.killed() - set(self.unreached)
        used = {name for mutant in alive for name in exemptions().of(mutant)}
        mine = [name for name in exemptions().mutants if name.partition(":")[0] in self.engines]
        return [name for name in mine if name not in used] + [
            cell for cell in exemptions().behaviours if cell in proved or cell not in known
        ]


def _unchanged(workers: Workers, engine: str, wanted: Sequence[str]) -> dict[str, str]:
    """The verdicts of an engine as it is, from workers, as those of mutants."""
    jobs = [Job(NULL, engine, part, True) for i in range(PARTS) if (part := list(wanted[i::PARTS]))]
    return {cell: verdict for run in workers.run(jobs) for cell, verdict in run.cells.items()}


def _within_reach(mutant: Mutant, spots: Collection[str]) -> bool:
    return not any(places and places.isdisjoint(spots) for places in (mutant.reached_by, mutant.shown_by))


def installed(engine: str) -> bool:
    """Whether the library that an engine is made of can be imported here."""
    return importlib.util.find_spec(ENGINES[engine]) is not None


@contextmanager
def session(engines: Sequence[str], only: Sequence[str], workers: int, among: Sequence[str] = ()) -> Iterator[Session]:
    """A session with the engines that can be imported and the mutants that behaviours reach.

    `only` are parts of names of mutants; `among` are the cells that it is about, if not all. Raises MutantError where
    nothing is left, or an engine cannot be started.
    """
    here = [engine for engine in engines or ENGINES if installed(engine)]
    suite = list(among or cells())
    named = {
        name: mutant
        for name, mutant in population().items()
        if mutant.engine in here and (not only or any(part in name for part in only))
    }
    # Tracing runs every cell: not for a name that no mutant has.
    spots = traced("reference", suite) if named and "reference" in here else {}
    unreached = {name for name, m in named.items() if not _within_reach(m, spots)}
    mutants = {name: mutant for name, mutant in named.items() if name not in unreached}
    if not mutants:
        raise MutantError(f"no mutant of {', '.join(here) or 'any engine'} fits {', '.join(only) or 'here'}")
    made = Session(here, suite, spots, mutants, sorted(unreached), Workers(workers))
    for engine in here:
        # The CI has just run the whole column, and so knows the verdicts of the engine as it is.
        if results := ci_results(engine):
            made.matrix.null[engine] = {row.id: row.verdict.value for row in results.results}
    try:
        yield made
    finally:
        made.workers.close()
