"""A contender with a program, alone in a process: `python -m workshop.bench.contender NAME PROGRAM FOLDER`.

It saves its gradients in the folder and then answers each line on standard input: `time` with the seconds that a run
takes at least, `memory` with bytes. One process each, so that neither peak memory nor the work of the collector is
another's.
"""

from __future__ import annotations

import importlib
import resource
import sys
import time
import tracemalloc
from pathlib import Path
from typing import Any

import numpy as np

REPETITION = 0.2  # seconds that an answer to `time` should take


def programs_of(name: str) -> Any:
    """The programs of a contender, by name."""
    if name in ("torch", "reference_engine"):
        engine = importlib.import_module(name)
        if name == "torch":
            engine.set_num_threads(1)
        return importlib.import_module("workshop.bench.programs").programs(engine)
    module = {"HIPS autograd": "with_hips", "NumPy": "by_hand"}[name]
    return importlib.import_module(f"workshop.bench.{module}").programs


def peak() -> int:
    """The most memory that this process has had, in bytes."""
    # In kilobytes, as Linux has it.
    return resource.getrusage(resource.RUSAGE_SELF).ru_maxrss * 1024


def traced(run: Any) -> int:
    """The most memory that a run allocates from Python and NumPy, in bytes."""
    tracemalloc.start()
    run()
    most = tracemalloc.get_traced_memory()[1]
    tracemalloc.stop()
    return most


def seconds(run: Any, times: int) -> float:
    """The time of the fastest of several runs: other work of the machine can only add to it."""
    least = float("inf")
    for _ in range(times):
        began = time.process_time()
        run()
        least = min(least, time.process_time() - began)
    return least


def save(gradients: Any, path: Path) -> None:
    np.savez(path, *[np.asarray(g.detach().numpy() if hasattr(g, "detach") else g) for g in gradients])


def main() -> None:
    """Prepare, save the gradients, and answer until standard input ends."""
    name, program, folder = sys.argv[1:]
    run = programs_of(name)[program]()
    # What the engine itself takes when imported is not the program's.
    imported = peak()
    save(run(), Path(folder) / f"{name}.npz")
    # Slow programs run at least three times, so that the least of them means something.
    times = max(3, int(REPETITION / seconds(run, 3)))
    print("ready", flush=True)
    for line in sys.stdin:
        # The peak is asked for before tracing, which itself takes memory.
        answer = [seconds(run, times)] if line.strip() == "time" else [peak() - imported, traced(run)]
        print(*answer, flush=True)


if __name__ == "__main__":
    main()
