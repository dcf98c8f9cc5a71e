"""`python -m workshop plots`: the places at which an engine fails, where every engine computes a curve."""

from __future__ import annotations

from collections.abc import Iterable
from pathlib import Path

import click
import msgspec

from conformance.plots.model import PLACES_FILE, CurvePlace
from reports.beside import Curves, read_beside


@click.command()
@click.argument("sweeps", nargs=-1, required=True, type=click.Path(exists=True, path_type=Path))
def plots(sweeps: tuple[Path, ...]) -> None:
    """Write the places of all plots of these sweeps, folders of `operations --pictures`.

    Pass the sweeps of all engines: places that none of them has are dropped.
    """
    files = sorted(path for folder in sweeps for path in folder.rglob("curves/*.json"))
    if not files:
        raise click.UsageError(f"no curves in {', '.join(map(str, sweeps))}: run `operations --pictures` into them")
    wrong = places(files)
    PLACES_FILE.write_text(text_of(wrong), encoding="utf-8", newline="\n")
    click.echo(f"{len(wrong)} places of {len(files)} engines")


def places(files: Iterable[Path]) -> list[CurvePlace]:
    """The places at which an engine of these files is wrong."""
    return sorted({curve.place for path in files for curve in read_beside(path, Curves).curves if curve.wrong})


def text_of(wrong: Iterable[CurvePlace]) -> str:
    """The file's text: a line for each place."""
    # A line each, so that a difference shows which places came and went.
    lines = ",\n".join(msgspec.json.encode(place).decode() for place in wrong)
    return f"[\n{lines}\n]\n"
