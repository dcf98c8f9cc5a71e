"""Searches for the cell that kills a mutant of a library."""

from __future__ import annotations

import os
import traceback
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass
from functools import partial
from typing import Any

from conformance.verdicts import Outcome, Verdict
from workshop.engine_mutants.engine_fault import EngineFault
from workshop.engine_mutants.population import EngineMutant
from workshop.engine_mutants.reaching_cells import Cell, ReachingCells
from workshop.engine_mutants.witnesses import null_outcomes, witness
from workshop.engine_mutants.wrappers import Watch, watched
from workshop.isolation import result_in_fork

_KILLS = (Verdict.FAIL, Verdict.DIFFERS)
_HERE = os.path.dirname(__file__)
_MOST = 200  # cells that are run on a mutant


@dataclass(frozen=True)
class EngineKill:
    """The outcome of a mutant: its witness, the number of cells in which it acts, the cell that kills it, if any."""

    mutant: EngineMutant
    witness: str
    acted: int
    cell: str = ""
    message: str = ""


def _isolated(library: str, action: Callable[[], Any]) -> Any:
    # JAX has threads, which a fork does not have.
    return action() if library == "jax" else result_in_fork(action)


def find_witnesses(library: str, mutants: Iterable[EngineMutant]) -> dict[str, str]:
    """The mutants that a program shows, by name, with the program."""
    by_target: dict[str, list[EngineMutant]] = {}
    for mutant in mutants:
        by_target.setdefault(mutant.target.name, []).append(mutant)
    witnesses: dict[str, str] = {}
    for of_target in by_target.values():
        witnesses.update(_isolated(library, partial(_witnesses, of_target)))
    return witnesses


def _witnesses(mutants: Sequence[EngineMutant]) -> dict[str, str]:
    # One fork for all mutants of a function: their programs are the same, and run once without a fault.
    outcomes = null_outcomes(mutants[0].target, [mutant.fault for mutant in mutants])
    programs = {mutant.name: witness(mutant, outcomes) for mutant in mutants}
    return {name: program for name, program in programs.items() if program}


def find_kills(cells: ReachingCells, mutants: Sequence[tuple[EngineMutant, str]]) -> Iterator[EngineKill]:
    """The outcome of each mutant, which comes with its witness. Cells that cite its function are run first."""
    passing = cells.passing()
    # All wrappers at once, and only once: which cells reach a fault depends on calls, not on the fault.
    acting = _isolated(cells.library, lambda: cells.acting([mutant for mutant, _ in mutants], passing))
    useful: Counter[Cell] = Counter()
    for mutant, program in mutants:
        cited = set().union(*(cells.citing(name) for name in (mutant.target.name, *mutant.target.cites)))
        # A cell that has killed others is likely to kill this one.
        order = sorted(map(tuple, acting[mutant.name]), key=lambda cell: (cell[1] not in cited, -useful[cell]))
        killer, message = _first_killer(cells, mutant, order[:_MOST])
        if killer:
            useful[killer] += 1
        yield EngineKill(mutant, program, len(order), "/".join(killer or ()), message)


def _first_killer(cells: ReachingCells, mutant: EngineMutant, order: list[Cell]) -> tuple[Cell | None, str]:
    left = order
    while left:
        at, message = _isolated(cells.library, partial(_first_kill, cells, mutant, left))
        if at < 0:
            return None, ""
        cell, left = left[at], left[at + 1 :]
        # A wrapper that breaks something else kills as well.
        if _isolated(cells.library, partial(_passes, cells, mutant, mutant.fault.neutral, cell)):
            return cell, message
    return None, ""


def _first_kill(cells: ReachingCells, mutant: EngineMutant, order: Sequence[Cell]) -> tuple[int, str]:
    # The fault has to act in the cell itself, or a cell that fails by chance would count.
    watch = Watch([mutant.fault])
    with watched(mutant.target, watch):
        for at, cell in enumerate(order):
            watch.begin()
            outcome = cells.outcome(cell)
            if watch.acted and is_kill(outcome):
                return at, outcome.message[:300]
    return -1, ""


def _passes(cells: ReachingCells, mutant: EngineMutant, neutral: EngineFault | None, cell: Cell) -> bool:
    with watched(mutant.target, Watch([neutral] if neutral else [])):
        return cells.outcome(cell).verdict is Verdict.PASS


def is_kill(outcome: Outcome) -> bool:
    """Whether a verdict is a kill: it is about the engine, and no exception of the wrappers' code led to it."""
    if outcome.verdict not in _KILLS:
        return False
    frames = traceback.extract_tb(outcome.raised.__traceback__) if outcome.raised else []
    return not (frames and frames[-1].filename.startswith(_HERE))
