"""Lines of a process that has an engine, at both ends of it. It is watched: an adapter's code may do anything.

Of everything else that the process prints, the last line is part of a message.
"""

from __future__ import annotations

import _thread
import contextlib
import os
import subprocess
import sys
import tempfile
import time
from collections.abc import Generator
from pathlib import Path
from typing import IO

from conformance.messages import printable
from conformance.running.systems import OWN_GROUP, end_group, end_with_parent, how_it_ended

# Times the limit for the first line: a framework's first import from a slow disk takes a minute.
START = 3
POLL_S = 0.05
PRINTED = 2**16  # bytes that are read of what was printed


class WorkerEnded(Exception):
    """A process ended after its last line, or was ended. `status`: its exit status, if it exited by itself."""

    def __init__(self, reason: str, status: int | None = None, printed: str = "") -> None:
        super().__init__(reason)
        self.status, self.printed = status, printed


def worker_lines(module: str, limit: float, *arguments: str) -> Generator[bytes, None, None]:
    """Run a module, and yield its lines. Raises WorkerEnded at its end, or if it is silent for `limit` seconds."""
    # Files, not pipes: no process that the engine starts keeps them open.
    with tempfile.TemporaryDirectory() as folder, tempfile.TemporaryFile() as printed:
        path = Path(folder) / "lines"
        # In a group, as an engine may start processes: they end with it.
        with path.open("wb") as output, path.open("rb") as lines:
            process = subprocess.Popen(
                [sys.executable, "-m", module, *arguments],
                stdin=subprocess.PIPE,
                stdout=output,
                stderr=printed,
                **OWN_GROUP,
            )
            try:
                late = yield from _follow(process, lines, limit)
            finally:
                end_group(process)
                process.communicate()
        printed.seek(max(0, printed.seek(0, os.SEEK_END) - PRINTED))
        *_, last = ["", *printed.read().decode(errors="replace").strip().splitlines()]
        status = None if late else process.returncode
        raise WorkerEnded(late or f"the process {how_it_ended(status)}", status, printable(last.strip()))


def _follow(process: subprocess.Popen[bytes], stream: IO[bytes], limit: float) -> Generator[bytes, None, str]:
    """Yield whole lines until the process ends. Returns the reason if it is silent for too long."""
    since, allowed, line = time.monotonic(), START * limit, b""
    while True:
        ended = process.poll() is not None  # asked first: what it wrote before is then there to be read
        while part := stream.readline():
            line += part
            if line.endswith(b"\n"):
                yield line
                since, allowed, line = time.monotonic(), limit, b""
        if ended:
            return ""
        if time.monotonic() > since + allowed:
            return f"it took longer than {allowed:g} s"
        with contextlib.suppress(subprocess.TimeoutExpired):
            process.wait(POLL_S)


def line_stream() -> IO[bytes]:
    """The stream for the lines of this process, which ends with its parent. What an engine prints goes elsewhere."""
    end_with_parent()
    stream = os.fdopen(os.dup(1), "wb", buffering=0)
    os.dup2(2, 1)
    # Not `threading`: then its count of threads is that of the engine and its checks.
    _thread.start_new_thread(_end_with_input, (os.dup(0),))
    os.dup2(os.open(os.devnull, os.O_RDONLY), 0)
    return stream


def _end_with_input(pipe: int) -> None:
    os.read(pipe, 1)  # nothing is written to it: it ends when the parent closes it, or dies
    os._exit(1)
