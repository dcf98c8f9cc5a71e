"""The reference engine beside HIPS autograd, PyTorch and NumPy by hand: `python -m workshop bench engine`.

Every contender computes the same gradients in float64 on one thread, in its own process; the repetitions
alternate between them, so that a busy moment of the machine falls on all. Nothing is timed before all gradients
agree, and no time is asserted anywhere: ratios are for people to read.
"""

from __future__ import annotations

import os
import statistics
import subprocess
import sys
import tempfile
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager
from pathlib import Path
from typing import Any

import numpy as np
from rich import box
from rich.console import Console
from rich.table import Table

from . import problems

OURS, CONTENDERS = "reference_engine", ("reference_engine", "HIPS autograd", "torch", "NumPy")
REPETITIONS = 7
THREADS = dict.fromkeys(("OMP_NUM_THREADS", "OPENBLAS_NUM_THREADS", "MKL_NUM_THREADS"), "1")
PROGRAMS = {
    "chain": f"chain: {4 * problems.CHAIN_STEPS:,} operations on 8 elements",
    "hvp": f"Hessian-vector product: chain of {4 * problems.HVP_STEPS} elementwise operations, reverse over reverse",
    "mlp": f"MLP {'-'.join(map(str, problems.LAYERS))}, batch {problems.BATCH}",
    "mixture": f"Gaussian mixture (ADBench): D={problems.DIMENSIONS} K={problems.COMPONENTS} N={problems.POINTS:,}",
}


class Contender:
    """A process that runs a program on request."""

    def __init__(self, process: Any) -> None:
        self.process = process
        self.times: list[float] = []

    def ask(self, question: str) -> list[float]:
        print(question, file=self.process.stdin, flush=True)
        return self.answer()

    def answer(self) -> list[float]:
        line = self.process.stdout.readline()
        if not line:
            raise RuntimeError(f"{self.process.args} ended without an answer")
        return [float(word) for word in line.split() if word != "ready"]


@contextmanager
def contender(module: str, *arguments: str) -> Iterator[Contender]:
    """A contender whose process ends with the block."""
    command = [sys.executable, "-m", module, *arguments]
    environment = {**os.environ, **THREADS}
    with subprocess.Popen(
        command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True, env=environment
    ) as process:
        yield Contender(process)
        assert process.stdin is not None
        process.stdin.close()


def check(folder: str) -> float:
    """The largest difference of any gradient from NumPy's, relative to the gradient's largest element."""
    wanted = np.load(Path(folder) / "NumPy.npz")
    worst = 0.0
    for path in Path(folder).glob("*.npz"):
        arrays = np.load(path)
        assert arrays.files == wanted.files, f"{path.stem} computes {len(arrays.files)} gradients"
        for key in wanted.files:
            worst = max(worst, float(np.abs(arrays[key] - wanted[key]).max() / np.abs(wanted[key]).max()))
    assert worst < 1e-9, f"gradients differ by {worst:.1e}: there is nothing to time"
    return worst


def measure(program: str) -> tuple[dict[str, Contender], dict[str, list[float]], float]:
    """Times and memory of all contenders on a program, and the largest difference of their gradients."""
    with tempfile.TemporaryDirectory() as folder, ExitStack() as running:
        contenders = {
            name: running.enter_context(contender("workshop.bench.contender", name, program, folder))
            for name in CONTENDERS
        }
        # Each answers once it has saved its gradients.
        for contender in contenders.values():
            contender.answer()
        difference = check(folder)
        # Alternating, so that a slow phase of the machine falls on all contenders.
        for _ in range(REPETITIONS):
            for contender in contenders.values():
                contender.times += contender.ask("time")
        # Last: tracing allocations would slow down the runs that are timed.
        return contenders, {name: c.ask("memory") for name, c in contenders.items()}, difference


def spread(values: list[float], unit: float = 1.0) -> str:
    """Median, then minimum to maximum."""
    return f"{statistics.median(values) * unit:.2f} ({min(values) * unit:.2f}-{max(values) * unit:.2f})"


def rows(program: str) -> Iterator[tuple[str, ...]]:
    """A line of the table for each contender: its ratio is its time over the engine's in the same repetition."""
    contenders, memory, difference = measure(program)
    title = f"{PROGRAMS[program]}\ngradients agree to {difference:.0e}"
    for name, contender in contenders.items():
        ratios = [theirs / ours for theirs, ours in zip(contender.times, contenders[OURS].times, strict=True)]
        grown, allocated = memory[name]
        yield (
            title,
            name,
            spread(contender.times, 1e3),
            "" if name == OURS else spread(ratios),
            f"{grown / 2**20:.1f}",
            # PyTorch allocates its tensors where tracemalloc does not look.
            "-" if name == "torch" else f"{allocated / 2**20:.2f}",
        )
        title = ""


def comparison() -> Table:
    columns = ("program", "contender", "ms (min-max)", "time / engine's", "peak RSS growth MB", "traced peak MB")
    table = Table(*columns, box=box.SIMPLE_HEAD, title=f"float64, one thread, {REPETITIONS} alternating repetitions")
    for program in PROGRAMS:
        for row in rows(program):
            table.add_row(*row)
        table.add_section()
    return table


def growth() -> Table:
    """Cost against the length of the chain, from `workshop.bench.growth` in another process."""
    columns = ("operations", "us each", "us each, gc disabled", "bytes per node, graph alive", "bytes left by backward")
    table = Table(*columns, box=box.SIMPLE_HEAD, title="the engine's cost against the length of a chain")
    with contender("workshop.bench.growth") as process:
        for length in (1_000, 10_000, 100_000):
            *times, per_node, left = process.ask(str(length))
            half = len(times) // 2
            usual, without_collector = spread(times[:half], 1e6), spread(times[half:], 1e6)
            table.add_row(f"{length:,}", usual, without_collector, f"{per_node:.0f}", f"{left:.0f}")
    return table


def main() -> None:
    """Print both tables."""
    console = Console(width=160)
    console.print(comparison())
    console.print(growth())
