"""The other side of `deriving`: a process that imports an engine, and says lines of JSON."""

from __future__ import annotations

import os
import sys
from collections.abc import Callable, Iterator

import msgspec

from conformance.behaviour import RegistrationError
from conformance.engines import EngineError
from conformance.messages import printable
from conformance.results import ResultsError
from conformance.running.systems import end_with_parent
from conformance.scripts.trees import Underivable
from reports.lines import encode_line

__all__ = ["answer"]


def answer(lines: Callable[[], Iterator[msgspec.Struct]], end: msgspec.Struct) -> int:
    """Say all lines, and `end`. Returns the exit status: 2 for misuse."""
    end_with_parent()
    # Nothing that the engine prints, from Python or from native code, gets between this and the reader of the lines.
    stream = os.fdopen(os.dup(1), "wb", buffering=0)
    os.dup2(2, 1)
    try:
        for line in lines():
            stream.write(encode_line(line))
        stream.write(encode_line(end))  # what an engine does at exit may crash
    except (EngineError, RegistrationError, ResultsError, Underivable) as error:
        print(printable(" ".join(str(error).split())), file=sys.stderr)
        return 2
    return 0
