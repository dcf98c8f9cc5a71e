"""Cost of the suite beyond its checks: `python -m workshop bench suite`.

Each command of ours is timed beside a peer: a run beside the same checks in a single process without isolation, watch
or results. Both alternate after a turn that fills the caches, so that a busy moment of the machine falls on both.
"""

from __future__ import annotations

import json
import os
import statistics
import subprocess
import sys
import time
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path
from tempfile import TemporaryDirectory

from rich import box
from rich.console import Console
from rich.table import Table

from conformance.results_file import read
from conformance.running.cache import VARIABLE

ROOT = Path(__file__).parent.parent.parent
PYTHON = sys.executable
CLI = (PYTHON, "-m", "autograd_conformance")
# Bounds on the ratio of a run of the engine to its bare checks.
AIMS = {"reference": "3", "hips_autograd": "3", "torch": "2", "jax": "1.15"}
OTHERS = ("torch_func", "jax:jit")
# Reads and writes the same files and does nothing else: what no report can undercut.
COPY = "import json, sys; [open('copy', 'w').write(json.dumps([*map(json.loads, open(f))])) for f in sys.argv[1:]]"


def nothing() -> None:
    """For commands whose work needs no comparison with the peer's."""


@dataclass(frozen=True)
class Figure:
    """A command of ours, the peer that it is held against, and what to assert of both once they have run."""

    name: str
    ours: tuple[str, ...]
    peer_name: str
    peer: tuple[str, ...]
    aim: str = ""
    repetitions: int = 5
    check: Callable[[], None] = nothing


def importing(module: str) -> tuple[str, ...]:
    return PYTHON, "-c", f"import {module}"


def run_of(folder: Path, engine: str, *cells: str) -> tuple[str, ...]:
    return *CLI, "run", "--engine", engine, *cells, "--quiet", "--output", str(folder / engine.replace(":", "-"))


def figures(folder: Path) -> Iterator[Figure]:
    """The figures to measure. The last is measured on the results of the runs before it."""
    for engine, aim in AIMS.items():
        outcomes = folder / f"{engine}.json"
        bare = (PYTHON, "-m", "workshop.bench.bare", engine, str(outcomes))
        check = same_work(outcomes, folder / engine)
        yield Figure(
            f"run --engine {engine}", run_of(folder, engine), "its bare checks", bare, f"{aim} times", 3, check
        )
    some = run_of(folder / "some", "reference", "accumulation")
    yield Figure("run --engine reference accumulation", some, "import numpy", importing("numpy"), "1.5 s")
    yield Figure("--help", (*CLI, "--help"), "import click", importing("click"))
    # Not timed: they complete the six columns of the report.
    for engine in OTHERS:
        seconds(run_of(folder, engine), folder)
    columns = [str(folder / name.replace(":", "-")) for name in (*AIMS, *OTHERS)]
    files = [str(path) for column in columns for path in sorted(Path(column).rglob("*.jsonl"))]
    report = (*CLI, "report", *files, "--quiet", "--output", str(folder / "report"))
    yield Figure("report of six columns", report, "json: read, write", (PYTHON, "-c", COPY, *files), "2 s")


def same_work(bare: Path, run: Path) -> Callable[[], None]:
    """A check that both came to the same outcomes: else the ratio of their times is meaningless."""

    def check() -> None:
        # Each run has its own folder, and writes a single results file.
        (path,) = run.rglob("*.jsonl")
        rows = {row.id: [row.verdict.value, row.convention] for row in read(path).results}
        difference(json.loads(bare.read_text()), rows)

    return check


def difference(bare: Mapping[str, object], rows: Mapping[str, list[str | None]]) -> None:
    """Raise AssertionError unless the outcomes agree; cells that end their process are in the run alone."""
    # Bare checks share a process: a cell that ends it is left out there.
    alive = {cell: row for cell, row in rows.items() if cell in bare or row[0] not in ("crash", "timeout")}
    cells = sorted(cell for cell in {*bare, *alive} if bare.get(cell) != alive.get(cell))
    assert not cells, f"bare checks and run differ in {len(cells)} cells, such as {cells[:3]}: no ratio of their times"


def seconds(command: tuple[str, ...], folder: Path) -> float:
    """Seconds that a command takes, with caches in the folder and not in the user's."""
    caches = {"XDG_CACHE_HOME": str(folder / "cache"), VARIABLE: str(folder / "bare-cache")}
    environment = {**os.environ, **caches, "PYTHONPATH": os.pathsep.join([str(ROOT), os.environ.get("PYTHONPATH", "")])}
    # A terminal would cost time that depends on the terminal.
    quiet = subprocess.DEVNULL
    began = time.perf_counter()
    done = subprocess.run(command, cwd=folder, env=environment, stdin=quiet, stdout=quiet, stderr=quiet, check=False)
    took = time.perf_counter() - began
    # 1: something unexpected failed, which changes no time; otherwise the time is that of an error.
    if done.returncode > 1:
        raise RuntimeError(f"{' '.join(command)} ended with status {done.returncode}: run it to see why")
    return took


def measure(figure: Figure, folder: Path) -> tuple[list[float], list[float]]:
    """Alternating repetitions, after a run of each that fills the caches and whose work is compared."""
    # The first run of each compiles bytecode, and reads files that later ones have in memory.
    seconds(figure.peer, folder), seconds(figure.ours, folder)
    figure.check()
    pairs = [(seconds(figure.ours, folder), seconds(figure.peer, folder)) for _ in range(figure.repetitions)]
    return [ours for ours, _ in pairs], [peer for _, peer in pairs]


def middle(times: list[float]) -> str:
    return f"{statistics.median(times):.2f} ({min(times):.2f}-{max(times):.2f})"


def main() -> None:
    """Measure all figures, and print each as it is known."""
    console = Console(width=140)
    table = Table(
        "what", "s (min-max)", "peer", "its s (min-max)", "ratio (min-max)", "aim: at most", box=box.SIMPLE_HEAD
    )
    with TemporaryDirectory(prefix="bench-") as name:
        for figure in figures(Path(name)):
            ours, peer = measure(figure, Path(name))
            ratios = [mine / other for mine, other in zip(ours, peer, strict=True)]
            table.add_row(figure.name, middle(ours), figure.peer_name, middle(peer), middle(ratios), figure.aim)
    console.print(table)
