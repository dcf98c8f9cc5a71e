"""Runs the mutants: `python -m workshop.mutants --help`."""

from __future__ import annotations

import os
import sys
import time
from collections.abc import Iterable, Sequence
from pathlib import Path

import click
import msgspec

from conformance import kills
from conformance.collecting import load_all, select
from conformance.describe import behaviour_record
from workshop.mutants.matrix import dumped, joined, record
from workshop.mutants.mutant import ENGINES, MutantError
from workshop.mutants.sessions import EXCUSES, Plan, excuses, installed, plan

RECORD = Path(kills.__file__).with_name("kills.json")


@click.command()
@click.option("--all", "everything", is_flag=True, help="Every mutant with every behaviour.")
@click.option("--write", is_flag=True, help="Every mutant with every behaviour that reaches it; write the record.")
@click.option("--only", multiple=True, metavar="PART", help="Only mutants whose name has this part.")
@click.option("--behaviour", "words", multiple=True, metavar="ID", help="What does it (a chapter, a case) notice?")
@click.option(
    "--engine", "engines", multiple=True, type=click.Choice(list(ENGINES)), help="Default: all that are installed."
)
@click.option("--workers", default=min(2, os.cpu_count() or 1), show_default=True, help="Processes per engine.")
@click.option("--output", type=click.Path(path_type=Path), help="Write the matrix of all pairs to this file (JSON).")
def main(
    everything: bool,
    write: bool,
    only: tuple[str, ...],
    words: tuple[str, ...],
    engines: tuple[str, ...],
    workers: int,
    output: Path | None,
) -> None:
    """Run behaviours on engines that are wrong in one way, and say what nobody notices.

    Without options: each mutant on a behaviour that is known to notice it, each behaviour on a mutant that it is known
    to notice. With --write, the record is renewed of the mutants that --engine and --only choose, and the rest of it
    stays; with --behaviour as well, what it says of these behaviours. Exit status 1 if a mutant survives, a behaviour
    notices none, or a mutant is broken; 2 for a wrong call.
    """
    began = time.perf_counter()
    try:
        wanted = [cell for word in words for cell in _cells(word)]
        chosen = plan(engines, only, workers, wanted)
        if wanted:
            sys.exit(_ask(chosen, wanted, write))
        if everything or write:
            chosen.cross(everything)
        else:
            chosen.prove(kills.recorded())
    except MutantError as error:
        raise click.UsageError(str(error)) from None
    if write:
        _write(chosen, only)
    if output:
        output.write_text(_whole(chosen), "utf-8")
    sys.exit(_told(chosen, time.perf_counter() - began, partial=bool(only)))


def _ask(chosen: Plan, wanted: Sequence[str], write: bool) -> int:
    """Which mutants behaviours notice, cell by cell; with `write`, the record gains them. Returns the exit status."""
    chosen.cross(among=set(wanted))
    status = 0
    for cell in wanted:
        mine = [name for name in chosen.matrix.runs if cell in chosen.matrix.killers(name)]
        click.echo(f"{cell}: notices {len(mine)} mutants" + "".join(f"\n  {name}" for name in mine[:12]))
        if len(mine) > 12:
            click.echo(f"  ... and {len(mine) - 12} more")
        for engine, verdicts in chosen.null.items():
            if verdicts.get(cell) not in ("pass", "absent"):
                click.echo(f"  {engine}, with nothing changed: {verdicts.get(cell, 'not run')}")
        status |= not mine
    if write:
        before = kills.recorded().mutants
        found = record(chosen.matrix, chosen.mutants, chosen.cells, _neighbours(chosen, before))
        _keep(chosen, joined(before, found.mutants, wanted, chosen.mutants))
    return status


def _cells(word: str) -> Sequence[str]:
    found = select(load_all(), word)
    if not found:
        raise MutantError(f"no chapter, behaviour or case is called {word!r}; see: autograd-conformance list")
    return found


def _told(chosen: Plan, seconds: float, partial: bool) -> int:
    """Say what came of a session. Returns the exit status."""
    complaints = 0
    complaining: list[tuple[str, dict[str, str]]] = [
        ("broken mutants", chosen.broken()),
        ("mutants that nobody notices", {m.name: m.what for m in chosen.survivors()}),
        ("behaviours that notice no mutant", {} if partial else dict.fromkeys(chosen.unproved(), "")),
        ("excuses that are not needed", {} if partial else dict.fromkeys(chosen.stale(), "")),
        ("killed by a mutant that changes nothing", dict.fromkeys(chosen.noticed_in_nothing(), "")),
    ]
    for title, found in complaining:
        complaints += len(found)
        if found:
            click.echo(f"{title}: {len(found)}" + "".join(f"\n  {name}  {why}" for name, why in found.items()))
    pairs = sum(len(found.cells) for found in chosen.matrix.runs.values())
    click.echo(
        f"{len(chosen.matrix.killed())} of {len(chosen.mutants)} mutants killed ({len(chosen.excused())} excused, "
        f"{len(chosen.unreached)} more lie where no behaviour goes); {len(chosen.matrix.proved())} of "
        f"{len(chosen.cells)} behaviours kill; {pairs} pairs in {seconds:.0f} s on {', '.join(chosen.engines)}"
    )
    return int(complaints > 0)


def _write(chosen: Plan, only: Sequence[str]) -> None:
    """The record of what was run, beside that of other engines, and of mutants that `only` leaves out."""
    before = kills.recorded().mutants if RECORD.exists() else []
    stays = [m for m in before if m.engine not in chosen.engines or (only and not any(p in m.name for p in only))]
    found = record(chosen.matrix, chosen.mutants, chosen.cells, _neighbours(chosen, stays))
    _keep(chosen, [*found.mutants, *stays])


def _neighbours(chosen: Plan, recorded: Iterable[kills.MutantRecord]) -> list[kills.MutantRecord]:
    """Those that were not run, of engines that are here: a session that runs them need not show the same twice."""
    return [m for m in recorded if m.name not in chosen.mutants and installed(m.engine)]


def _keep(chosen: Plan, mutants: Iterable[kills.MutantRecord]) -> None:
    kept = sorted(mutants, key=lambda m: m.name)
    RECORD.write_text(dumped(kills.Kills(kills.SCHEMA, kept)), "utf-8")
    # A line of the table that is no longer needed goes; so do all that named what is gone.
    stale = tuple(f'"{name}" = ' for name in chosen.stale())
    lines = EXCUSES.read_text("utf-8").splitlines(keepends=True)
    EXCUSES.write_text("".join(line for line in lines if not line.startswith(stale)), "utf-8")
    excuses.cache_clear()
    click.echo(f"{RECORD.name}: {len(kept)} mutants; {EXCUSES.name}: {len(stale)} lines deleted")


def _whole(chosen: Plan) -> str:
    """Every pair: killed, survived or not run."""
    matrix = chosen.matrix
    rows = {name: {cell: matrix.state(name, cell) for cell in chosen.cells} for name in matrix.runs}
    statements = {b.id: behaviour_record(b).statement for b in load_all()}
    return msgspec.json.encode({"mutants": rows, "null": chosen.null, "statements": statements}).decode()


if __name__ == "__main__":
    main()
