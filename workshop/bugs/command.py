"""`python -m workshop bugs`: the cell or program that shows each bug of the shared catalogue, and whether it does."""

from __future__ import annotations

import json
import subprocess
import sys
from collections.abc import Iterator, Sequence
from functools import cache
from pathlib import Path

import click

from conformance import collection, compiled_trials
from conformance.behaviour import Behaviour
from conformance.engines import EngineError
from conformance.programs.engine import LoadedEngine, engine_of
from conformance.programs.generator.generate import generate_program
from conformance.programs.program_trial import try_program
from workshop.bugs.table import Bug, page, table
from workshop.laws.law_cells import every_cell
from workshop.programs.bugs import Combination

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
@click.option("--run", is_flag=True, help="Run what shows each, and the program of the catalogue.")
@click.option("--programs", type=click.Path(path_type=Path), default=PROGRAMS, help="The programs of the catalogue.")
def bugs(names: Sequence[str], run: bool, programs: Path) -> None:
    """Print the table of bugs as Markdown; with --run, try those that are present (names; default: all).

    Exit status 1 if what shows a bug and the program of the catalogue disagree about whether it is there.
    """
    if unknown := [name for name in names if name not in table()]:
        raise click.UsageError(f"unknown bug {unknown[0]!r}: bugs.toml lists {', '.join(table())}")
    if not run:
        click.echo(page(), nl=False)
        return
    chosen = [bug for bug in table().values() if bug.shown and not bug.fixed and (not names or bug.id in names)]
    alike = []
    for line, agree in _compare(chosen, programs):
        click.echo(line)
        alike.append(agree)
    click.echo(f"{sum(alike)} of {len(alike)} bugs are seen alike here and by the program of the catalogue")
    sys.exit(int(not all(alike)))


def _compare(chosen: Sequence[Bug], programs: Path) -> Iterator[tuple[str, bool]]:
    """For each bug a line, and whether the catalogue agrees; engine by engine, of those installed."""
    # All of them in a single process before any engine is loaded here.
    there = seen_by_catalogue(programs, [bug.id for bug in chosen])
    for name in dict.fromkeys(bug.engine for bug in chosen):
        try:
            engine = engine_of(name)
        # The table covers more engines than any environment has.
        except EngineError as error:
            click.echo(f"not run: {error}", err=True)
            continue
        for bug in (bug for bug in chosen if bug.engine == name):
            seen, message = seen_here(engine, bug)
            program = there.get(bug.id)
            yield f"{bug.id}: here {_word(seen)}, catalogue {_word(program)}: {message[:100]}", program in (seen, None)


def _word(seen: bool | None) -> str:
    return "not run" if seen is None else "shown" if seen else "not shown"


@cache
def cells() -> dict[str, tuple[Behaviour, str | None]]:
    """The behaviour or law, and the case, of each cell."""
    return collection.cells() | every_cell()


def seen_here(engine: LoadedEngine, bug: Bug) -> tuple[bool, str]:
    """Whether the cell of a bug fails and its message is about the bug, or its program shows it; and the message."""
    if bug.program:
        return _seen_by_program(engine, bug.program)
    behaviour, case = cells()[bug.cell]
    outcome = compiled_trials.run(behaviour, engine.adapter, case, declaration=engine.declaration)
    return outcome.verdict.value in ("fail", "differs") and bug.is_shown_by(outcome.message), outcome.message


def _seen_by_program(engine: LoadedEngine, bug: Combination) -> tuple[bool, str]:
    program = generate_program(bug.kind, bug.seed)
    difference = try_program(program, engine, engine_of("reference"), (bug.oracle,)).failure
    return (difference.oracle == bug.oracle, str(difference.difference)) if difference else (False, "")


def seen_by_catalogue(programs: Path, names: Sequence[str]) -> dict[str, bool]:
    """Whether the program in the catalogue shows each bug, from a single process; empty without the catalogue."""
    if not programs.is_file():
        return {}
    command = [sys.executable, "-c", RUN, str(programs), *names]
    done = subprocess.run(command, capture_output=True, text=True, check=True)
    rows = (json.loads(line) for line in done.stdout.splitlines() if line.startswith('{"id"'))
    return {row["id"]: row["status"] == "PRESENT" for row in rows}
