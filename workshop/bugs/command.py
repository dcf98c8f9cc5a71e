"""`python -m workshop bugs`: the cell or program that shows each bug of the table, and whether it does here."""

from __future__ import annotations

import sys
from collections.abc import Iterator, Sequence
from dataclasses import replace
from functools import cache

import click

from conformance import collection, compiled_trials
from conformance.behaviour import Behaviour
from conformance.engines import EngineError
from conformance.programs.engine import LoadedEngine, engine_of
from conformance.programs.generator.generate import generate_program
from conformance.programs.program_trial import try_program
from conformance.verdicts import Verdict
from workshop.bugs.table import Bug, BugProgram, page, table
from workshop.isolation import Send, run_in_fork
from workshop.laws.law_cells import every_cell


@click.command()
@click.argument("names", nargs=-1)
@click.option("--run", is_flag=True, help="Run the cells and programs of those that are present.")
def bugs(names: Sequence[str], run: bool) -> None:
    """Print the table of bugs as Markdown; with --run, run what shows those that are present (NAMES; default: all).

    Exit status 1 if a bug is not shown any more.
    """
    if unknown := [name for name in names if name not in table()]:
        raise click.UsageError(f"unknown bug {unknown[0]!r}: bugs.toml lists {', '.join(table())}")
    if not run:
        click.echo(page(), nl=False)
        return
    present = [bug for bug in table().values() if bug.shown and not bug.fixed and (not names or bug.id in names)]
    shown = []
    for bug, seen, message in _run(present):
        click.echo(f"{bug.id}: {'shown' if seen else 'not shown'}: {message[:100]}")
        shown.append(seen)
    click.echo(f"{sum(shown)} of {len(shown)} bugs are shown")
    sys.exit(int(not all(shown)))


def _run(bugs: Sequence[Bug]) -> Iterator[tuple[Bug, bool, str]]:
    """Each bug of an engine that is installed, whether it is shown, and the message."""
    for bug in bugs:
        name = bug.engine or (bug.program.engine if bug.program else "")
        try:
            engine = engine_of(name)
        # The table covers more engines than any environment has.
        except EngineError as error:
            click.echo(f"{bug.id}: not run: {error}", err=True)
            continue
        yield bug, *seen_here(engine, bug)


@cache
def cells() -> dict[str, tuple[Behaviour, str | None]]:
    """The behaviour or law, and the case, of each cell."""
    return collection.cells() | every_cell()


def seen_here(engine: LoadedEngine, bug: Bug) -> tuple[bool, str]:
    """Whether a cell states the bug or fails with a message about it, or a program shows it; and the message."""
    # The cell if there are both: it is the smaller program.
    if bug.program and not bug.cell:
        return _seen_by_program(engine, bug.program)
    behaviour, case = cells()[bug.cell]
    outcome = compiled_trials.run(behaviour, engine.adapter, case, declaration=engine.declaration)
    if bug.stated:
        return outcome.verdict is Verdict.PASS, outcome.message or behaviour.statement
    return outcome.verdict in (Verdict.FAIL, Verdict.DIFFERS) and bug.is_shown_by(outcome.message), outcome.message


def _seen_by_program(engine: LoadedEngine, shown: BugProgram) -> tuple[bool, str]:
    program = generate_program(shown.kind, shown.seed)
    engine = replace(engine, reference=engine_of("reference"))

    def run(send: Send) -> None:
        difference = try_program(program, engine, (shown.oracle,)).failure
        send([difference.oracle, str(difference.difference)] if difference else ["", ""])

    # In a fork, as some end their process.
    end = run_in_fork(run)
    if end.error:
        raise RuntimeError(end.error)
    oracle, message = end.messages[0] if end.messages else ("crash", f"a fork ended with status {end.status}")
    return oracle == shown.oracle, message
