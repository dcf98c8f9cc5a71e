"""`python -m workshop refresh`: everything that is generated, made again."""

from __future__ import annotations

import os
import time
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path

import click

from conformance import evidence
from conformance.collection import cells
from conformance.mutants import recorded
from workshop import findings, schemas
from workshop.documentation import behaviours_and_laws, cite
from workshop.mutant import ENGINES, MutantError
from workshop.mutants.command import cells_called
from workshop.mutants.exemptions import exemptions
from workshop.mutants.kill_record import kept, key_of, write
from workshop.mutants.population import population
from workshop.mutants.sessions import Session, installed, session

ROOT = Path(__file__).parents[1]


@click.command()
@click.option(
    "--behaviour", "words", multiple=True, metavar="ID", help="Look anew for mutants that this kills. Repeatable."
)
@click.option("--mutants", is_flag=True, help="Run the whole record of mutants too: minutes.")
def refresh(words: Sequence[str], mutants: bool) -> None:
    """Write everything that is generated: pages, schemas, and the records of evidence and mutants.

    Mutants are run for cells that have no record, or lost it with the mutant. Exit status 1 if a cell kills none.
    """
    began = time.perf_counter()
    # Before it is asked which cells are lacking: writing drops mutants that are gone, and cells may lose their only
    # one.
    touched = list(_written())
    wanted = [cell for word in words for cell in cells_called(word)]
    lacking = [cell for cell in cells() if cell not in recorded() and cell not in exemptions().behaviours]
    touched += _prove(list(dict.fromkeys(wanted + lacking)))
    if mutants:
        with _session((), ()) as chosen:
            chosen.prove(recorded())
        touched += write(chosen.renewed(recorded()))
    left = [cell for cell in lacking if cell not in recorded()]
    click.echo("".join(f"{name}\n" for name in sorted(set(touched))) + f"{time.perf_counter() - began:.0f} s")
    if left:
        raise click.ClickException(
            f"no mutant is killed by {', '.join(left)}: is the check right? If so, write the mutant that it would "
            "kill in workshop/mutants/by_hand"
        )


def generated() -> dict[Path, str]:
    """The files that follow from the code and the known failures alone, with their text."""
    return {
        ROOT / "docs/findings.md": findings.index(),
        ROOT / "autograd_conformance/output.schema.json": schemas.output_schema(),
        ROOT / "reports/matrix.schema.json": schemas.matrix_schema(),
    }


def _written() -> Iterator[str]:
    wanted = generated()
    for path, text in wanted.items():
        # Only what differs is listed as touched.
        if not path.exists() or path.read_text("utf-8") != text:
            path.write_text(text, "utf-8")
            yield str(path.relative_to(ROOT))
    yield from write(kept(recorded(), set(map(key_of, population())), cells()))
    yield from cite.write(cite.cited_only(evidence.recorded(), behaviours_and_laws()))


def _prove(wanted: Sequence[str]) -> Iterator[str]:
    """Look for mutants that these cells kill, engine by engine: most are killed on the reference engine."""
    left = list(wanted)
    for engine in filter(installed, ENGINES):
        if left:
            with _session([engine], left) as chosen:
                chosen.prove_cells(left)
            yield from write(chosen.renewed(recorded()))
            # The next engine need only be started for what is left.
            left = [cell for cell in left if cell not in chosen.matrix.proved()]


@contextmanager
def _session(engines: Sequence[str], among: Sequence[str]) -> Iterator[Session]:
    try:
        with session(engines, (), min(2, os.cpu_count() or 1), among) as chosen:
            yield chosen
    except MutantError as error:
        raise click.ClickException(str(error)) from None
