"""Programs as they are shown, in the process of their engine (`deriving`)."""

from __future__ import annotations

from pathlib import Path

from autograd_conformance.deriving import LIMIT_S, WorkerEnded, WorkerLines
from conformance.programs.shown import ShownProgram

__all__ = ["shown_program"]

WORKER = "autograd_conformance.showing_worker"


def shown_program(engine: str, name: str, limit: float = LIMIT_S) -> ShownProgram:
    """The program of KIND:SEED on an engine. Where its process ends or takes too long, `problem` says so."""
    try:
        *_, shown = worker(limit).said("seed", engine, name)
    except WorkerEnded as ended:
        return ShownProgram(name, engine, problem=str(ended))
    return shown


def worker(limit: float) -> WorkerLines[ShownProgram]:
    """The worker's lines. A finding in which it ends has that reason in the place of a program."""
    return WorkerLines(ShownProgram, "program", _without, WORKER, Path(), limit)


def _without(name: str, problem: str) -> ShownProgram:
    return ShownProgram(name, problem=problem)
