"""`guides`: the committed guides between engines, from results of their columns."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

import click

from reports.guide import guide_between, render
from reports.model import Section
from reports.sources import joined_sections

FOLDER = Path(__file__).parents[1] / "docs" / "guides"
PAIRS = (("torch", "jax"), ("torch", "torch_func"), ("jax", "torch"))


def guide_files(results: Sequence[Path]) -> dict[str, str]:
    """The guides by file name, of results with scripts beside them. Raises ReportError where a column is missing."""
    matrix = joined_sections(results).sections[Section.BEHAVIOURS]
    # Not with an underscore, as addresses of pages are written.
    return {f"{start}-to-{end}.md".replace("_", "-"): render(guide_between(matrix, start, end)) for start, end in PAIRS}


@click.command()
@click.argument("results", nargs=-1, required=True, type=click.Path(path_type=Path))
def guides(results: Sequence[Path]) -> None:
    """Write docs/guides from RESULTS, which have scripts (`nox -s "engine(torch-2.13.0)"`, and of JAX)."""
    for name, content in guide_files(results).items():
        (FOLDER / name).write_text(content, "utf-8")
