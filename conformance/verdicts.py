"""The verdicts, explained in docs/glossary.md, and the facts behind them."""

from __future__ import annotations

from dataclasses import dataclass, field
from enum import Enum
from typing import Annotated

import msgspec
from msgspec import Meta


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


class Reason(str, Enum):
    """Why a cell fails, differs, is absent or an error. A pass has one in a column of a compiler alone."""

    # Of fail and differs.
    RAISED = "raised"  # the engine raised an error, and none, or another, is right
    DEVIATES = "deviates"  # it gave another value
    OTHER_CONVENTION = "other_convention"  # than that which it documents
    LEFT_CHANGED = "left_changed"  # it left global state changed; of a check in Python, an error
    # Of absent.
    BY_DESIGN = "by_design"
    NOT_OFFERED = "not_offered"
    LIMITATION = "limitation"
    NOT_COMPILED = "not_compiled"
    # Of pass.
    UNTRACED = "untraced"  # some of what a law compares was not compiled: in no joint function, nor otherwise
    # Of error.
    ADAPTER = "adapter"  # the adapter broke
    CHECK = "check"  # the check or the harness broke
    UNPROVEN = "unproven"  # an absence whose probe proves nothing
    DAMAGED = "damaged"  # the process can run no further check
    UNREPEATABLE = "unrepeatable"  # its process ended, and did not when the cell was tried again


class CauseKind(Enum):
    """The kinds of causes of known failures, the most harmful first."""

    SILENT = "silent wrong value"
    NAN = "NaN"
    ERROR = "error"  # or the end of the process, in the place of a result
    BUG = "other bug"  # no error where one is due; a wrong dtype, flag or lifetime
    DIGITS = "lost digits"  # in a tail, or of a small difference: right in the absolute sense only
    DOCUMENTATION = "documentation"
    LIMITATION = "documented limitation"
    CONVENTION = "convention"


class Witness(msgspec.Struct, frozen=True, omit_defaults=True):
    """An observation that decides a verdict. Texts that do not apply are empty. They may come from the engine."""

    got: Annotated[str, Meta(description="The value that the engine gave; empty where it raised an error.")] = ""
    expected: Annotated[str, Meta(description="The value or error that is right.")] = ""
    what: Annotated[str, Meta(description="What was compared: `dtype`, `shape`, `gradient`, ...; empty: values.")] = ""
    where: Annotated[str, Meta(description="The line of the check that asserts, or the point.")] = ""
    verb: Annotated[str, Meta(description="The verb of the protocol whose result is asserted.")] = ""
    error: Annotated[str, Meta(description="Type of the error that the engine raised.")] = ""
    text: Annotated[str, Meta(description="First line of that error's message.")] = ""


@dataclass(frozen=True)
class Outcome:
    """A verdict with its reason, the convention that was followed where there are several, and what was observed.

    `message` is for people what `reason` and `witness` are for programs; `raised` is the exception behind them.
    `tainted`: the state of the process could not be restored, so that it must not run another behaviour.
    """

    verdict: Verdict
    convention: str | None = None
    message: str = ""
    reason: Reason | None = field(default=None, compare=False)
    witness: Witness | None = field(default=None, compare=False)
    raised: BaseException | None = field(default=None, compare=False, repr=False)
    tainted: bool = field(default=False, compare=False)
