"""Warnings that point at the program's line, however deep in the engine they arise."""

from __future__ import annotations

import sys
import warnings
from pathlib import Path

ENGINE = str(Path(__file__).parent.parent)


def _depth() -> int:
    """Number of frames from the function that warns up to the first frame outside the engine."""
    frame, depth = sys._getframe(2), 2
    while frame.f_back is not None and frame.f_code.co_filename.startswith(ENGINE):
        frame, depth = frame.f_back, depth + 1
    return depth


def user(message: str) -> None:
    """A UserWarning at the calling program's line."""
    warnings.warn(message, UserWarning, stacklevel=_depth())


def future(message: str) -> None:
    """A FutureWarning, for what will go away, at the calling program's line."""
    warnings.warn(message, FutureWarning, stacklevel=_depth())
