"""Messages between the recording process and a worker: a JSON value per line, on the worker's own pipes.

A worker reads batches of cells from its standard input. It answers on what was its standard output; both are moved to
other file descriptors before an engine is imported, so that what an engine prints does not come between. Each answer
begins with a token that only the two know: a line without it was written by a check, and is a damage.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import asdict
from typing import Any

import msgspec

from conformance.declaration import Declaration
from conformance.operations.inventory import Outline
from conformance.results import ResultRecord, TallyRecord

# Bytes. A row has at most two messages of ten thousand characters.
LONGEST_LINE = 2**20


class Asked(msgspec.Struct, frozen=True):
    """A command: run these cells; without any, answer that the process still works.

    Of programs, `known` signatures are counted only. `fork` is the process that is to run them (0: any): if that has
    ended, the next fork must not begin with its cells.
    """

    cells: list[str]
    known: tuple[str, ...] = ()
    fork: int = 0


class Loading(msgspec.Struct, tag="loading", tag_field="kind"):
    """The engine is being imported; a growing number of modules shows that the import goes on."""

    modules: int


class Unusable(msgspec.Struct, tag="unusable", tag_field="kind"):
    """The adapter or the chapters cannot be loaded, and why, in a line."""

    message: str


class Ready(msgspec.Struct, tag="ready", tag_field="kind"):
    """The adapter is loaded: what it declares, the digest of its source, and what this system cannot watch.

    Of a run on the engine's inventory, also what is in it, and what it does not cover. Of a run of generated programs,
    the kinds that the engine has verbs for, the suite's revision, and whether programs run in a fork of the process.
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
    # Each of these is of one kind of run; the others leave it out.
    inventory: Outline = {}
    uncovered: Mapping[str, str] = {}
    kinds: list[str] = []
    revision: str = ""
    forks: bool = False

    @classmethod
    def of(cls, declaration: Declaration, **others: Any) -> Ready:
        """The message of a declaration, and the other fields."""
        fields = asdict(declaration)
        del fields["absences"], fields["limitations"]  # they have functions
        return cls(**fields, absent=sorted(declaration.absent), **others)


# Sent before the act, so that the last message names what ended a process.
class Begun(msgspec.Struct, tag="begun", tag_field="kind"):
    """A cell is begun, or the program KIND:SEED, also each smaller program that is made of it."""

    id: str


class Done(msgspec.Struct, tag="done", tag_field="kind"):
    """A cell is done: its row; or the row of a finding, if there is any, and a tally of the program; or an answer.

    `tainted`: this process must not run another. `left`: it left a thread or a process, which may do harm later.
    """

    id: str
    records: list[ResultRecord | TallyRecord]
    tainted: bool = False
    left: bool = False
    answer: msgspec.Raw = msgspec.Raw(b"null")


# A thread of a cell may do harm after the cell: a process that is asked and answers is still whole.
class Silent(msgspec.Struct, tag="silent", tag_field="kind"):
    """The answer to a batch without cells: the process still works."""


class Failed(msgspec.Struct, tag="failed", tag_field="kind"):
    """The suite itself raised an error in the program that was begun last, which is not done."""

    message: str


class Forked(msgspec.Struct, tag="forked", tag_field="kind"):
    """A fork of the process is there, and runs programs."""

    fork: int


class Ended(msgspec.Struct, tag="ended", tag_field="kind"):
    """The fork has ended, with this status; another fork follows."""

    status: int


Message = Loading | Unusable | Ready | Begun | Done | Silent | Failed | Forked | Ended

_decoder: msgspec.json.Decoder[Message] = msgspec.json.Decoder(Message)
_encoder = msgspec.json.Encoder()


def encode(token: bytes, message: Message) -> bytes:
    """A line."""
    return token + _encoder.encode(message) + b"\n"


def decode(token: bytes, line: bytes) -> Message:
    """The message of a line. Raises msgspec.DecodeError if it is none."""
    # Without an end it is the beginning of a longer line, or was cut by the death of its writer.
    if not line.startswith(token) or not line.endswith(b"\n"):
        raise msgspec.DecodeError("not a line of the worker")
    return _decoder.decode(line[len(token) :])
