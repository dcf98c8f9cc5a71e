"""Adapters that say what should not be said, each in one way."""

from __future__ import annotations

import ctypes
import os
import sys
from typing import Any, NoReturn

from tests.zoo.adapters import Healthy

HTML = '<script>alert(1)</script><img src=x onerror="alert(2)">'
# Clears the screen, sets the title, turns red, and has a control character of one byte, backspace and return.
TERMINAL = "\x1b[2J\x1b]0;owned\x07\x1b[31mred\x9b1m\x08\r"


class PrintsNoise(Healthy):
    """Prints to standard output and error, from Python and from native code."""

    def detach(self, x: Any) -> Any:
        # Looks like a record of the results file, into which it must not get.
        print('{"kind":"result"}', flush=True)
        print("noise", file=sys.stderr)
        os.write(1, b"native noise\n")
        return x


class PrintsFromNativeCode(Healthy):
    """Prints through the C library, whose buffers Python does not know."""

    def detach(self, x: Any) -> Any:
        libc = ctypes.CDLL(None)
        libc.puts(b'{"kind":"footer","duration_s":1,"stale":[]}')
        libc.perror(b"native noise")
        libc.fflush(None)
        return x


class PrintsMegabytes(Healthy):
    """Prints sixteen megabytes, and fails, so that reports might show them."""

    def detach(self, x: Any) -> Any:
        os.write(1, b"noise " * 2**21)
        sys.stderr.write("\x1b[31mnoise\udc80 " * 2**18)
        return x + 1


class SpeaksHTML(Healthy):
    """Has markup in its name, its version and its messages."""

    name = f"toy{HTML}"
    version = f"1.0{HTML}"

    def detach(self, x: Any) -> Any:
        raise RuntimeError(HTML)


class SpeaksToTheTerminal(Healthy):
    """Has terminal escapes in its name, its version, the name of an exception's type and its message."""

    name = f"toy{TERMINAL}"
    version = f"1.0{TERMINAL}"

    def detach(self, x: Any) -> Any:
        raise type(f"Red{TERMINAL}", (RuntimeError,), {})(TERMINAL)


class SpeaksForMegabytes(Healthy):
    """Raises with a message of five million characters in one line."""

    def detach(self, x: Any) -> Any:
        raise RuntimeError("long " * 10**6)


class Garrulous(float):
    """A number that takes megabytes to show."""

    def __repr__(self) -> str:
        return "very long " * 10**6


class ShowsMegabytes(Healthy):
    """Returns a list of what takes megabytes to show."""

    def detach(self, x: Any) -> Any:
        return [Garrulous(1.0), None]


class SpeaksInSurrogates(Healthy):
    """Raises with characters that no file in UTF-8 can hold, and with a null."""

    def detach(self, x: Any) -> NoReturn:
        raise RuntimeError("half a \ud800 character, \x00, and \u202e backwards")
