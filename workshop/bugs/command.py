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

__all__ = ["bugs", "seen_by_cell", "seen_by_programs"]

# Beside the checkout; nothing of the product reads it.
PROGRAMS = Path(__file__).parents[3] / "shared" / "catalogue" / "bugs.py"
# Runs programs of the catalogue by their ids, and prints a line for each.
RUN = """
import json, runpy, sys
catalogue = runpy.run_path(sys.argv[1])
for name in sys.argv[2:]:
    print(json.dumps({"id": name, "status": catalogue["run_one"](name)["status"]}), flush=True)
"""


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
    alike = []
    for line, agree in _tried(chosen, programs):
        click.echo(line)
        alike.append(agree)
    click.echo(f"{sum(alike)} of {len(alike)} bugs are seen alike by the cell and the program")
    sys.exit(int(not all(alike)))


def _tried(chosen: Sequence[Bug], programs: Path) -> Iterator[tuple[str, bool]]:
    """For each bug a line, and whether the cell and the program agree; engine by engine, of those installed."""
    there = seen_by_programs(programs, [one.id for one in chosen])
    for engine in dict.fromkeys(one.engine for one in chosen):
        try:
            cells = Cells(engine)
        except EngineError as error:
            click.echo(f"not run: {error}", err=True)
            continue
        for one in (one for one in chosen if one.engine == engine):
            seen, message = seen_by_cell(cells, one)
            program = there.get(one.id)
            yield f"{one.id}: cell {_word(seen)}, program {_word(program)}: {message[:100]}", program in (seen, None)


def _word(seen: bool | None) -> str:
    return "not run" if seen is None else "shows it" if seen else "does not"


def seen_by_cell(cells: Cells, bug: Bug) -> tuple[bool, str]:
    """Whether the cell of a bug fails and its message is about the bug, and the message."""
    outcome = cells.outcome(bug.cell)
    return outcome.verdict.value in ("fail", "differs") and bug.is_told_by(outcome.message), outcome.message


def seen_by_programs(programs: Path, names: Sequence[str]) -> dict[str, bool]:
    """Of each bug, whether its program in the catalogue shows it; none without the catalogue. In one process."""
    if not programs.is_file():
        return {}
    command = [sys.executable, "-c", RUN, str(programs), *names]
    done = subprocess.run(command, capture_output=True, text=True, check=True)
    found = (json.loads(line) for line in done.stdout.splitlines() if line.startswith('{"id"'))
    return {one["id"]: one["status"] == "PRESENT" for one in found}
