"""`guide`: what changes for programs that move from an engine to another."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

import click

from autograd_conformance.options import BadInput, json_option, results_argument
from autograd_conformance.terminal import print_json


@click.command()
@click.argument("start")
@click.argument("end")
@results_argument
@json_option
def guide(start: str, end: str, results: Sequence[Path], as_json: bool) -> None:
    """Print a guide from engine START to engine END.

    What changes silently, what raises an error, and what is written otherwise, as Markdown. RESULTS are as `report`
    takes them; native programs are there for runs with --scripts.

    Example: autograd-conformance guide torch jax conformance-report
    """
    from reports.guide import guide_between, render
    from reports.model import Section
    from reports.sources import joined_sections

    sections = joined_sections(results).sections
    if Section.BEHAVIOURS not in sections:
        raise BadInput(f"{results[0]}: has no behaviours; give results of `autograd-conformance run`")
    made = guide_between(sections[Section.BEHAVIOURS], start, end)
    if as_json:
        print_json(made)
    else:
        print(render(made), end="")
