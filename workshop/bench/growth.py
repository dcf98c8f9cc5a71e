"""The engine's cost against the length of a chain: time per operation, memory per node and after backward."""

from __future__ import annotations

import gc
import sys
import time
import tracemalloc
from typing import Any

import reference_engine

from . import problems
from .programs import chained, leaf

REPETITIONS = 5
PER_STEP = 4


def leaves() -> list[Any]:
    problem = problems.chain()
    return [leaf(reference_engine, value) for value in (problem.x, problem.w, problem.b)]


def seconds(steps: int, collecting: bool) -> float:
    """Forward and backward, per operation, with or without Python's collector of cyclic garbage."""
    inputs = leaves()
    (gc.enable if collecting else gc.disable)()
    began = time.process_time()
    chained(reference_engine, inputs, steps).backward()
    # Processor time: the clock would count other processes too.
    took = (time.process_time() - began) / (steps * PER_STEP)
    gc.enable()
    return took


def memory(steps: int) -> tuple[float, int]:
    """Bytes that each node holds once the graph is whole, and bytes that remain when backward is over."""
    inputs = leaves()
    # Makes the gradients of the leaves, which stay and are not the chain's.
    chained(reference_engine, inputs, 1).backward()
    tracemalloc.start()
    output = chained(reference_engine, inputs, steps)
    whole = tracemalloc.get_traced_memory()[0]
    output.backward()
    del output
    left = tracemalloc.get_traced_memory()[0]
    tracemalloc.stop()
    return whole / (steps * PER_STEP), left


def main() -> None:
    """Answer each length on standard input with times (half of them without collector), memory per node and left."""
    for line in sys.stdin:
        steps = int(line) // PER_STEP
        times = [seconds(steps, collecting) for collecting in (True, False) for _ in range(REPETITIONS)]
        print(*times, *memory(steps), flush=True)


if __name__ == "__main__":
    main()
