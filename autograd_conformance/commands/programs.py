"""`programs`: generated programs on engines, from ranges of seeds."""

from __future__ import annotations

import sys
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import click

from autograd_conformance import completion
from autograd_conformance.carrying_out import Amount
from autograd_conformance.options import BadInput, OutputForm, form_options, output_option

__all__ = ["programs"]


class SeedRange(click.ParamType):
    """FIRST:LAST, seeds without the last."""

    name = "first:last"

    def convert(self, value: Any, param: click.Parameter | None, ctx: click.Context | None) -> tuple[int, int]:
        """Both numbers. Fails as click's types do."""
        first, colon, last = str(value).partition(":")
        if not (colon and first.isdecimal() and last.isdecimal() and first.isascii() and last.isascii()):
            self.fail(f"{value!r} is not a range of seeds: write FIRST:LAST, such as 0:1000.", param, ctx)
        if int(first) >= int(last) or int(last) > 2**63:
            self.fail(f"{value!r} has no seeds: LAST comes after FIRST, and is at most 2**63.", param, ctx)
        return int(first), int(last)


@click.command()
@click.option(
    "--engine",
    "-e",
    "engines",
    multiple=True,
    required=True,
    shell_complete=completion.engines,
    help="A name, with parameters if it takes any (torch, jax:jit), or module:Class. Repeatable.",
)
@click.option("--seeds", type=SeedRange(), required=True, metavar="FIRST:LAST", help="Seeds, without LAST.")
@click.option("--kind", "kinds", multiple=True, help="Only programs of this kind. Repeatable.  [default: all]")
@output_option
@click.option("--workers", "-n", type=click.IntRange(1, 1024), help="Processes.  [default: as many as cores]")
@click.option("--dask", metavar="ADDRESS", help="Share the work among the workers of the Dask cluster there.")
@click.option("--limit", type=Amount(0.1, 10**6), default=30.0, show_default=True, help="Seconds per program.")
@click.option("--resume", is_flag=True, help="Try only the seeds that the folder's results lack.")
@form_options
def programs(
    engines: Sequence[str],
    seeds: tuple[int, int],
    kinds: Sequence[str],
    output: Path,
    workers: int | None,
    dask: str | None,
    limit: float,
    resume: bool,
    form: OutputForm,
) -> None:
    """Try generated programs on engines.

    Each seed is a program of each kind. What an oracle finds wrong has a signature, and the program of the lowest seed
    that shows it is kept. The outcome depends on the seeds, and not on workers, cluster or interruptions. `report`
    joins the results of many machines. Exit status 1: a signature that is not a known failure.

    Example: autograd-conformance programs --engine torch --seeds 0:10000
    """
    from autograd_conformance.farm.carrying import Wishes, try_engines
    from autograd_conformance.programs_output import write_programs_outcome
    from conformance.engines import parse
    from reports.reading import tried

    if workers and dask:
        raise BadInput("--workers and --dask exclude each other: a cluster has its own workers")
    for engine in engines:
        parse(engine)
    wishes = Wishes(tuple(dict.fromkeys(engines)), seeds, tuple(dict.fromkeys(kinds)), output, limit, resume)
    finished = try_engines(wishes, workers, dask, form.verbosity)
    sys.exit(write_programs_outcome(tried(finished), output, form))
