"""Adapters that write to, read from, close or inherit the pipes to the recording process, each in one way."""

from __future__ import annotations

import contextlib
import itertools
import os
import select
import subprocess
import sys
import time
from collections.abc import Iterator
from typing import Any

from tests.zoo.adapters import Healthy

# All that a worker may have opened by then.
DESCRIPTORS = range(3, 21)


def _pipes(mode: int) -> Iterator[int]:
    """The pipes among the descriptors that are open for reading, or for writing."""
    for descriptor in DESCRIPTORS:
        with contextlib.suppress(OSError):
            if os.readlink(f"/proc/self/fd/{descriptor}").startswith("pipe:"):
                # A pipe has one direction: its reading end is never ready for writing.
                ready = select.select([descriptor] * (mode == os.R_OK), [descriptor] * (mode == os.W_OK), [], 0)
                # To be read from, a pipe need not have a byte yet; `EatsEveryByte` looks again and again.
                if mode == os.R_OK or any(ready):
                    yield descriptor


def _write(text: bytes) -> None:
    for descriptor in DESCRIPTORS:
        with contextlib.suppress(OSError):
            os.write(descriptor, text)


class WritesToEveryDescriptor(Healthy):
    """Writes a line to all descriptors."""

    def detach(self, x: Any) -> Any:
        _write(b"stray\n")
        return x


class WritesHalfALine(Healthy):
    """Writes to all descriptors what is no line, and so becomes a part of the next message."""

    def detach(self, x: Any) -> Any:
        _write(b"stray")
        return x


class WritesZeros(Healthy):
    """Writes bytes that are no text to all descriptors."""

    def detach(self, x: Any) -> Any:
        _write(bytes(range(256)))
        return x


class WritesAFlood(Healthy):
    """Writes megabytes without a line end to all descriptors."""

    def detach(self, x: Any) -> Any:
        _write(b"x" * 2**23)
        return x


class ForgesAMessage(Healthy):
    """Writes to all descriptors that another behaviour has failed, and that all is well."""

    def detach(self, x: Any) -> Any:
        row = b'{"id":"steps.step_30","verdict":"fail","convention":null,"message":"","duration_s":0.0}'
        _write(b'{"kind":"done","row":%b}\n{"kind":"silent"}\n' % row)
        return x


class ForgesASignedMessage(Healthy):
    """Writes that another behaviour has failed, with the token of its process."""

    def detach(self, x: Any) -> Any:
        row = b'{"id":"steps.step_30","verdict":"fail","convention":null,"message":"","duration_s":0.0}'
        _write(b'%b{"kind":"done","row":%b}\n' % (sys.argv[3].encode(), row))
        return x


class ForgesProgress(Healthy):
    """Hangs, and writes with the token of its process that modules are still being imported."""

    def detach(self, x: Any) -> Any:
        for modules in itertools.count(10**6):
            _write(b'%b{"kind":"loading","modules":%d}\n' % (sys.argv[3].encode(), modules))
            time.sleep(0.1)


class SaysItCannotBeUsed(Healthy):
    """Writes, with the token of its process, that its adapter cannot be loaded."""

    def detach(self, x: Any) -> Any:
        _write(b'%b{"kind":"unusable","message":"no"}\n' % sys.argv[3].encode())
        return x


class LoadsForever(Healthy):
    """Writes without end, and faster than it is read, that its engine is still being imported."""

    def detach(self, x: Any) -> Any:
        line = b'%b{"kind":"loading","modules":%d}\n'
        lines = b"".join(line % (sys.argv[3].encode(), number) for number in range(500))
        while True:
            _write(lines)


class EatsEveryByte(Healthy):
    """Reads for a while all that comes by any pipe."""

    def detach(self, x: Any) -> Any:
        until = time.monotonic() + 0.3
        while time.monotonic() < until:
            for descriptor in _pipes(os.R_OK):
                os.set_blocking(descriptor, False)
                with contextlib.suppress(OSError):
                    os.read(descriptor, 2**16)
        return x


class ClosesEveryDescriptor(Healthy):
    """Closes all descriptors but the standard streams."""

    def detach(self, x: Any) -> Any:
        os.closerange(DESCRIPTORS.start, DESCRIPTORS.stop)
        return x


class SilencesEveryDescriptor(Healthy):
    """Directs all descriptors but the standard streams to nowhere."""

    def detach(self, x: Any) -> Any:
        nowhere = os.open(os.devnull, os.O_RDWR)
        for descriptor in DESCRIPTORS:
            if descriptor != nowhere:
                os.dup2(nowhere, descriptor)
        return x


class BecomesAnotherProgram(Healthy):
    """Replaces its process by another program."""

    def detach(self, x: Any) -> Any:
        os.execv("/bin/sleep", ["sleep", "1000"])


class ForksIntoTheHarness(Healthy):
    """Returns twice: in the process that it was called in, and in a copy of it."""

    def detach(self, x: Any) -> Any:
        os.fork()
        return x


class ForksAndDies(Healthy):
    """Leaves a copy of the process that keeps the pipes, and ends the process."""

    def detach(self, x: Any) -> Any:
        # In the process that the recorder has started.
        if os.fork():
            os._exit(3)
        time.sleep(1000)


class LeavesTheFamily(Healthy):
    """Leaves a process with the pipes in another session, and ends its own."""

    def detach(self, x: Any) -> Any:
        subprocess.Popen(["/bin/sleep", "1000"], start_new_session=True, pass_fds=tuple(_pipes(os.W_OK)))
        os._exit(3)
