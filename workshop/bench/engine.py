"""The reference engine beside HIPS autograd and PyTorch: `python -m workshop bench engine`.

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

OURS, PEER = "reference_engine", "HIPS autograd"
CONTENDERS = (OURS, PEER, "torch")
REPETITIONS = 7
# Each of these libraries would otherwise start a thread per core, and contenders would share what others leave.
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

    def run(self) -> None:
        """Run the program for a while, and keep the least time of a run."""
        print("time", file=self.process.stdin, flush=True)
        self.times.append(float(self.answer()))

    def answer(self) -> str:
        """The next line that the process prints."""
        line: str = self.process.stdout.readline()
        if not line:
            raise RuntimeError(f"{self.process.args} ended without an answer")
        return line


@contextmanager
def contender(name: str, program: str, folder: str) -> Iterator[Contender]:
    """A contender whose process ends with the block."""
    command = [sys.executable, "-m", "workshop.bench.contender", name, program, folder]
    environment = {**os.environ, **THREADS}
    with subprocess.Popen(
        command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True, env=environment
    ) as process:
        yield Contender(process)
        assert process.stdin is not None
        # The end of its input is the end of its loop; leaving `Popen` waits for it.
        process.stdin.close()


def check(folder: str) -> float:
    """The largest difference of any gradient from the peer's, relative to the gradient's largest element."""
    wanted = np.load(Path(folder) / f"{PEER}.npz")
    worst = 0.0
    for path in Path(folder).glob("*.npz"):
        arrays = np.load(path)
        assert arrays.files == wanted.files, f"{path.stem} computes {len(arrays.files)} gradients"
        for key in wanted.files:
            worst = max(worst, float(np.abs(arrays[key] - wanted[key]).max() / np.abs(wanted[key]).max()))
    # Far above the rounding of any order of additions, far below a wrong term.
    assert worst < 1e-9, f"gradients differ by {worst:.1e}: there is nothing to time"
    return worst


def measure(program: str) -> tuple[dict[str, list[float]], float]:
    """Times of all contenders on a program, and the largest difference of their gradients."""
    with tempfile.TemporaryDirectory() as folder, ExitStack() as running:
        contenders = {name: running.enter_context(contender(name, program, folder)) for name in CONTENDERS}
        # Each prints a line once it has saved its gradients.
        for contestant in contenders.values():
            contestant.answer()
        difference = check(folder)
        for _ in range(REPETITIONS):
            for contestant in contenders.values():
                contestant.run()
        return {name: contestant.times for name, contestant in contenders.items()}, difference


def spread(values: list[float], unit: float = 1.0) -> str:
    """Median, then minimum to maximum."""
    return f"{statistics.median(values) * unit:.2f} ({min(values) * unit:.2f}-{max(values) * unit:.2f})"


def rows(program: str) -> Iterator[tuple[str, ...]]:
    """A line of the table for each contender: its ratio is its time over the engine's in the same repetition."""
    times, difference = measure(program)
    title = f"{PROGRAMS[program]}\ngradients agree to {difference:.0e}"
    for name in CONTENDERS:
        ratios = [theirs / ours for theirs, ours in zip(times[name], times[OURS], strict=True)]
        yield title, name, spread(times[name], 1e3), "" if name == OURS else spread(ratios)
        title = ""


def main() -> None:
    """Measure all programs, and print the table."""
    columns = ("program", "contender", "ms (min-max)", "time / engine's")
    table = Table(*columns, box=box.SIMPLE_HEAD, title=f"float64, one thread, {REPETITIONS} alternating repetitions")
    for program in PROGRAMS:
        for row in rows(program):
            table.add_row(*row)
        table.add_section()
    Console(width=160).print(table)
