"""Trials of tools on cases: each in a fork of a process that has imported the engine, with a limit of time."""

from __future__ import annotations

import atexit
import json
import os
import shutil
import signal
import subprocess
import sys
import tempfile
import time
import warnings
from collections.abc import Iterator, Sequence
from dataclasses import asdict, dataclass, field, replace
from importlib import import_module
from pathlib import Path
from typing import Any

import numpy

from conformance.collection import load_all
from conformance.laws import LAWS
from workshop.isolation import Send, run_in_fork
from workshop.timed_trial import preload
from workshop.yardstick.case import CustomCall, CustomCase, cases_of
from workshop.yardstick.tools import TOOLS, Complaints

ROOT = Path(__file__).parents[2]
# How many times the limit of computing time may pass by the clock.
PATIENCE = 20
# Of each engine, what makes an array of NumPy's.
ARRAYS = {"torch": ("torch", "tensor"), "jax": ("jax.numpy", "array")}


@dataclass(frozen=True)
class ToolTrial:
    """The complaints of a tool about a case, and CPU seconds; `failure`: why there are none."""

    tool: str
    case: str
    complaints: Complaints = field(default_factory=dict)
    cpu_s: float = 0.0
    failure: str = ""

    @property
    def complained(self) -> set[str]:
        """The questions with a complaint."""
        return {question for question, text in self.complaints.items() if text}

    @property
    def was_asked(self) -> bool:
        return bool(self.failure) or any(text is not None for text in self.complaints.values())


def cases_apart(engine: str) -> list[CustomCase]:
    """The cases of an engine, of a process that imports it. None where it is not installed."""
    return [CustomCase(**{**row, "laws": tuple(row["laws"])}) for row in _lines(engine)]


def trials_apart(engine: str, names: Sequence[str], limit_s: float, tools: Sequence[str] = ()) -> Iterator[ToolTrial]:
    """The trials of these cases of an engine by these tools, or all, in a process that imports no other engine."""
    yield from (ToolTrial(**row) for row in _lines(engine, str(limit_s), json.dumps([*tools]), *names))


def _lines(*arguments: str) -> Iterator[dict[str, Any]]:
    with subprocess.Popen([sys.executable, "-m", __name__, *arguments], stdout=subprocess.PIPE, cwd=ROOT) as process:
        assert process.stdout is not None
        yield from map(json.loads, process.stdout)
    if process.returncode:
        raise RuntimeError(f"the process of {arguments[0]} ended with status {process.returncode}")


def main(engine: str, limit_s: str = "", tools: str = "", *names: str) -> None:
    """Print the cases, or with a limit the trials of these cases by these tools, as lines of JSON."""
    warnings.simplefilter("ignore")
    cases = cases_of(engine)
    if not limit_s:
        for case, _ in cases.values():
            print(json.dumps(asdict(case)))
        return
    # What a first call imports counts for no case.
    preload(engine)
    load_all(LAWS)
    import_module("conformance.own.check")
    chosen = json.loads(tools) or TOOLS[engine]
    if engine == "jax":
        _prepare_jax()
    for name in names:
        for tool in filter(chosen.__contains__, TOOLS[engine]):
            print(json.dumps(asdict(_trial(engine, tool, name, cases[name][1], float(limit_s)))), flush=True)


def _prepare_jax() -> None:
    """Double precision, as check_grads needs for its tolerances; and what is compiled is shared, as in a session."""
    folder = tempfile.mkdtemp()
    atexit.register(shutil.rmtree, folder)
    # Of this folder, the adapter uses one for the version.
    os.environ["AUTOGRAD_CONFORMANCE_CACHE"] = folder
    jax: Any = import_module("jax")
    jax.config.update("jax_enable_x64", True)
    jax.config.update("jax_compilation_cache_dir", f"{folder}/jax-{jax.__version__}")
    jax.config.update("jax_persistent_cache_min_compile_time_secs", 0.0)
    jax.config.update("jax_persistent_cache_min_entry_size_bytes", -1)


def _trial(engine: str, tool: str, name: str, call: CustomCall, limit_s: float) -> ToolTrial:
    def run(send: Send) -> None:
        # Only now: POSIX alone has it, as it has the fork that is limited.
        import resource

        # Computing time and not the clock's: the machine may be busy.
        resource.setrlimit(resource.RLIMIT_CPU, (int(limit_s), int(limit_s)))
        ready = _with_arrays(engine, call)
        start = time.process_time()
        complaints = TOOLS[engine][tool](ready)
        send([complaints, time.process_time() - start])

    end = run_in_fork(run, PATIENCE * limit_s)
    if end.messages:
        return ToolTrial(tool, name, *end.messages[0])
    # The last line of a traceback is the error.
    error = end.error.strip().rpartition("\n")[2]
    overdue = end.overdue or end.status in (-signal.SIGXCPU, -signal.SIGKILL)
    failure = f"longer than {limit_s:g} s" if overdue else error or f"the process ended with status {end.status}"
    return ToolTrial(tool, name, failure=failure)


def _with_arrays(engine: str, call: CustomCall) -> CustomCall:
    """The call with arrays of its engine."""
    package, maker = ARRAYS[engine]
    array = getattr(import_module(package), maker)
    return replace(call, arguments=tuple(array(x) if isinstance(x, numpy.ndarray) else x for x in call.arguments))


if __name__ == "__main__":
    main(*sys.argv[1:])
