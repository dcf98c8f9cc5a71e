"""`python -m workshop pictured`: the places at which engines fail, for which every engine is to compute a curve."""

from __future__ import annotations

from collections.abc import Iterable
from pathlib import Path

import click
import msgspec

from conformance.curves import CurvePlace
from conformance.operations.pictured import PICTURED_FILE
from reports.curves import read_curves


@click.command()
@click.argument("sweeps", nargs=-1, required=True, type=click.Path(exists=True, path_type=Path))
def pictured(sweeps: tuple[Path, ...]) -> None:
    """Write the places of all pictures of these sweeps, folders that `operations --pictures` has written.

    Give the sweeps of all engines: what none of them has is dropped.
    """
    files = sorted(path for folder in sweeps for path in folder.rglob("curves/*.ndjson"))
    if not files:
        raise click.UsageError(f"no curves in {', '.join(map(str, sweeps))}: run `operations --pictures` into them")
    found = places(files)
    PICTURED_FILE.write_text(text_of(found), encoding="utf-8", newline="\n")
    click.echo(f"{len(found)} places of {len(files)} engines")


def places(files: Iterable[Path]) -> list[CurvePlace]:
    """The places at which an engine of these files is wrong."""
    return sorted({place for path in files for place, curve in read_curves(path).curves.items() if curve.wrong})


def text_of(found: Iterable[CurvePlace]) -> str:
    """The file's text: a line for each place."""
    lines = ",\n".join(msgspec.json.encode(one).decode() for one in found)
    return f"[\n{lines}\n]\n"
