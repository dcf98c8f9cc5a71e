"""What a process that tries programs is asked, and what it says: a JSON object per line, on its standard streams."""

from __future__ import annotations

import msgspec

from conformance.programs.results import BatchRecord, FindingRecord
from conformance.results import EngineRecord

__all__ = [
    "BATCHES",
    "Answer",
    "BatchTried",
    "EngineReady",
    "EngineUnusable",
    "FarmError",
    "FindingAsked",
    "FindingTold",
    "LoadingEnded",
    "ProcessEnded",
    "ProgramBegun",
    "ProgramFailed",
    "ProgramsAsked",
    "Task",
]

# The module whose functions make and judge programs: `kinds_of`, `try_batch`, and `finding_of` for one that ends its
# process.
BATCHES = "conformance.programs.batch"


class FarmError(Exception):
    """A campaign cannot go on; the message says why, in one line."""


class LoadingEnded(FarmError):
    """A process ended before its engine was loaded, perhaps by something from outside."""


class Task(msgspec.Struct, frozen=True):
    """What is given to a worker of an executor: seeds of programs of one kind, without `last`, and how to try them.

    `known` are signatures that are counted only. `limit` is in seconds per program. `revision` and `version`, of the
    suite and the engine, are those that the campaign is about.
    """

    engine: str
    kind: str
    first: int
    last: int
    limit: float
    known: tuple[str, ...] = ()
    revision: str = ""
    version: str = ""
    module: str = BATCHES


class ProgramsAsked(msgspec.Struct, frozen=True, tag="programs"):
    """A request: try these seeds."""

    kind: str
    first: int
    last: int
    known: tuple[str, ...] = ()


class FindingAsked(msgspec.Struct, frozen=True, tag="finding"):
    """A request: tell, without running it, the finding of a program in which a process ended."""

    kind: str
    seed: int
    oracle: str
    message: str


class EngineReady(msgspec.Struct, frozen=True, tag="ready", tag_field="said"):
    """The engine is loaded: which, a digest of its adapter, the suite's revision, the kinds that it has verbs for.

    `forks`: programs run in a fork of the process, so that the engine is not loaded again for the next one.
    """

    engine: EngineRecord
    adapter: str
    revision: str
    known_failures: str
    kinds: list[str]
    forks: bool = False


class EngineUnusable(msgspec.Struct, frozen=True, tag="unusable", tag_field="said"):
    """The engine cannot be loaded, or lacks the verbs: why, in one line."""

    message: str


class ProcessEnded(msgspec.Struct, frozen=True, tag="ended", tag_field="said"):
    """The fork that programs ran in has ended, with this status; the next one is there."""

    status: int


class ProgramBegun(msgspec.Struct, frozen=True, tag="begun", tag_field="said"):
    """The program of a seed is begun."""

    seed: int


class BatchTried(msgspec.Struct, frozen=True, tag="tried", tag_field="said"):
    """The answer to a request."""

    batch: BatchRecord


class FindingTold(msgspec.Struct, frozen=True, tag="finding", tag_field="said"):
    """The answer to the other request."""

    finding: FindingRecord


class ProgramFailed(msgspec.Struct, frozen=True, tag="failed", tag_field="said"):
    """The answer where the suite itself raised an error."""

    message: str


Answer = EngineReady | EngineUnusable | ProcessEnded | ProgramBegun | BatchTried | FindingTold | ProgramFailed
