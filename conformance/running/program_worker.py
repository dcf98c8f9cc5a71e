"""The process in which generated programs run: `python -m conformance.running.program_worker ENGINE TOKEN BATCHES`.

Where the system can fork, the process only loads the engine, and a fork of it runs the programs: where a program has
ended the fork, the next fork is there in milliseconds, not after another import. As `worker.py`, it decides nothing.
"""

from __future__ import annotations

import faulthandler
import importlib
import os
import sys
import tempfile
import time
import warnings
from pathlib import Path
from typing import Any, NoReturn

import psutil

from conformance import collection
from conformance.engines import load_declared, parse
from conformance.messages import format_error
from conformance.running import systems
from conformance.running.channel import Channel, loading, open_channel
from conformance.running.exchange import Begun, Done, Ended, Failed, Forked, Ready
from conformance.running.header import digest
from conformance.running.start import ERRORS

# The value of `systems.threads` for a process with a single thread. Where it cannot count, no process counts as that.
ONE_THREAD = 3
# Seconds: a thread that has been joined exits soon after.
EXIT_S = 0.5
# Bytes: what an engine keeps of each program, such as compiled code, grows over a campaign.
LARGEST = 3 * 2**30


def main() -> NoReturn:
    """Load the adapter, then run programs until the process is ended."""
    engine, token, module = sys.argv[1:4]
    channel = open_channel(token)
    with loading(channel):
        batches = importlib.import_module(module)
        adapter, declaration = load_declared(parse(engine))
        kinds = list(batches.prepare(engine))
    forks = _forks()
    fields = {"digest": digest(adapter), "fallbacks": systems.fallbacks(), "revision": collection.revision()}
    channel.send(Ready.of(declaration, kinds=kinds, forks=forks, **fields))
    _keep_errors()
    if forks:
        _fork(channel)
    channel.listen()
    _run(channel, engine, batches)


def _forks() -> bool:
    """Whether programs can run in a fork: it has no other threads, and locks that they held stay held."""
    until = time.monotonic() + EXIT_S
    while systems.threads() > ONE_THREAD and time.monotonic() < until:
        time.sleep(0.01)
    return systems.threads() == ONE_THREAD


def _keep_errors() -> None:
    """Let what is printed go to a file from which the recording process reads why the process has ended."""
    errors = os.open(Path(tempfile.gettempdir()) / ERRORS, os.O_WRONLY | os.O_CREAT | os.O_APPEND, 0o600)
    for stream in (1, 2):
        os.dup2(errors, stream)
    os.close(errors)
    faulthandler.enable()


def _fork(channel: Channel) -> None:
    """Return in a fork. When that has ended, report how, and return in the next fork."""
    with warnings.catch_warnings():
        # JAX warns of its threads, of which there is none yet.
        warnings.simplefilter("ignore")
        while (number := os.fork()) != 0:
            channel.send(Ended(os.waitstatus_to_exitcode(os.waitpid(number, 0)[1])))
    systems.end_with_parent()
    channel.adopt()
    channel.send(Forked(os.getpid()))


def _run(channel: Channel, engine: str, batches: Any) -> NoReturn:
    """Run programs as they are asked for."""
    process = psutil.Process()
    while True:
        asked = channel.asked()
        # Cells of a fork that has ended are given anew by the recorder, when it knows in which of them it ended.
        if asked.fork in (0, os.getpid()):
            for cell in asked.cells:
                if not _run_program(channel, engine, batches, cell, asked.known, process):
                    break


def _run_program(
    channel: Channel, engine: str, batches: Any, cell: str, known: tuple[str, ...], process: psutil.Process
) -> bool:
    """Run a program. Returns whether the next may be run in this process."""
    kind, _, seed = cell.partition(":")
    channel.send(Begun(cell))
    # What it prints may be the reason of its death, and is no other program's.
    os.ftruncate(2, 0)
    try:
        # Begun again before each smaller program that is made of it: each has the limit for itself.
        again = lambda _: channel.send(Begun(cell))  # noqa: E731
        tally, findings = batches.try_batch(engine, kind, int(seed), int(seed) + 1, known, again)
    except Exception as error:
        channel.send(Failed(format_error(error)))
        return False
    tainted = process.memory_info().rss > LARGEST
    channel.send(Done(cell, [*findings, tally], tainted))
    return not tainted


if __name__ == "__main__":
    main()
