"""Helpers of many tests: the command line in a new process, and the cells of its report."""

from __future__ import annotations

import contextlib
import json
import os
import subprocess
import sys
import tempfile
import time
import uuid
from collections.abc import Container, Mapping
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import Any

import psutil

from conformance.collection import load_all
from conformance.features import features_of
from conformance.known_causes import Cause
from conformance.verdicts import CauseKind

ROOT = Path(__file__).parent.parent
# A cause for entries that tests make.
CAUSE = Cause("It is known", CauseKind.CONVENTION, "A test expects it.")
ZOO = Path(__file__).parent / "zoo" / "chapters"
NAMING = Path(__file__).parent / "zoo" / "naming" / "chapters"


@dataclass(frozen=True)
class Call:
    """A finished call of the command line. Its processes carry the tag in their environment."""

    status: int
    out: str
    err: str
    output: Path
    tag: str

    @property
    def matrix(self) -> dict[str, Any]:
        """The matrix that it wrote."""
        written: dict[str, Any] = json.loads((self.output / "matrix.json").read_text())
        return written

    @property
    def verdicts(self) -> dict[str, str]:
        """Verdict by behaviour, without the chapter's name."""
        return {cell["behaviour"].partition(".")[2]: cell["verdict"] for cell in self.matrix["cells"]}

    @property
    def messages(self) -> dict[str, str]:
        """Message by behaviour, without the chapter's name."""
        return {cell["behaviour"].partition(".")[2]: cell["message"] for cell in self.matrix["cells"]}


def conform(*arguments: object, output: Path, cwd: Path = ROOT) -> Call:
    """Call the command line in a new process: a fork of one that has imported it, where the surroundings allow that."""
    words, tag = list(map(str, arguments)), uuid.uuid4().hex
    # Another folder or another Python is that of a process from its start.
    if os.name == "posix" and cwd == ROOT and _of_python(os.environ) == _AT_START:
        return forked(words, tagged(tag), output, tag)
    command = [sys.executable, "-m", "autograd_conformance", *words]
    done = subprocess.run(
        command, cwd=cwd, env=tagged(tag), capture_output=True, text=True, timeout=300, check=False, errors="replace"
    )
    return Call(done.returncode, done.stdout, done.stderr, output, tag)


def forked(words: list[str], environment: dict[str, str], output: Path, tag: str = "", batches: str = "") -> Call:
    """Call the command line in a fork of a process that has imported it; `batches` names a module of programs."""
    server = _server()
    assert server.stdin
    assert server.stdout
    with tempfile.TemporaryDirectory() as folder:
        out, err = Path(folder, "out"), Path(folder, "err")
        server.stdin.write(json.dumps([words, environment, str(out), str(err), batches]) + "\n")
        server.stdin.flush()
        status = int(server.stdout.readline())
        return Call(status, out.read_text(errors="replace"), err.read_text(errors="replace"), output, tag)


def _of_python(variables: Mapping[str, str]) -> dict[str, str]:
    return {name: value for name, value in variables.items() if name.startswith("PYTHON")}


_AT_START = _of_python(os.environ)


@cache
def _server() -> subprocess.Popen[str]:
    """The process that the calls are forks of: one for each process of the tests, with which it ends."""
    command = [sys.executable, "-m", "tests.command_server"]
    return subprocess.Popen(command, cwd=ROOT, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True)


def tagged(tag: str) -> dict[str, str]:
    """The environment that marks the processes of a call."""
    return os.environ | {"CALL_TAG": tag}


def survivors(tag: str, patience_s: float = 3.0) -> list[str]:
    """The processes of a call that are still there some time after its end."""
    deadline = time.monotonic() + patience_s
    # A process that was killed is there until the system has removed it.
    while (left := _alive(tag)) and time.monotonic() < deadline:
        time.sleep(0.05)
    return left


def _alive(tag: str) -> list[str]:
    processes = []
    for process in psutil.process_iter():
        with contextlib.suppress(psutil.Error, IndexError):
            # By the environment, as an orphan is no longer a child of the call.
            # Or by its name, where a process has no environment (lifetimes:LeavesANamelessChild).
            tagged = process.environ().get("CALL_TAG") == tag or tag in process.cmdline()[0]
            if tagged and process.status() != psutil.STATUS_ZOMBIE:
                processes.append(str(process))
    return processes


def run_zoo(adapter: str, output: Path, *options: object, chapters: Path = ZOO) -> Call:
    """Try a chapter of the zoo on one of its adapters: a class of `adapters`, or `module:Class`."""
    engine = f"tests.zoo.{adapter if ':' in adapter else f'adapters:{adapter}'}"
    return conform("run", "--engine", engine, "--chapters", chapters, "--output", output, *options, output=output)


def alternating(folder: Path, count: int, detaching: Container[int] | None = None) -> Path:
    """A folder of chapters whose behaviours `step_0`, `step_1`, ... ask for `clone`, and some for `detach`: by
    default every second."""
    detaching = range(1, count, 2) if detaching is None else detaching
    text = "from conformance.behaviour import MUST, behaviour, torch\nfrom conformance.expect import close\n"
    text += '\nbackward = torch("torch.Tensor.backward")\n'
    step = '\n\n@behaviour(MUST, backward)\ndef step_{n}(ad):\n    """Step {n}."""\n    close({call}, [1.0])\n'
    calls = ("ad.clone(ad.array([1.0]))", "ad.detach(ad.array([1.0]))")
    # The loader takes no folder with another name.
    chapters = folder / "chapters"
    chapters.mkdir()
    steps = (step.format(n=n, call=calls[n in detaching]) for n in range(count))
    (chapters / "steps.py").write_text(text + "".join(steps))
    return chapters


def from_here(**more: str) -> dict[str, str]:
    """The environment, in which this checkout is imported from any folder."""
    # What a developer's terminal sets must not decide what is printed.
    plain = {name: value for name, value in os.environ.items() if name not in ("NO_COLOR", "FORCE_COLOR", "COLUMNS")}
    return plain | {"PYTHONPATH": os.pathsep.join([str(ROOT), os.environ.get("PYTHONPATH", "")])} | more


@cache
def named_in_chapters() -> frozenset[str]:
    """The features that checks of chapters name."""
    checks = ((behaviour.check, case) for behaviour in load_all() for case in behaviour.cases.values() or [()])
    return frozenset(name for check, case in checks for name in features_of(check, *case))
