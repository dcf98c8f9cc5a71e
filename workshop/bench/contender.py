"""A contender with a program, alone in a process: `python -m workshop.bench.contender NAME PROGRAM FOLDER`.

It saves its gradients in the folder and then answers each line on standard input with the seconds that a run takes at
least. One process each, so that no contender waits for the collector's work on the objects of another.
"""

from __future__ import annotations

import importlib
import sys
import time
from pathlib import Path
from typing import Any

import numpy as np

REPETITION = 0.2  # seconds that an answer should take


def programs_of(name: str) -> Any:
    """The programs of a contender, by name."""
    if name in ("torch", "reference_engine"):
        engine = importlib.import_module(name)
        if name == "torch":
            engine.set_num_threads(1)
        return importlib.import_module("workshop.bench.programs").programs(engine)
    return importlib.import_module("workshop.bench.with_hips").programs


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
    save(run(), Path(folder) / f"{name}.npz")
    # Slow programs run at least three times, so that the least of them means something.
    times = max(3, int(REPETITION / seconds(run, 3)))
    print("ready", flush=True)
    for _ in sys.stdin:
        print(seconds(run, times), flush=True)


if __name__ == "__main__":
    main()
