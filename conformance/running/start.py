"""Start of a worker's process: its command, its environment, and what the processes of a run share."""

from __future__ import annotations

import contextlib
import hashlib
import os
import queue
import secrets
import shutil
import subprocess
import sys
import tempfile
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from conformance.results import PROGRAMS
from conformance.running import cache, systems
from conformance.running.options import Options

# This variable marks the processes of a run, also those that left their group.
TAG = "AUTOGRAD_CONFORMANCE_RUN"
# The file of a folder that has what a generated program printed.
ERRORS = "errors.log"
# Both can do with any depth of folders.
COMMANDS = (["chmod", "-R", "u+rwx", "--"], ["rm", "-rf", "--"])


class Run:
    """A tag in the environment of all processes of a run, and the name of their temporary folders.

    The folders name the output, so that the next run into it removes what a killed run has left.
    """

    def __init__(self, output: Path) -> None:
        self.tag = secrets.token_hex(8)
        self._prefix = f"autograd-conformance-{hashlib.sha256(os.fsencode(output.resolve())).hexdigest()[:12]}-"
        self._remove_folders()

    def make_folder(self) -> Path:
        """A folder for a process: not within a folder that they share, which a check could remove."""
        return Path(tempfile.mkdtemp(prefix=self._prefix))

    def close(self) -> None:
        """End what processes have left, and remove their folders."""
        systems.end_tagged(TAG, self.tag)
        self._remove_folders()

    def _remove_folders(self) -> None:
        for folder in Path(tempfile.gettempdir()).glob(f"{self._prefix}*"):
            remove_folder(folder)


@dataclass(frozen=True)
class Start:
    """The engine and options of a process. What it prints until it is ready goes to the log, if there is one.

    `task` is its module with the arguments of that; empty: that of the part that is run.
    """

    engine: str
    options: Options
    log: Path | None
    run: Run
    # Pairs of a worker and a message of it.
    events: queue.SimpleQueue[Any]
    task: tuple[str, ...] = ()


def command(start: Start, token: bytes) -> list[str]:
    """The worker's command line."""
    # A module by name: the working directory is then on the path, as an adapter may be there.
    module, *arguments = start.task or _task(start.options)
    return [sys.executable, "-m", module, start.engine, token.decode(), *arguments]


def _task(options: Options) -> tuple[str, ...]:
    if options.part == PROGRAMS:
        return "conformance.running.program_worker", options.batches
    return "conformance.running.worker", str(options.chapters), options.part


def environment(tag: str, folder: Path, cached: Path | None) -> dict[str, str]:
    """The user's, with a single thread for numerical libraries, so that limits hold, and with the worker's folders."""
    # Without assert statements and docstrings, probes and chapters would be empty.
    dropped = ("PYTHONOPTIMIZE", "PYTHONINSPECT", cache.VARIABLE)
    kept = {name: value for name, value in os.environ.items() if name not in dropped}
    threads = {"OMP_NUM_THREADS": "1", "OPENBLAS_NUM_THREADS": "1", "MKL_NUM_THREADS": "1"}
    # PyTorch names the functions of its stack in an error by a process per library, which takes longer than all else of
    # such a cell; the names that the loader knows are enough, and no check reads them.
    stacks = {"TORCH_SYMBOLIZE_MODE": "dladdr"}
    temporary = dict.fromkeys(("TMPDIR", "TEMP", "TMP"), str(folder))
    # In this order, what the user has set is kept.
    return threads | stacks | kept | temporary | {TAG: tag} | ({cache.VARIABLE: str(cached)} if cached else {})


def remove_folder(folder: Path) -> None:
    """Remove a folder, or the file in its place; also folders nested too deep for recursion, or not to be read.

    What the system does not let go stays.
    """
    with contextlib.suppress(RecursionError):
        shutil.rmtree(folder, ignore_errors=True)
    if os.name == "posix" and os.path.lexists(folder):
        for command in COMMANDS:
            with contextlib.suppress(OSError):
                subprocess.run([*command, folder], stderr=subprocess.DEVNULL, check=False)
