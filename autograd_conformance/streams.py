"""Standard streams that may be closed, full, or a pipe whose reader has gone.

Standard output carries the answer: if it is lost, the command has failed. Standard error carries progress and
errors: what it cannot take is dropped, and the exit status is the same.
"""

from __future__ import annotations

import contextlib
import errno
import io
import os
import sys
from collections.abc import Callable, Iterator
from contextlib import AbstractContextManager, contextmanager
from functools import partial
from typing import Any

from autograd_conformance import NO_READER, PROGRAM


class AnswerLost(Exception):
    """Standard output took less than was printed. Not an OSError, of which click and rich make the exit status 1."""


@contextmanager
def _lost() -> Iterator[None]:
    try:
        yield
    except OSError as error:
        # Else the interpreter would try again when it ends, and report that in several lines.
        with contextlib.suppress(OSError):
            os.dup2(os.open(os.devnull, os.O_WRONLY), 1)
        raise AnswerLost from error


class AnswerStream(io.TextIOWrapper):
    """Standard output. Its methods raise AnswerLost."""

    guard: Callable[[], AbstractContextManager[None]] = staticmethod(_lost)

    def write(self, text: str) -> int:
        """Write, as a text stream does."""
        with self.guard():
            return super().write(text)
        return len(text)

    def flush(self) -> None:
        """Hand on what is buffered."""
        with self.guard():
            super().flush()


class ErrorStream(AnswerStream):
    """Standard error. What cannot be written is dropped."""

    guard = staticmethod(partial(contextlib.suppress, OSError))


@contextmanager
def guard_streams() -> Iterator[None]:
    """Replace the standard streams by those above. A lost answer ends the block with SystemExit."""
    _replace_streams()
    try:
        try:
            yield
        finally:
            sys.stdout.flush()
    except AnswerLost as lost:
        error = lost.__cause__
        assert isinstance(error, OSError)
        if error.errno == errno.EPIPE:  # as after `| head`, which has read what it wanted
            sys.exit(NO_READER)
        reason = "it is closed" if error.errno == errno.EBADF else error.strerror
        print(f"{PROGRAM}: error: cannot write to standard output: {reason}; the answer is incomplete", file=sys.stderr)
        sys.exit(2)


def _replace_streams() -> None:
    # In this order: the lowest number that is free is then the closed stream's own. Without this, the next file that is
    # opened would take it, and receive what processes print.
    sys.stdin = sys.stdin or os.fdopen(os.open(os.devnull, os.O_RDONLY))
    sys.stdout = _wrap(sys.stdout, AnswerStream)
    sys.stderr = _wrap(sys.stderr, ErrorStream)


def _wrap(stream: Any, kind: type[io.TextIOWrapper]) -> Any:
    """Wrap a stream in this kind. Python has None for a closed one; those of tests may have no buffer."""
    # A character that the encoding lacks is spelled out: it is no reason to lose an answer.
    if stream is None:
        return kind(os.fdopen(os.open(os.devnull, os.O_RDONLY), "wb"), "utf-8", "backslashreplace")
    if not hasattr(stream, "buffer"):
        return stream
    return kind(stream.buffer, stream.encoding, "backslashreplace", line_buffering=stream.line_buffering)
