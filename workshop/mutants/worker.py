"""A process with an engine loaded that has run nothing yet; each mutant runs in a fork of it.

    python -m workshop.mutants.worker ENGINE

reads one job per line from standard input, `{"mutant": name, "cells": [ids], "all": flag}`, and answers each with one
line, `{"mutant": name, "cells": {id: verdict}, "fault": text}`. Without `all`, a mutant's run ends with its first
kill. No matter what a mutant does to its process, the next one starts from the same state as it did.
"""

from __future__ import annotations

import faulthandler
import gc
import json
import os
import sys
import time
from functools import partial
from typing import Any

from conformance import collection, engines
from conformance.behaviour import Behaviour
from conformance.protocol import Adapter
from workshop.isolation import Send, run_in_fork
from workshop.mutant import ENGINES, Mutant, MutantError
from workshop.mutants import source
from workshop.mutants.blame import own_mistake
from workshop.mutants.digest import difference, digest, modes
from workshop.mutants.population import NULL, find, population
from workshop.timed_trial import preload, run_timed

# Not `error`: that is a mistake in the check, or in the mutant itself.
KILLS = ("fail", "differs", "crash", "timeout")
# Per cell, in seconds of computing; a process that waits for nothing is ended after ten times as long.
LIMITS = {"reference": 2.0, "torch": 20.0, "torch_func": 20.0, "jax": 60.0}
_PATIENCE = 10
_MOST_LATE = 3  # cells of one mutant; what is left then counts as not run
_MEMORY = 4 << 30
Cell = tuple[Behaviour, str | None]


class Worker:
    """An engine, and the runs of its mutants."""

    def __init__(self, engine: str) -> None:
        self.engine = engine
        self.limit = LIMITS[engine]
        self.adapter: Adapter = engines.load(engines.parse(engine))
        self.cells = collection.cells()
        preload(ENGINES[engine])
        # Done once here, forks find it done.
        source.index()
        population()
        digest(engine)
        gc.freeze()  # the collector would write to every page that a fork shares

    def run(self, mutant: Mutant, wanted: list[str], everything: bool) -> dict[str, Any]:
        """The verdicts of a mutant, from as many forks as it takes."""
        verdicts: dict[str, str] = {}
        left = list(wanted)
        while left:
            fault = self._run_in_fork(mutant, left, everything, verdicts)
            enough = not everything and any(verdict in KILLS for verdict in verdicts.values())
            late = sum(verdict == "timeout" for verdict in verdicts.values())
            if fault or enough or late >= _MOST_LATE:
                return {"mutant": mutant.name, "cells": verdicts, "fault": fault}
            # The fork ended early: by a crash, a timeout, or a mode that a cell left behind.
            left = [cell for cell in left if cell not in verdicts]
        return {"mutant": mutant.name, "cells": verdicts, "fault": ""}

    def _run_in_fork(self, mutant: Mutant, left: list[str], everything: bool, verdicts: dict[str, str]) -> str:
        """Collect the verdicts of one fork. Returns what is wrong with the mutant itself, empty for nothing."""
        # Longer than a cell's computing time: a cell that sleeps or waits for a lock computes nothing.
        end = run_in_fork(partial(_judge, self, mutant, left, everything), self.limit * _PATIENCE)
        begun = ""
        for kind, text in end.messages:
            if kind == "fault":
                return str(text)
            if kind == "verdict":
                verdicts[begun] = text
            begun = text if kind == "begin" else ""
        if end.error:
            return end.error.strip().rpartition("\n")[2]
        if not end.messages and end.status:
            return f"its fork ended with status {end.status} before the first cell"
        if begun:
            verdicts[begun] = "timeout" if end.overdue else "crash"
        return ""


def _judge(worker: Worker, mutant: Mutant, left: list[str], everything: bool, send: Send) -> None:
    """Run cells on a mutant in this fork, and see that the engine is restored."""
    # A crash is a verdict here, and needs no traceback on the terminal.
    faulthandler.disable()
    # Standard output carries the worker's answers: what a behaviour prints must not come between them.
    os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
    _limit_memory(worker.engine)
    # In the fork: what its own set-up changed is no fault of the mutant.
    before = digest(worker.engine)
    try:
        with mutant.change(worker.adapter) as adapter:
            _run_cells(worker, mutant, adapter, left, everything, send)
    except MutantError as error:
        send(["fault", str(error)])
        return
    if changed := difference(before, digest(worker.engine)):
        send(["fault", f"the engine is not as it was before the mutant: {changed}"])


def _limit_memory(engine: str) -> None:
    # PyTorch and JAX reserve more addresses than they use.
    if engine == "reference":
        import resource  # which Windows lacks, and `refresh` imports this module there

        resource.setrlimit(resource.RLIMIT_AS, (_MEMORY, _MEMORY))


def _run_cells(worker: Worker, mutant: Mutant, adapter: Adapter, left: list[str], everything: bool, send: Send) -> None:
    """Run cells until there are none, or the fork is no longer fit for another."""
    state = modes(worker.engine, worker.adapter)
    # What a mode leaves behind is for the checks to detect, not for the harness.
    adapter.global_state = dict  # type: ignore[method-assign]
    for cell in left:
        # Sent first: if the fork crashes, the worker knows in which cell.
        send(["begin", cell])
        verdict = _verdict(worker, mutant, adapter, cell)
        send(["verdict", verdict])
        killed = verdict in KILLS and not everything
        if killed or verdict == "timeout" or modes(worker.engine, worker.adapter) != state:
            return


def _verdict(worker: Worker, mutant: Mutant, adapter: Adapter, cell: str) -> str:
    behaviour, case = worker.cells[cell]
    outcome = run_timed(behaviour, adapter, case, worker.limit)
    return "error" if own_mistake(outcome.raised, mutant.name) else outcome.verdict.value


def main() -> None:
    """Answer jobs until there are none."""
    worker = Worker(sys.argv[1])
    # Kept apart before any fork sends standard output elsewhere.
    answers = os.fdopen(os.dup(sys.stdout.fileno()), "w")
    print(json.dumps({"cells": list(worker.cells), "null": NULL}), file=answers, flush=True)
    for line in sys.stdin:
        job = json.loads(line)
        began = time.perf_counter()
        try:
            answer = worker.run(find(job["mutant"], worker.engine), job["cells"], job["all"])
        except MutantError as error:
            answer = {"mutant": job["mutant"], "cells": {}, "fault": str(error)}
        answer["seconds"] = time.perf_counter() - began
        print(json.dumps(answer), file=answers, flush=True)


if __name__ == "__main__":
    main()
