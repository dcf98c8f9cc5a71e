"""`python -m workshop engine-mutants`: PyTorch and JAX with public functions that are wrong in one way."""

from __future__ import annotations

import sys
import time
from collections.abc import Sequence

import click

from workshop.engine_mutants.kills import EngineKill, find_kills, find_witnesses
from workshop.engine_mutants.population import LIBRARIES, RECORD, groups, population
from workshop.engine_mutants.reaching_cells import ReachingCells
from workshop.engine_mutants.table import table_of
from workshop.mutant_record import (
    EQUAL,
    KILLED,
    SURVIVES,
    UNREACHED,
    MutantOutcome,
    read_outcomes,
    write_outcomes,
)
from workshop.timed_trial import preload

STEP = 25  # mutants after which the record is written


@click.command()
@click.option("--library", "libraries", multiple=True, type=click.Choice(LIBRARIES), help="Default: both.")
@click.option("--only", multiple=True, metavar="PART", help="Only mutants whose name has this part.")
@click.option("--again", is_flag=True, help="Also those that are recorded as killed; default: survivors and new ones.")
@click.option("--table", is_flag=True, help="Only print the tables of the record, as Markdown.")
def engine_mutants(libraries: Sequence[str], only: Sequence[str], again: bool, table: bool) -> None:
    """Run behaviours on PyTorch and JAX with a public function wrapped to be wrong, and record which mutants survive.

    Exit status 1 if a mutant that was killed survives.
    """
    if table:
        click.echo(table_of(libraries or LIBRARIES), nl=False)
        return
    lost = [name for library in libraries or LIBRARIES for name in _library(library, only, again)]
    for name in lost:
        click.echo(f"no longer killed: {name}")
    sys.exit(bool(lost))


def _library(library: str, only: Sequence[str], again: bool) -> list[str]:
    """Run the mutants of a library, and write the record. Returns those that were killed and survive."""
    began = time.perf_counter()
    # Before signatures are read: a late import would otherwise meet wrapped functions.
    preload(library)
    every = population(library)
    before = read_outcomes(RECORD, library, groups(every.values()))
    chosen = [mutant for name, mutant in every.items() if not only or any(part in name for part in only)]
    new = [mutant for mutant in chosen if again or mutant.name not in before]
    # Only survivors have a note: their witness, which need not be searched again.
    survivors = {m.name: before[m.name].note for m in chosen if m.name in before and before[m.name].note}
    witnesses = survivors | find_witnesses(library, new)
    click.echo(f"{library}: {len(witnesses)} of {len(chosen)} mutants are run ({_seconds(began)})")
    outcomes = before | {mutant.name: MutantOutcome(EQUAL) for mutant in new if mutant.name not in witnesses}
    wanted = [(every[name], program) for name, program in witnesses.items()]
    killed = 0
    for number, kill in enumerate(find_kills(ReachingCells(library), wanted), 1):
        click.echo(f"{kill.mutant.name}: {f'killed by {kill.cell}: {kill.message}' if kill.cell else 'survives'}")
        outcomes[kill.mutant.name] = _outcome(kill)
        killed += bool(kill.cell)
        # A long search that is interrupted keeps what it has.
        if number % STEP == 0:
            write_outcomes(RECORD, library, groups(every.values()), outcomes)
    write_outcomes(RECORD, library, groups(every.values()), outcomes)
    click.echo(f"{library}: {killed} of {len(wanted)} that were run are killed ({_seconds(began)})")
    return [name for name, outcome in before.items() if outcome.letter == KILLED and outcomes[name].letter != KILLED]


def _outcome(kill: EngineKill) -> MutantOutcome:
    if kill.cell:
        return MutantOutcome(KILLED)
    return MutantOutcome(SURVIVES if kill.acted else UNREACHED, kill.witness)


def _seconds(began: float) -> str:
    return f"{time.perf_counter() - began:.0f} s"
