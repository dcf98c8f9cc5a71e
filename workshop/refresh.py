"""`python -m workshop refresh`: everything that is generated, made again."""

from __future__ import annotations

import os
import time
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path

import click

from autograd_conformance import schemas
from conformance import evidence
from conformance.behaviour import Behaviour
from conformance.collection import cells, load_all
from conformance.mutants import recorded
from reports import model, operations_model, programs_model
from workshop import findings
from workshop.bugs import table as bugs
from workshop.documentation import behaviours_and_laws, cite
from workshop.mutant import ENGINES, MutantError
from workshop.mutants.command import cells_called
from workshop.mutants.exemptions import exemptions
from workshop.mutants.kill_record import kept, key_of, write
from workshop.mutants.population import population
from workshop.mutants.sessions import Session, installed, session
from workshop.programs import bugs as programs

ROOT = Path(__file__).parents[1]


@click.command()
@click.option("--behaviour", "words", multiple=True, metavar="ID", help="Look anew for what this notices. Repeatable.")
@click.option("--mutants", is_flag=True, help="Run the whole record of mutants too: minutes.")
def refresh(words: Sequence[str], mutants: bool) -> None:
    """Write everything that is generated: pages, schemas, and the records of evidence and mutants.

    Mutants are run for cells that have no record, or lost it with the mutant. Exit status 1 if a cell notices none.
    """
    began = time.perf_counter()
    declared = load_all()
    # Before it is asked which cells are lacking: writing drops mutants that are gone, and cells may lose their only
    # one.
    touched = list(_written(declared))
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
            f"no mutant is noticed by {', '.join(left)}: is the check right? If so, write the mutant that it would "
            "catch in workshop/mutants/by_hand"
        )


def generated(declared: Sequence[Behaviour]) -> dict[Path, str]:
    """The files that follow from the chapters and the code alone, with their text."""
    pages = {ROOT / f"docs/findings/{name}.md": text for name, text in findings.pages(declared).items()}
    return {
        **pages,
        ROOT / "docs/findings/bugs-and-cells.md": bugs.page(),
        ROOT / "docs/findings/bugs-and-programs.md": programs.page(),
        ROOT / "autograd_conformance/output.schema.json": schemas.schema_text(),
        ROOT / "reports/matrix.schema.json": model.schema_text(),
        ROOT / "reports/operations.schema.json": operations_model.schema_text(),
        ROOT / "reports/programs.schema.json": programs_model.programs_schema_text(),
    }


def _written(declared: Sequence[Behaviour]) -> Iterator[str]:
    wanted = generated(declared)
    for path, text in wanted.items():
        if not path.exists() or path.read_text("utf-8") != text:
            path.parent.mkdir(exist_ok=True)
            path.write_text(text, "utf-8")
            yield str(path.relative_to(ROOT))
    for path in (ROOT / "docs/findings").glob("*.md"):
        if path not in wanted:
            path.unlink()
            yield str(path.relative_to(ROOT))
    yield from write(kept(recorded(), set(map(key_of, population())), cells()))
    yield from cite.write(cite.cited_only(evidence.recorded(), behaviours_and_laws()))


def _prove(wanted: Sequence[str]) -> Iterator[str]:
    """Look for a mutant that each of these cells notices, engine by engine: most are shown on the reference engine."""
    left = list(wanted)
    for engine in filter(installed, ENGINES):
        if left:
            with _session([engine], left) as chosen:
                chosen.prove_cells(left)
            yield from write(chosen.renewed(recorded()))
            left = [cell for cell in left if cell not in chosen.matrix.proved()]


@contextmanager
def _session(engines: Sequence[str], among: Sequence[str]) -> Iterator[Session]:
    try:
        with session(engines, (), min(2, os.cpu_count() or 1), among) as chosen:
            yield chosen
    except MutantError as error:
        raise click.ClickException(str(error)) from None
