"""`python -m workshop engine-mutants`: PyTorch and JAX with public functions that are wrong in one way."""

from __future__ import annotations

import sys
import time
from collections.abc import Sequence

import click

from workshop.engine_mutants.kills import tried, witnessed
from workshop.engine_mutants.population import LIBRARIES, population
from workshop.engine_mutants.reaching_cells import ReachingCells, prepared
from workshop.engine_mutants.record import TriedMutant, read, write
from workshop.engine_mutants.table import write_table

__all__ = ["engine_mutants"]

STEP = 25  # mutants after which the record is written


@click.command()
@click.option("--library", "libraries", multiple=True, type=click.Choice(LIBRARIES), help="Default: both.")
@click.option("--only", multiple=True, metavar="PART", help="Only mutants whose name has this part.")
@click.option("--again", is_flag=True, help="Also those that a cell is recorded to notice; default: the others.")
@click.option("--table", is_flag=True, help="Only write docs/engine-mutants.md from the record.")
def engine_mutants(libraries: Sequence[str], only: Sequence[str], again: bool, table: bool) -> None:
    """Run behaviours on PyTorch and JAX with a public function wrapped to be wrong, and record what is noticed.

    Exit status 1 if a mutant that was noticed no longer is.
    """
    lost: list[str] = []
    for library in () if table else libraries or LIBRARIES:
        lost += _library(library, only, again)
    write_table(read())
    for name in lost:
        click.echo(f"no longer noticed: {name}")
    sys.exit(bool(lost))


def _library(library: str, only: Sequence[str], again: bool) -> list[str]:
    """Try the mutants of a library, and write the record. Returns those that are no longer noticed."""
    began = time.perf_counter()
    prepared(library)
    record, every = read(), population(library)
    chosen = {name: m for name, m in every.items() if not only or any(part in name for part in only)}
    new = [m for name, m in chosen.items() if again or (name not in record.tried and name not in record.equal)]
    shown = {name: record.tried[name].witness for name in chosen if name in record.tried} | witnessed(library, new)
    click.echo(f"{library}: {len(shown)} of {len(chosen)} mutants have a witness ({_seconds(began)})")
    cells = ReachingCells(library)
    wanted = [
        (every[name], program)
        for name, program in shown.items()
        if again or name not in record.tried or not _holds(record.tried[name], cells)
    ]
    equal = [m.name for m in new if m.name not in shown]
    found: list[TriedMutant] = []
    for one in tried(cells, wanted, record.tried):
        found.append(one)
        # A long search that is interrupted keeps what it has.
        if len(found) % STEP == 0:
            write(read().taken_in(found, equal, set(every), {library}))
    write(read().taken_in(found, equal, set(every), {library}))
    caught = sum(bool(one.cell) for one in found)
    click.echo(f"{library}: {caught} of {len(found)} that were tried are noticed ({_seconds(began)})")
    return [
        one.mutant for one in found if not one.cell and one.mutant in record.tried and record.tried[one.mutant].cell
    ]


def _holds(one: TriedMutant, cells: ReachingCells) -> bool:
    """Whether a cell is recorded to notice it, which there still is."""
    return bool(one.cell) and one.cell.partition("/")[2] in cells.behaviours


def _seconds(began: float) -> str:
    return f"{time.perf_counter() - began:.0f} s"
