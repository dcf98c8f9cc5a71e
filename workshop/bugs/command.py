"""`python -m workshop bugs`: which cell shows each bug of the shared catalogue, and whether it does."""

from __future__ import annotations

import json
import subprocess
import sys
from collections.abc import Iterator, Sequence
from pathlib import Path

import click

from conformance.engines import EngineError
from workshop.bugs.table import Bug, page, table
from workshop.laws.cells import Cells

__all__ = ["bugs", "seen_by_cell", "seen_by_program"]

# Beside the checkout; nothing of the product reads it.
PROGRAMS = Path(__file__).parents[3] / "shared" / "catalogue" / "bugs.py"


@click.command()
@click.argument("names", nargs=-1)
@click.option("--run", is_flag=True, help="Run each cell, and the program of the catalogue.")
@click.option("--programs", type=click.Path(path_type=Path), default=PROGRAMS, help="The programs of the catalogue.")
def bugs(names: Sequence[str], run: bool, programs: Path) -> None:
    """Print the table of bugs as Markdown; with --run, try those that are present (names; default: all).

    Exit status 1 if a cell and the program of a bug disagree about whether it is there.
    """
    if unknown := [name for name in names if name not in table()]:
        raise click.UsageError(f"unknown bug {unknown[0]!r}: bugs.toml lists {', '.join(table())}")
    if not run:
        click.echo(page(), nl=False)
        return
    chosen = [one for one in table().values() if one.cell and not one.fixed and (not names or one.id in names)]
    lines = list(_tried(chosen, programs))
    for line, _ in lines:
        click.echo(line)
    click.echo(f"{sum(agree for _, agree in lines)} of {len(lines)} bugs are seen alike by the cell and the program")
    sys.exit(int(not all(agree for _, agree in lines)))


def _tried(chosen: Sequence[Bug], programs: Path) -> Iterator[tuple[str, bool]]:
    """For each bug a line, and whether the cell and the program agree; engine by engine, of those installed."""
    for engine in dict.fromkeys(one.engine for one in chosen):
        try:
            cells = Cells(engine)
        except EngineError as error:
            click.echo(f"not run: {error}", err=True)
            continue
        for one in (one for one in chosen if one.engine == engine):
            seen, message = seen_by_cell(cells, one)
            program = seen_by_program(programs, one)
            yield f"{one.id}: cell {_word(seen)}, program {_word(program)}: {message[:100]}", program in (seen, None)


def _word(seen: bool | None) -> str:
    return "not run" if seen is None else "shows it" if seen else "does not"


def seen_by_cell(cells: Cells, bug: Bug) -> tuple[bool, str]:
    """Whether the cell of a bug fails and its message is about the bug, and the message."""
    outcome = cells.outcome(bug.cell)
    return outcome.verdict.value in ("fail", "differs") and bug.is_told_by(outcome.message), outcome.message


def seen_by_program(programs: Path, bug: Bug) -> bool | None:
    """Whether the program of a bug in the catalogue shows it; None without the catalogue."""
    if not programs.is_file():
        return None
    command = [sys.executable, str(programs), "--only", bug.id]
    done = subprocess.run(command, capture_output=True, text=True, timeout=300, check=True)
    return bool(json.loads(done.stdout[done.stdout.index("{") :])["status"] == "PRESENT")
