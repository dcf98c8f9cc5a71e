"""Tries cells on mutants, up to the first kill."""

from __future__ import annotations

import os
import traceback
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from functools import partial

from conformance.verdicts import Outcome, Verdict
from workshop.engine_mutants.engine_fault import EngineFault
from workshop.engine_mutants.forking import each, isolated
from workshop.engine_mutants.population import EngineMutant
from workshop.engine_mutants.reaching_cells import Cell, ReachingCells
from workshop.engine_mutants.record import TriedMutant
from workshop.engine_mutants.witnesses import null_outcomes, witness
from workshop.engine_mutants.wrappers import Watch

__all__ = ["cell_kills", "tried", "witnessed"]

_KILLS = (Verdict.FAIL, Verdict.DIFFERS)
_HERE = os.path.dirname(__file__)
_MOST = 200  # cells that are tried on a mutant


def witnessed(library: str, mutants: Iterable[EngineMutant]) -> dict[str, str]:
    """The mutants that a program shows, by name, with the program."""
    by_target: dict[str, list[EngineMutant]] = {}
    for mutant in mutants:
        by_target.setdefault(mutant.target.name, []).append(mutant)
    found: dict[str, str] = {}
    for its in by_target.values():
        found.update(isolated(library, partial(_witnesses, its)))
    return found


def _witnesses(mutants: Sequence[EngineMutant]) -> list[tuple[str, str]]:
    under = null_outcomes(mutants[0].target, [mutant.fault for mutant in mutants])
    found = ((mutant.name, witness(mutant, under)) for mutant in mutants)
    return [(name, program) for name, program in found if program]


def tried(
    cells: ReachingCells, mutants: Sequence[tuple[EngineMutant, str]], before: Mapping[str, TriedMutant]
) -> Iterator[TriedMutant]:
    """What comes of each mutant, with its witness. The cell that killed it before is tried first."""
    library = cells.library
    verdicts = each(library, cells.all, lambda cell: cells.outcome(cell).verdict is Verdict.PASS)
    passing = [cell for cell, passes in verdicts.items() if passes]
    acting = isolated(library, lambda: cells.acting([mutant for mutant, _ in mutants], passing))
    useful: Counter[Cell] = Counter()
    for mutant, program in mutants:
        cited = set().union(*(cells.citing(name) for name in (mutant.target.name, *mutant.target.cites)))
        known = before[mutant.name].cell if mutant.name in before else ""
        order = sorted(acting[mutant.name], key=lambda c: ("/".join(c) != known, c[1] not in cited, -useful[c]))
        killer, message = _killed(cells, mutant, order[:_MOST])
        if killer:
            useful[killer] += 1
        yield TriedMutant(
            mutant.name,
            mutant.fault.grade,
            mutant.fault.family,
            program,
            len(order),
            "/".join(killer) if killer else "",
            message,
        )


def _killed(cells: ReachingCells, mutant: EngineMutant, order: list[Cell]) -> tuple[Cell | None, str]:
    left = order
    while left:
        at, message = isolated(cells.library, partial(_first_kill, cells, mutant, left))
        if at < 0:
            return None, ""
        cell, left = left[at], left[at + 1 :]
        # A wrapper that breaks something else kills as well.
        if isolated(cells.library, partial(_passes, cells, mutant, mutant.fault.neutral, cell)):
            return cell, message
    return None, ""


def _first_kill(cells: ReachingCells, mutant: EngineMutant, order: Sequence[Cell]) -> tuple[int, str]:
    watch = Watch([mutant.fault])
    with mutant.opened(watch):
        for at, cell in enumerate(order):
            watch.begin()
            outcome = cells.outcome(cell)
            if watch.acted and cell_kills(outcome):
                return at, outcome.message[:300]
    return -1, ""


def _passes(cells: ReachingCells, mutant: EngineMutant, neutral: EngineFault | None, cell: Cell) -> bool:
    with mutant.opened(Watch([neutral] if neutral else [])):
        return cells.outcome(cell).verdict is Verdict.PASS


def cell_kills(outcome: Outcome) -> bool:
    """Whether a verdict is a kill: it is one of the engine's, and no exception of the wrappers' code led to it."""
    if outcome.verdict not in _KILLS:
        return False
    frames = traceback.extract_tb(outcome.raised.__traceback__) if outcome.raised else []
    return not (frames and frames[-1].filename.startswith(_HERE))
