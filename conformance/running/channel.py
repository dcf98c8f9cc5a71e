"""The two pipes between a worker and the recording process, as the worker has them."""

from __future__ import annotations

import _thread
import os
import queue
import signal
import sys
import threading
from collections.abc import Iterator
from contextlib import contextmanager

import msgspec

from conformance.behaviour import RegistrationError
from conformance.engines import EngineError
from conformance.messages import printable
from conformance.results import ResultsError
from conformance.running import systems
from conformance.running.exchange import Asked, Loading, Message, Unusable, encode

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
        self._asked: queue.SimpleQueue[Asked] = queue.SimpleQueue()
        # Bound now: a check may replace what these modules have.
        self._write, self._exit, self._get, self._pid = os.write, os._exit, self._asked.get, os.getpid
        self._owner = os.getpid()
        self._decode = msgspec.json.Decoder(Asked).decode

    @property
    def descriptors(self) -> tuple[int, int]:
        """The file descriptors of both pipes."""
        return self._commands, self._answers

    def listen(self) -> None:
        """Begin to read commands, in a thread."""
        # Not `threading`: then its count of threads is that of the engine and its checks.
        _thread.start_new_thread(self._take, ())

    def _take(self) -> None:
        exit_ = self._exit
        try:
            with open(self._commands, "rb", closefd=False) as stream:
                for line in stream:
                    self._asked.put(self._decode(line))
        finally:
            # The recording process has ended, or a check has taken what it wrote.
            exit_(1)

    def adopt(self) -> None:
        """Let this process, a fork of the process that made the channel, use it."""
        self._owner = self._pid()

    def asked(self) -> Asked:
        """Wait for the next command."""
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


def open_channel(token: str) -> Channel:
    """Prepare this process for an engine, and move its pipes away from standard input and output."""
    systems.end_with_parent()
    systems.adopt_orphans()
    if hasattr(signal, "SIGHUP"):
        # `nohup` has it ignored, and children inherit that; a verdict must not depend on how the run was started.
        signal.signal(signal.SIGHUP, signal.SIG_DFL)
    return Channel(token.encode())


@contextmanager
def loading(channel: Channel) -> Iterator[None]:
    """Report the number of modules during this block: an import that hangs adds none.

    An engine, chapters or results that cannot be loaded end the process with a line.
    """
    loaded = threading.Event()

    def beat() -> None:
        while not loaded.wait(BEAT_S):
            channel.send(Loading(len(sys.modules)))

    thread = threading.Thread(target=beat, daemon=True)
    thread.start()
    unusable = ""
    try:
        yield
    except (EngineError, RegistrationError, ResultsError) as error:
        unusable = printable(" ".join(str(error).split()))
    finally:
        loaded.set()
        # Longer messages follow, and two threads that write at once could mix their bytes.
        thread.join()
    if unusable:
        channel.send(Unusable(unusable))
        os._exit(2)
