"""`python -m workshop bench`: costs of the suite and the reference engine, as ratios to a peer that ran in between.

Machines are shared and noisy: a figure in seconds holds for this machine at this moment, only a ratio holds elsewhere.
"""

from __future__ import annotations

import os
import platform

import click
from rich.console import Console

from workshop.bench import engine, generated, operations, suite

PARTS = {"suite": suite.main, "engine": engine.main, "operations": operations.main, "generated": generated.main}


@click.command()
@click.argument("parts", nargs=-1, type=click.Choice(list(PARTS)))
def bench(parts: tuple[str, ...]) -> None:
    """Measure and print the figures of suite, reference engine, laws and generated programs, or of what is named."""
    for part in parts or PARTS:
        PARTS[part]()
    console = Console(width=140)
    console.print(f"{os.cpu_count()} cores, {platform.platform()}, Python {platform.python_version()}", highlight=False)
