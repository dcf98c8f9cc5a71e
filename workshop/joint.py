"""Verdicts of one column on two ways of computing: `python -m workshop joint EAGER JOINT` compares results files.

The second is of the same engine by joint functions, such as that of `jax:jit`. What it prints is in docs/operations.md.
"""

from __future__ import annotations

from collections import defaultdict
from pathlib import Path

import click

from conformance.results import ResultRecord, ResultsFile
from conformance.results_file import read
from conformance.verdicts import Reason, Verdict

PATH = click.Path(exists=True, dir_okay=False, path_type=Path)


@click.command()
@click.argument("eager", type=PATH)
@click.argument("compiled", type=PATH)
def joint(eager: Path, compiled: Path) -> None:
    """Compare the verdicts of two results files of sweeps, and print where they differ, as Markdown."""
    files = read(eager), read(compiled)
    first, second = map(_judged, files)
    # Either run may have been of a part, or have lost cells: what a single file has is no difference.
    both = sorted(first.keys() & second.keys())
    differing = [cell for cell in both if first[cell].verdict is not second[cell].verdict]
    names = " and ".join(file.header.engine.spec for file in files)
    untraced = sum(1 for cell in both if second[cell].reason is Reason.UNTRACED)
    equal = 100 * (1 - len(differing) / max(len(both), 1))
    click.echo(
        f"{len(both)} cells of {names}, {equal:.2f} % with the same verdict; in {untraced} of the second, a part"
    )
    click.echo("of what is compared cannot be traced, and is computed alone.\n")
    click.echo("| law | " + names.replace(" and ", " | ") + " | operations |\n|---|---|---|---|")
    groups: dict[tuple[str, Verdict, Verdict], list[str]] = defaultdict(list)
    for cell in differing:
        law, _, operation = cell.partition("[")
        groups[law, first[cell].verdict, second[cell].verdict].append(operation.rstrip("]"))
    for (law, one, other), operations in sorted(groups.items()):
        click.echo(f"| `{law}` | {one.value} | {other.value} | {', '.join(operations)} |")


def _judged(file: ResultsFile) -> dict[str, ResultRecord]:
    return {row.id: row for row in file.results}
