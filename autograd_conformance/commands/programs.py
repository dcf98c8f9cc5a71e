"""`programs`: generated programs on engines, from ranges of seeds."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

import click

from autograd_conformance.options import BadInput, OutputForm, form_options, output_option
from autograd_conformance.run_options import Amount, engines_option, run_and_report


def _range(ctx: click.Context, param: click.Parameter, value: str) -> tuple[int, int]:
    """Both numbers of FIRST:LAST. Raises click.BadParameter."""
    first, _, last = value.partition(":")
    # Not `int` alone, which takes signs, spaces, underscores and the digits of other scripts.
    if not all(text.isascii() and text.isdecimal() and len(text) < 20 for text in (first, last)):
        raise click.BadParameter(f"{value!r} is not a range of seeds: write FIRST:LAST, such as 0:1000.", ctx, param)
    if int(first) >= int(last):
        raise click.BadParameter(f"{value!r} has no seeds: LAST must come after FIRST.", ctx, param)
    return int(first), int(last)


@click.command()
@engines_option
@click.option("--seeds", callback=_range, required=True, metavar="FIRST:LAST", help="Seeds, without LAST.")
@click.option("--kind", "kinds", multiple=True, help="Only programs of this kind. Repeatable.  [default: all]")
@output_option
@click.option("--workers", "-n", type=click.IntRange(1, 1024), help="Processes.  [default: as many as cores]")
@click.option("--dask", metavar="ADDRESS", help="Share the work among the workers of the Dask cluster there.")
@click.option("--limit", type=Amount(0.1, 10**6), default=30.0, show_default=True, help="Seconds per program.")
@click.option("--resume", is_flag=True, help="Try only the seeds that the folder's results lack.")
@click.option("--shown", is_flag=True, help="Also write what signatures show: source, native program.")
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
    shown: bool,
    form: OutputForm,
) -> None:
    """Try generated programs on engines.

    Each seed is a program of each kind. A difference that an oracle finds has a signature, and the program of the
    lowest seed that shows it is kept. The outcome depends on the seeds, and not on workers, cluster or interruptions.
    `report` joins the results of many machines. Exit status 1: a signature that is not a known failure.

    Example: autograd-conformance programs --engine reference --seeds 0:100
    """
    from autograd_conformance.derived import with_program_reports
    from conformance.results import PROGRAMS
    from conformance.running.options import Limits, Options

    if workers and dask:
        raise BadInput("--workers and --dask exclude each other: a cluster has its own workers")

    options = Options(
        *(output, (), ()),  # neither cells nor behaviours: the work is kinds and seeds
        workers=workers,
        limits=Limits(limit),
        resume=resume,
        part=PROGRAMS,
        chosen=tuple(dict.fromkeys(kinds)),
        seeds=seeds,
        dask=dask or "",
    )
    # Reports of findings are derived after the run, in processes that may die without harm to its results.
    run_and_report(engines, lambda: options, form, complete=with_program_reports if shown else None)
