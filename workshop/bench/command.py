"""`python -m workshop bench`: what the suite and the reference engine cost, as ratios to a peer that ran in between.

Machines are shared and noisy: a figure in seconds says how it felt here, only a ratio says something elsewhere.
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
