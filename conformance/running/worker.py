"""The process in which behaviours run on an engine: `python -m conformance.running.worker ENGINE CHAPTERS TOKEN PART`.

It imports the adapter, says what it declares, and runs the cells that it is given until its standard input ends, which
it does when the recording process has ended. It decides about nothing: the recording process watches its clock and its
memory, and ends it.
"""

from __future__ import annotations

import _thread
import gc
import os
import queue
import signal
import sys
import threading
import time
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from pathlib import Path
from types import FrameType
from typing import Any, NoReturn

import msgspec
import psutil

from conformance import collection, compiled_trials, trial
from conformance.behaviour import Behaviour, RegistrationError
from conformance.declaration import Declaration
from conformance.engines import EngineError, load_declared, parse
from conformance.messages import format_error, printable
from conformance.operations.inventory import INVENTORY
from conformance.protocol import Adapter
from conformance.results import ResultRecord
from conformance.running import systems
from conformance.running.exchange import Begun, Done, Loading, Message, Ready, Silent, Unusable, encode
from conformance.running.harness import Harness
from conformance.running.header import digest
from conformance.running.inventories import on_inventory
from conformance.verdicts import Reason, Verdict

__all__ = ["main"]

BEAT_S = 0.2


class Channel:
    """The two pipes to the recording process, away from standard input and output."""

    def __init__(self, token: bytes) -> None:
        self._token = token
        self._commands, self._answers = os.dup(0), os.dup(1)
        silence = os.open(os.devnull, os.O_RDWR)
        os.dup2(silence, 0)
        os.dup2(2, 1)  # what an engine prints when it is imported is read by people
        os.close(silence)
        self._cells: queue.SimpleQueue[list[str]] = queue.SimpleQueue()
        # Bound now: a check may replace what these modules have.
        self._write, self._exit, self._get, self._pid = os.write, os._exit, self._cells.get, os.getpid
        self._owner = os.getpid()
        self._decode = msgspec.json.Decoder(list[str]).decode

    @property
    def descriptors(self) -> tuple[int, int]:
        """The file descriptors of both pipes."""
        return self._commands, self._answers

    def listen(self) -> None:
        """Begin to take batches, in a thread."""
        # Not `threading`: then its count of threads is that of the engine and its checks.
        _thread.start_new_thread(self._take, ())

    def _take(self) -> None:
        exit_ = self._exit
        try:
            with open(self._commands, "rb", closefd=False) as stream:
                for line in stream:
                    self._cells.put(self._decode(line))
        finally:
            # The recording process has ended, or a check has taken what it wrote.
            exit_(1)

    def batch(self) -> list[str]:
        """The next cells to run."""
        return self._get()

    def send(self, message: Message) -> None:
        """Write a message. Exits the process where it cannot, or where a check has forked it into the harness."""
        if self._pid() != self._owner:
            self._exit(1)
        line = encode(self._token, message)
        try:
            while line:
                line = line[self._write(self._answers, line) :]
        except OSError:
            self._exit(1)


def main() -> NoReturn:
    """Load the adapter, then run cells until the process is ended."""
    engine, chapters, token, part = sys.argv[1:5]
    systems.end_with_parent()
    systems.adopt_orphans()
    channel = Channel(token.encode())
    channel.listen()
    signal.signal(signal.SIGINT, _interrupt)
    if hasattr(signal, "SIGHUP"):
        # `nohup` has it ignored, and children inherit that; a verdict must not depend on how the run was started.
        signal.signal(signal.SIGHUP, signal.SIG_DFL)
    try:
        with _progress(channel):
            depth = sys.getrecursionlimit()
            adapter, declaration = load_declared(parse(engine))
            # An engine may need a deeper stack; chapters and harness need the one that there was.
            sys.setrecursionlimit(max(depth, sys.getrecursionlimit()))
            behaviours = collection.load_all(Path(chapters))
            listed: Mapping[str, Any] = {}
            if part == INVENTORY:
                behaviours, listed = on_inventory(engine, adapter, behaviours)
    except (EngineError, RegistrationError) as error:
        channel.send(Unusable(printable(" ".join(str(error).split()))))
        os._exit(2)
    Runner(channel, adapter, declaration, collection.cells_of(behaviours), listed).run()


@contextmanager
def _progress(channel: Channel) -> Iterator[None]:
    """Within this block, say how many modules there are: an import that hangs adds none."""
    loaded = threading.Event()

    def beat() -> None:
        while not loaded.wait(BEAT_S):
            channel.send(Loading(len(sys.modules)))

    thread = threading.Thread(target=beat, daemon=True)
    thread.start()
    try:
        yield
    finally:
        loaded.set()
        # Longer messages follow, and two threads that write at once could mix their bytes.
        thread.join()


def _interrupt(number: int, frame: FrameType | None) -> None:
    """SIGINT is a check's own doing here, as the keyboard's goes to the recording process alone."""
    if trial.running():
        raise KeyboardInterrupt


class Runner:
    """Runs cells on an adapter, one after the other."""

    def __init__(
        self,
        channel: Channel,
        adapter: Adapter,
        declaration: Declaration,
        cases: dict[str, tuple[Behaviour, str | None]],
        listed: Mapping[str, Any],
    ) -> None:
        self.channel, self.adapter, self.declaration, self.cases = channel, adapter, declaration, cases
        self.listed = listed
        self.clock, self.depth, self.restore_depth = time.perf_counter, sys.getrecursionlimit(), sys.setrecursionlimit
        self.process, self.collect = psutil.Process(), gc.collect

    def run(self) -> NoReturn:
        """Run batches until the process is ended."""
        # What is printed from now on is dropped: a check may print without end.
        silence = os.open(os.devnull, os.O_WRONLY)
        for stream in (1, 2):
            os.dup2(silence, stream)
        harness = Harness(self.channel.descriptors)
        told = {"digest": digest(self.adapter), "fallbacks": systems.fallbacks(), **self.listed}
        self.channel.send(Ready.of(self.declaration, **told))
        cell = ""
        while True:
            try:
                for cell in self.channel.batch() or [""]:
                    if not self._run(cell, harness):
                        break
                else:
                    continue
                # The recorder takes back what it has given, and asks later whether this process still works.
                while self.channel.batch():
                    pass
                self.channel.send(Silent())
            except BaseException as error:  # raised by a thread, or a signal, that a check has left
                self.restore_depth(self.depth)
                self.channel.send(Done(_damaged(cell, f"{format_error(error)} outside the check", 0.0), tainted=True))

    def _run(self, cell: str, harness: Harness) -> bool:
        """Run a cell, or answer a question. Returns whether the next cell may be run in this process."""
        if not cell:
            self.channel.send(Silent())
            return True
        self.channel.send(Begun(cell))
        began = self.clock()
        behaviour, case = self.cases[cell]
        outcome = compiled_trials.run(behaviour, self.adapter, case, declaration=self.declaration)
        # What it left to the garbage collector is its own: finalizers must not run in a later cell.
        self.collect(1)
        took = max(0.0, round(self.clock() - began, 6))
        # Also where the check set it so low that the next lines would raise.
        self.restore_depth(self.depth)
        if damage := harness.damage():
            self.channel.send(Done(_damaged(cell, damage, took), tainted=True))
            return False
        tainted, left = outcome.tainted or systems.exhausted(self.process), harness.left_running()
        self.channel.send(Done(ResultRecord.of(cell, outcome, took), tainted, left))
        return not (tainted or left)


def _damaged(cell: str, damage: str, took: float) -> ResultRecord:
    message = f"damaged what the harness leans on: {damage}"
    return ResultRecord(cell, Verdict.ERROR, None, message, took, reason=Reason.DAMAGED)


if __name__ == "__main__":
    main()
