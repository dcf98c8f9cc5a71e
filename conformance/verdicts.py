"""The words of the matrix. Each has one spelling, explained in docs/glossary.md."""

from __future__ import annotations

from dataclasses import dataclass, field
from enum import Enum

__all__ = ["Outcome", "Verdict"]


class Verdict(str, Enum):
    """What an engine makes of a behaviour, in the order in which verdicts are decided."""

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

    `tainted` says that the process cannot be put back as it was, and is not fit for another behaviour.
    """

    verdict: Verdict
    convention: str | None = None
    message: str = ""
    raised: BaseException | None = field(default=None, compare=False, repr=False)
    tainted: bool = field(default=False, compare=False)
