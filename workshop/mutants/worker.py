"""A process with an engine loaded that has run nothing yet; each mutant runs in a fork of it.

    python -m workshop.mutants.worker ENGINE

reads one job per line from standard input, `{"mutant": name, "cells": [ids], "all": flag}`, and answers each with one
line, `{"mutant": name, "cells": {id: verdict}, "fault": text}`. Without `all`, a mutant's run ends with its first
kill. No matter what a mutant does to its process, the next one starts from the same state as it did.
"""

from __future__ import annotations

import contextlib
import faulthandler
import gc
import importlib
import json
import os
import select
import signal
import sys
import time
from collections.abc import Iterator
from typing import Any

from conformance import collection, engines, trial
from conformance.behaviour import Behaviour
from conformance.protocol import Adapter
from workshop.mutant import ENGINES, Mutant, MutantError
from workshop.mutants import source
from workshop.mutants.blame import own_mistake
from workshop.mutants.digest import difference, digest, modes
from workshop.mutants.population import NULL, find, population

__all__ = ["KILLS", "Worker", "main"]

# Not `error`: that is a mistake in the check, or in the mutant itself.
KILLS = ("fail", "differs", "crash", "timeout")
# Per cell, in seconds of computing; a process that waits for nothing is ended after ten times as long.
LIMITS = {"reference": 2.0, "torch": 20.0, "torch_func": 20.0, "jax": 60.0}
_PATIENCE = 10
_MOST_LATE = 3  # cells of one mutant; what is left then counts as not run
_MEMORY = 4 << 30
# What libraries import on first use, here once rather than in each fork: there it would look like a change of the
# engine, and code that is compiled from source on the way (torch._decomp) would meet a mutant that it is not about.
_LATER = {
    "torch": ("torch._dynamo", "torch._functorch.apis", "torch._decomp.decompositions_for_jvp"),
    "reference_engine": ("reference_engine.autograd.transformed",),
}

Cell = tuple[Behaviour, str | None]


class _Late(BaseException):
    """The cell's time is up."""


class Worker:
    """An engine, and the runs of its mutants."""

    def __init__(self, engine: str) -> None:
        self.engine = engine
        self.limit = LIMITS[engine]
        self.adapter: Adapter = engines.load(engines.parse(engine))
        self.cells = collection.cells()
        for module in _LATER.get(ENGINES[engine], ()):
            importlib.import_module(module)
        if ENGINES[engine] == "torch":
            # The first optimiser wraps the step of its class; a mutant must not be blamed for that.
            self.adapter.torch.optim.SGD([self.adapter.torch.zeros(1)], lr=1.0)  # type: ignore[attr-defined]
        # Done once here, forks find it done.
        source.index()
        population()
        digest(engine)
        gc.freeze()  # the collector would write to every page that a fork shares

    def run(self, mutant: Mutant, wanted: list[str], everything: bool) -> dict[str, Any]:
        """The verdicts of a mutant, from as many forks as it takes."""
        found: dict[str, str] = {}
        left = list(wanted)
        while left:
            fault = self._in_a_fork(mutant, left, everything, found)
            enough = not everything and any(verdict in KILLS for verdict in found.values())
            late = sum(verdict == "timeout" for verdict in found.values())
            if fault or enough or late >= _MOST_LATE:
                return {"mutant": mutant.name, "cells": found, "fault": fault}
            left = [cell for cell in left if cell not in found]
        return {"mutant": mutant.name, "cells": found, "fault": ""}

    def _in_a_fork(self, mutant: Mutant, left: list[str], everything: bool, found: dict[str, str]) -> str:
        reading, writing = os.pipe()
        child = os.fork()
        if not child:
            os.close(reading)
            with os.fdopen(writing, "w") as stream:
                _live(self, mutant, left, everything, stream)
        os.close(writing)
        return self._listen(child, reading, found)

    def _listen(self, child: int, reading: int, found: dict[str, str]) -> str:
        """Take down what a fork says until it ends, or is ended; returns what is wrong with the mutant itself."""
        begun, fault, ended = "", "", "crash"
        with os.fdopen(reading) as stream:
            for line in _lines(stream, self.limit * _PATIENCE):
                if line is None:
                    ended = "timeout"
                    break
                kind, _, said = line.partition(" ")
                if kind == "begin":
                    begun = said
                elif kind == "fault":
                    fault, begun = said, ""
                elif kind == "end":
                    begun = ""
                else:
                    found[begun] = kind
        with contextlib.suppress(ProcessLookupError):
            os.kill(child, signal.SIGKILL)
        os.waitpid(child, 0)
        if begun and begun not in found:
            found[begun] = ended
        return fault


def _lines(stream: Any, patience: float) -> Iterator[str | None]:
    """The lines of a pipe as they come; None, last, if none came for too long."""
    raw, kept = stream.fileno(), ""
    while True:
        # Not readline, which would wait without end for a fork that hangs.
        if not select.select([raw], [], [], patience)[0]:
            yield None
            return
        got = os.read(raw, 65536).decode()
        if not got:
            return
        *whole, kept = (kept + got).split("\n")
        yield from whole


def _live(worker: Worker, mutant: Mutant, left: list[str], everything: bool, stream: Any) -> None:
    """The life of a fork. Does not return."""
    # A crash is a verdict here, and needs no traceback on the terminal.
    faulthandler.disable()
    # Standard output carries the worker's answers: what a behaviour prints must not come between them.
    os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())

    def say(*words: str) -> None:
        print(*words, file=stream, flush=True)

    try:
        _limit(worker.engine)
        before = digest(worker.engine)
        with mutant.change():
            _judge(worker, mutant, left, everything, say)
        if changed := difference(before, digest(worker.engine)):
            say("fault", f"the engine is not as it was before the mutant: {changed}")
        say("end")
    except MutantError as error:
        say("fault", str(error))
    except BaseException as error:
        say("fault", f"{type(error).__name__}: {error}".replace("\n", " "))
    finally:
        # Not sys.exit, which would run the cleanup of the process that forked.
        os._exit(0)


def _limit(engine: str) -> None:
    def late(*_: object) -> None:
        raise _Late

    # Computing time and not the clock's, so that no mutant is killed by a busy machine.
    signal.signal(signal.SIGPROF, late)
    if engine == "reference":
        import resource  # which Windows lacks, and `refresh` imports this module there

        resource.setrlimit(resource.RLIMIT_AS, (_MEMORY, _MEMORY))


def _judge(worker: Worker, mutant: Mutant, left: list[str], everything: bool, say: Any) -> None:
    """Run cells until there are none, or the fork is no longer fit for another."""
    state = modes(worker.engine, worker.adapter)
    # What a mode leaves behind is for the checks to notice, not for the harness.
    worker.adapter.global_state = dict  # type: ignore[method-assign]
    for cell in left:
        # Said first: if the fork crashes, `_listen` knows in which cell.
        say("begin", cell)
        verdict = _verdict(worker, mutant, cell)
        say(verdict)
        killed = verdict in KILLS and not everything
        if killed or verdict == "timeout" or modes(worker.engine, worker.adapter) != state:
            return


def _verdict(worker: Worker, mutant: Mutant, cell: str) -> str:
    behaviour, case = worker.cells[cell]
    signal.setitimer(signal.ITIMER_PROF, worker.limit)
    try:
        outcome = trial.run(behaviour, worker.adapter, case, (_Late,))
        return "error" if own_mistake(outcome.raised, mutant.name) else outcome.verdict.value
    except _Late:
        return "timeout"
    finally:
        signal.setitimer(signal.ITIMER_PROF, 0)


def main() -> None:
    """Answer jobs until there are none."""
    worker = Worker(sys.argv[1])
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
