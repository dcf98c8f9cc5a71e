"""What the recording process and a worker say to each other: one JSON object per line, on the worker's own pipes.

The worker gets batches of cells on its standard input. It answers on what was its standard output; both are moved to
other file descriptors before an engine is imported, so that what an engine prints does not come between. Each line of
the worker begins with a token that only the two know: a line without it was written by a check, and is a damage.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import asdict
from typing import Any

import msgspec

from conformance.declaration import Declaration
from conformance.operations.inventory import Outline
from conformance.results import ResultRecord

__all__ = ["LONGEST_LINE", "Begun", "Done", "Loading", "Message", "Ready", "Silent", "Unusable", "decode", "encode"]

# Bytes. A row has at most two messages of ten thousand characters.
LONGEST_LINE = 2**20


class Loading(msgspec.Struct, tag="loading", tag_field="kind"):
    """The engine is being imported; `modules` counts those that are there, which shows that the import goes on."""

    modules: int


class Unusable(msgspec.Struct, tag="unusable", tag_field="kind"):
    """The adapter or the chapters cannot be loaded, and why, in one line."""

    message: str


class Ready(msgspec.Struct, tag="ready", tag_field="kind"):
    """The adapter is loaded: what it declares, the digest of its source, and what this system cannot watch.

    Of a run on the engine's inventory, also what is in it, and what it does not cover.
    """

    name: str
    version: str
    parameters: Mapping[str, str]
    held_to: Mapping[str, str]
    absent: list[str]
    known_failures: str
    missing_dtypes: list[str]
    digest: str
    fallbacks: list[str]
    inventory: Outline = {}
    uncovered: Mapping[str, str] = {}

    @classmethod
    def of(cls, declaration: Declaration, **others: Any) -> Ready:
        """The message of a declaration, and the other fields."""
        fields = asdict(declaration)
        del fields["absences"], fields["limitations"]  # they have functions
        return cls(**fields, absent=sorted(declaration.absent), **others)


class Begun(msgspec.Struct, tag="begun", tag_field="kind"):
    """A cell is begun."""

    id: str


class Done(msgspec.Struct, tag="done", tag_field="kind"):
    """A cell is done. `tainted`: this process must not run another. `left`: it left a thread or a process,
    which may do harm later."""

    row: ResultRecord
    tainted: bool = False
    left: bool = False


class Silent(msgspec.Struct, tag="silent", tag_field="kind"):
    """The answer to a batch without cells: the process still works."""


Message = Loading | Unusable | Ready | Begun | Done | Silent

_decoder: msgspec.json.Decoder[Message] = msgspec.json.Decoder(Message)
_encoder = msgspec.json.Encoder()


def encode(token: bytes, message: Message) -> bytes:
    """A line."""
    return token + _encoder.encode(message) + b"\n"


def decode(token: bytes, line: bytes) -> Message:
    """The message of a line. Raises msgspec.DecodeError if it is none."""
    if not line.startswith(token) or not line.endswith(b"\n"):
        raise msgspec.DecodeError("not a line of the worker")
    return _decoder.decode(line[len(token) :])
