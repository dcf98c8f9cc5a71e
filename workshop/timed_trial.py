"""Trials with a limit of computing time, in a process that has imported what its library imports late."""

from __future__ import annotations

import importlib
import signal
from typing import Any

from conformance import trial
from conformance.behaviour import Behaviour
from conformance.protocol import Adapter
from conformance.verdicts import Outcome, Verdict

# What libraries import on first use. In a fork it would look like a change of the engine, and code that is compiled
# from source on the way (torch._decomp) would meet a mutant that it is not about.
_LATER = {
    "torch": ("torch._dynamo", "torch._functorch.apis", "torch._decomp.decompositions_for_jvp"),
    "reference_engine": ("reference_engine.autograd.transformed",),
}


# Not an Exception: a check that catches the engine's errors must not catch it.
class _Overdue(BaseException):
    """The time of a trial is up."""


def preload(library: str) -> None:
    """Do what a library does on first use."""
    for module in _LATER.get(library, ()):
        importlib.import_module(module)
    if library == "torch":
        import torch

        # The first optimiser wraps the step of its class; a mutant must not be blamed for that.
        torch.optim.SGD([torch.zeros(1)], lr=1.0)


def run_timed(behaviour: Behaviour, adapter: Adapter, case: str | None, limit_s: float) -> Outcome:
    """The outcome of a trial; a timeout after so many seconds of computing."""
    # Computing time and not the clock's, so that no mutant is killed by a busy machine.
    signal.signal(signal.SIGPROF, _stop)
    signal.setitimer(signal.ITIMER_PROF, limit_s)
    try:
        return trial.run(behaviour, adapter, case, (_Overdue,))
    except _Overdue:
        return Outcome(Verdict.TIMEOUT, message=f"it took longer than {limit_s:g} s")
    finally:
        signal.setitimer(signal.ITIMER_PROF, 0)


def _stop(*_: Any) -> None:
    raise _Overdue
