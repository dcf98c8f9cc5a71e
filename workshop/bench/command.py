"""`python -m workshop bench`: how long commands take, with the ratio to a peer that ran in between.

Machines are shared and noisy: a figure in seconds says how it felt here, only a ratio says something elsewhere.
"""

from __future__ import annotations

import os
import platform
import statistics
import subprocess
import sys
import tempfile
import time
from dataclasses import dataclass
from pathlib import Path

import click
from rich import box
from rich.console import Console
from rich.table import Table

from workshop.bench import engine

ROOT = Path(__file__).parent.parent.parent
PYTHON = sys.executable
CLI = (PYTHON, "-m", "autograd_conformance")
ENGINES = ("torch", "jax", "reference")


@dataclass(frozen=True)
class Figure:
    """A command of ours and the peer that it is held against."""

    name: str
    ours: tuple[str, ...]
    peer_name: str
    peer: tuple[str, ...]
    repetitions: int = 5


def run_of(*engines: str) -> tuple[str, ...]:
    """The whole specification on some engines, report included; nothing of it is kept."""
    chosen = [word for engine in engines for word in ("--engine", engine)]
    return (*CLI, "run", *chosen, "--quiet", "--output", tempfile.mkdtemp(prefix="bench-"))


def importing(*modules: str) -> tuple[str, ...]:
    return (PYTHON, "-c", "import " + ", ".join(modules))


def all_figures() -> list[Figure]:
    """What is measured. The peer of a run is the least that anyone pays to use its engines: importing them."""
    collect = (PYTHON, "-m", "pytest", "conformance", "--collect-only", "-q")
    nothing = (PYTHON, "-m", "pytest", tempfile.mkdtemp(prefix="bench-"), "--collect-only", "-q", "-p", "no:x")
    return [
        Figure("three engines, -n 2", (*run_of(*ENGINES), "-n", "2"), "import torch, then jax", _imports(), 3),
        *(
            Figure(f"run --engine {engine}", run_of(engine), f"import {module}", importing(module), 3)
            for engine, module in zip(ENGINES, ("torch", "jax", "numpy"), strict=True)
        ),
        Figure("--help", (*CLI, "--help"), "import click", importing("click")),
        Figure("collection", collect, "pytest on an empty folder", nothing),
    ]


def _imports() -> tuple[str, ...]:
    return ("sh", "-c", f"{PYTHON} -c 'import torch'; {PYTHON} -c 'import jax'")


def seconds(command: tuple[str, ...]) -> float:
    began = time.perf_counter()
    quiet = subprocess.DEVNULL
    subprocess.run(command, cwd=ROOT, stdin=quiet, stdout=quiet, stderr=quiet, check=False)
    return time.perf_counter() - began


def measured(figure: Figure) -> tuple[list[float], list[float]]:
    """Alternating repetitions, after one of each that fills the caches."""
    seconds(figure.peer), seconds(figure.ours)
    pairs = [(seconds(figure.ours), seconds(figure.peer)) for _ in range(figure.repetitions)]
    return [ours for ours, _ in pairs], [peer for _, peer in pairs]


@click.command()
@click.argument("figures", default="")
def bench(figures: str) -> None:
    """Measure and print all figures, or those named: `engine`, or a part of the name of one."""
    if figures != "engine":
        suite(figures)
    if figures in ("", "engine"):
        engine.main()
    console = Console(width=140)
    console.print(f"{os.cpu_count()} cores, {platform.platform()}, Python {platform.python_version()}", highlight=False)


def suite(wanted: str) -> None:
    """The figures of the suite whose names contain a word."""
    table = Table("what", "median s", "min-max s", "peer", "median s", "ratio (min-max)", box=box.SIMPLE_HEAD)
    for figure in (figure for figure in all_figures() if wanted in figure.name):
        ours, peer = measured(figure)
        ratios = [mine / other for mine, other in zip(ours, peer, strict=True)]
        middle = [f"{statistics.median(times):.2f}" for times in (ours, peer, ratios)]
        spread = [f"{min(times):.2f}-{max(times):.2f}" for times in (ours, ratios)]
        table.add_row(figure.name, middle[0], spread[0], figure.peer_name, middle[1], f"{middle[2]} ({spread[1]})")
    Console(width=140).print(table)
