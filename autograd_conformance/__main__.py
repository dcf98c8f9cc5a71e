"""The console command, and `python -m autograd_conformance`.

It imports little before it can handle an interrupt: the commands and their libraries take a tenth of a second.
"""

from __future__ import annotations

import os
import signal
from types import FrameType

from autograd_conformance import INTERRUPTED, PROGRAM
from autograd_conformance.streams import guard_streams


def main() -> None:
    """Call the command line, and exit with its status. Ctrl-C ends it with 130 at any moment, by one line."""
    # A shell starts a process in the background with SIGINT ignored: then it stays so.
    interruptible = signal.getsignal(signal.SIGINT) is signal.default_int_handler
    if interruptible:
        signal.signal(signal.SIGINT, _end)
    try:
        with guard_streams():
            from autograd_conformance.cli import main as call

            # From here an exception, so that a command can end its processes and keep what it has.
            if interruptible:
                signal.signal(signal.SIGINT, signal.default_int_handler)
            call()
    except KeyboardInterrupt:  # between two of these lines
        _end()
    finally:
        # Only the interpreter's end is left, in which KeyboardInterrupt would print a traceback.
        if interruptible:
            signal.signal(signal.SIGINT, _end)


def _end(number: int = signal.SIGINT, frame: FrameType | None = None) -> None:
    """End the process, at a moment when there is nothing to keep or all is written."""
    try:
        # Not `print`: the signal may have interrupted a write, and a buffered stream cannot be entered twice.
        os.write(2, f"{PROGRAM}: interrupted\n".encode())
    finally:
        # Not `sys.exit`: code that is being imported may catch its exception.
        os._exit(INTERRUPTED)


if __name__ == "__main__":
    main()
