"""Blame for an exception: an engine that is wrong in one way, or a mutant whose own code does not fit.

A mutant that cannot be called as the engine is called would be killed by every behaviour that calls it, and prove
nothing about any.
"""

from __future__ import annotations

import re
import traceback
from collections.abc import Iterator
from pathlib import Path

_BY_HAND = str(Path(__file__).parent / "by_hand")
# A call that does not fit a signature fails in the frame of its caller, the engine: only the message names the
# function that was called.
_SIGNATURE = re.compile(r"(\S+)\(\) (takes|got|missing)")
# Names that are missing. Raised elsewhere than in by_hand they are the engine's, and count as a kill.
_MISTAKES = (AttributeError, NameError, UnboundLocalError)


def own_mistake(raised: BaseException | None, name: str) -> str:
    """The mistake in the code of a mutant that led to an exception; empty if there is none."""
    for error in _behind(raised):
        called = _SIGNATURE.match(str(error)) if isinstance(error, TypeError) else None
        if called and f"{name.rpartition(':')[2]}.<locals>." in called[1]:
            return str(error)
        frames = traceback.extract_tb(error.__traceback__)
        if isinstance(error, _MISTAKES) and frames and frames[-1].filename.startswith(_BY_HAND):
            return f"{type(error).__name__}: {error}"
    return ""


def _behind(raised: BaseException | None) -> Iterator[BaseException]:
    # `__context__` of an exception can lead back to itself.
    seen: set[int] = set()
    while raised is not None and id(raised) not in seen:
        seen.add(id(raised))
        yield raised
        raised = raised.__cause__ or raised.__context__
