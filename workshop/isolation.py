"""Actions in forks of this process: what an action changes, the next does not see.

A fork sends messages as lines of JSON, through a pipe. It has none of the threads of this process: a library that
has started some (JAX, after its first computation) cannot run in a fork.
"""

from __future__ import annotations

import contextlib
import json
import os
import select
import signal
import traceback
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field
from typing import Any, TypeVar

Item = TypeVar("Item")
Send = Callable[[Any], None]


@dataclass
class ForkEnd:
    """The messages of a fork, and how it ended.

    `status` is its exit status, or minus the number of the signal that ended it; `overdue`: it was ended because no
    message came for too long; `error` is the traceback of an exception that the action raised.
    """

    messages: list[Any] = field(default_factory=list)
    status: int = 0
    overdue: bool = False
    error: str = ""


def run_in_fork(action: Callable[[Send], int | None], patience_s: float | None = None) -> ForkEnd:
    """Run an action in a fork, to its end or until no message came for `patience_s`. It may return an exit status."""
    reading, writing = os.pipe()
    # Not multiprocessing: its children run exit handlers, and pickle what they return.
    child = os.fork()
    if not child:
        os.close(reading)
        _live(action, writing)
    # Else the pipe would never end: this process would have it open for writing, too.
    os.close(writing)
    end = ForkEnd()
    try:
        for line in _lines(reading, patience_s):
            # Read whole lines only: what a dying fork had half written is dropped.
            kind, message = json.loads(line)
            if kind == "error":
                end.error = message
            else:
                end.messages.append(message)
    # Of Ctrl-C, too: the fork must not go on alone.
    except BaseException as error:
        with contextlib.suppress(ProcessLookupError):
            os.kill(child, signal.SIGKILL)
        end.overdue = isinstance(error, TimeoutError)
        if not end.overdue:
            raise
    finally:
        os.close(reading)
        end.status = os.waitstatus_to_exitcode(os.waitpid(child, 0)[1])
    return end


def _lines(pipe: int, patience_s: float | None) -> Iterator[str]:
    """The lines of a pipe as they come. Raises TimeoutError if none came for too long."""
    kept = b""
    while True:
        # Not readline, which would wait without end for a fork that hangs.
        if not select.select([pipe], [], [], patience_s)[0]:
            raise TimeoutError
        received = os.read(pipe, 65536)
        if not received:
            return
        *lines, kept = (kept + received).split(b"\n")
        yield from (line.decode() for line in lines)


def _live(action: Callable[[Send], int | None], pipe: int) -> None:
    """The life of a fork. Does not return."""
    status = 1
    try:
        status = action(lambda message: _write(pipe, "message", message)) or 0
    except BaseException:
        _write(pipe, "error", traceback.format_exc())
    finally:
        # Not sys.exit, which would run the cleanup of the process that forked.
        os._exit(status)


def _write(pipe: int, kind: str, message: Any) -> None:
    # Past the buffers of files: a fork that dies has sent what it sent before.
    line = json.dumps([kind, message]).encode() + b"\n"
    while line:
        line = line[os.write(pipe, line) :]


def result_in_fork(action: Callable[[], Any]) -> Any:
    """The result of an action, as JSON keeps it. Raises RuntimeError for an exception, or if it ends its process."""
    end = run_in_fork(lambda send: send(action()))
    if end.error or not end.messages:
        raise RuntimeError(end.error or f"a fork ended with status {end.status}")
    return end.messages[0]


def results_in_forks(items: Sequence[Item], action: Callable[[Item], Any]) -> dict[Item, Any]:
    """The results of an action by item, without the items that end their process."""
    results: dict[Item, Any] = {}
    left = list(items)
    while left:

        def run(send: Send, left: list[Item] = left) -> None:
            for item in left:
                send(action(item))

        end = run_in_fork(run)
        if end.error:
            raise RuntimeError(end.error)
        # Not strict: fewer messages came if an item ended the process, and that item is skipped below.
        results.update(zip(left, end.messages, strict=False))
        left = left[len(end.messages) + 1 :]
    return results
