"""`python -m workshop mutants`: run behaviours on engines that are wrong in one way."""

from __future__ import annotations

import os
import sys
import time
from collections.abc import Sequence

import click

from conformance.collection import load_all, select
from conformance.mutants import recorded
from workshop.mutant import ENGINES, MutantError
from workshop.mutants.kill_record import write
from workshop.mutants.sessions import Session, session

SHOWN = 12


@click.command()
@click.option(
    "--pairs",
    type=click.Choice(["recorded", "reaching", "all"]),
    default="recorded",
    show_default=True,
    help="Each mutant on the cells recorded to kill it; on each cell that runs its place; on every cell.",
)
@click.option("--only", multiple=True, metavar="PART", help="Only mutants whose name has this part.")
@click.option(
    "--behaviour", "words", multiple=True, metavar="ID", help="List the mutants that it (a chapter, a case) kills."
)
@click.option("--engine", "engines", multiple=True, type=click.Choice(list(ENGINES)), help="Default: all installed.")
@click.option("--workers", default=min(2, os.cpu_count() or 1), show_default=True, help="Processes per engine.")
@click.option("--record", is_flag=True, help="Write the kills to conformance/mutants.")
def mutants(
    pairs: str, only: Sequence[str], words: Sequence[str], engines: Sequence[str], workers: int, record: bool
) -> None:
    """Run behaviours on engines that are wrong in one way, and name the survivors.

    Exit status 1 if a mutant survives, a behaviour kills none, or a mutant is broken; 2 for a wrong call.
    """
    began = time.perf_counter()
    try:
        # Before a session starts processes: a wrong word is answered at once.
        wanted = [cell for word in words for cell in cells_called(word)]
        with session(engines, only, workers, wanted) as chosen:
            if wanted or pairs != "recorded":
                chosen.cross(pairs == "all")
            else:
                chosen.prove(recorded())
            if record:
                changed = write(chosen.renewed(recorded()))
                click.echo(f"written: {', '.join(changed) or 'nothing new'}")
            status = _print_kills(chosen) if wanted else _print_complaints(chosen, pairs, partial=bool(only))
    except MutantError as error:
        raise click.UsageError(str(error)) from None
    click.echo(f"{time.perf_counter() - began:.0f} s on {', '.join(chosen.engines)}")
    sys.exit(status)


def cells_called(word: str) -> Sequence[str]:
    """The cells of a chapter, a behaviour or a case. Raises MutantError if there is none."""
    named = select(load_all(), word)
    if not named:
        raise MutantError(f"no chapter, behaviour or case is called {word!r}; see: autograd-conformance list")
    return named


def _print_kills(chosen: Session) -> int:
    """Print the mutants that behaviours kill, cell by cell. Returns the exit status."""
    status = 0
    for cell in chosen.cells:
        # Only mutants that were run: those whose place the cell does not reach cannot be killed.
        mine = [name for name in chosen.matrix.runs if cell in chosen.matrix.killers(name)]
        click.echo(f"{cell}: kills {len(mine)} mutants" + "".join(f"\n  {name}" for name in mine[:SHOWN]))
        if len(mine) > SHOWN:
            click.echo(f"  ... and {len(mine) - SHOWN} more")
        for engine, verdicts in chosen.matrix.null.items():
            # A cell that fails on the engine as it is kills nothing there, which would look like a weak check.
            if verdicts.get(cell) not in ("pass", "absent"):
                click.echo(f"  {engine}, with nothing changed: {verdicts.get(cell, 'not run')}")
        status |= not mine
    return status


def _print_complaints(chosen: Session, pairs: str, partial: bool) -> int:
    """Print the survivors of a session and its other complaints. Returns the exit status."""
    complaints: dict[str, dict[str, str]] = {
        "broken mutants": chosen.broken(),
        "survivors": {m.name: m.what for m in chosen.survivors()},
        # With --only, most behaviours meet none of their mutants.
        "behaviours that kill no mutant": {} if partial else dict.fromkeys(chosen.unproved(), ""),
        "exemptions that are not needed": {} if partial else dict.fromkeys(chosen.stale(), ""),
        # Asked last, as it runs the killing cells on the unchanged engines again.
        "killed by a mutant that changes nothing": dict.fromkeys(chosen.flaky(), ""),
    }
    for title, names in complaints.items():
        if names:
            click.echo(f"{title}: {len(names)}" + "".join(f"\n  {name}  {why}" for name, why in names.items()))
    ran = sum(len(run.cells) for run in chosen.matrix.runs.values())
    click.echo(
        f"{len(chosen.matrix.killed())} of {len(chosen.mutants)} mutants killed ({len(chosen.exempt())} exempt, "
        f"{len(chosen.unreached)} more lie where no behaviour goes); {len(chosen.matrix.proved())} of "
        f"{len(chosen.cells)} cells kill; {ran} pairs ({pairs})"
    )
    return int(any(complaints.values()))
