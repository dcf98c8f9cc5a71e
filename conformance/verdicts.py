"""The verdicts, explained in docs/glossary.md."""

from __future__ import annotations

from dataclasses import dataclass, field
from enum import Enum

__all__ = ["Outcome", "Verdict"]


class Verdict(str, Enum):
    """The outcome of a behaviour on an engine, in the order in which verdicts are decided."""

    CRASH = "crash"
    TIMEOUT = "timeout"
    ERROR = "error"
    UNSUPPORTED = "unsupported"
    ABSENT = "absent"
    PASS = "pass"
    FAIL = "fail"
    DIFFERS = "differs"


@dataclass(frozen=True)
class Outcome:
    """A verdict, the convention given where there are several, what was observed, and the exception behind it, if any.

    `tainted`: the state of the process could not be restored, so that it must not run another behaviour.
    """

    verdict: Verdict
    convention: str | None = None
    message: str = ""
    raised: BaseException | None = field(default=None, compare=False, repr=False)
    tainted: bool = field(default=False, compare=False)
