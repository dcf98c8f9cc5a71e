"""An exception in one line, whoever raised it."""

from __future__ import annotations

__all__ = ["said"]


def said(error: BaseException) -> str:
    """The exception's type and the first line of what it says."""
    try:
        text = str(error).strip().split("\n", 1)[0]
    except Exception:
        text = "(its message cannot be read)"
    text = text.encode("utf-8", "replace").decode()  # an engine may say what no file can hold
    return f"{type(error).__name__}: {text}" if text else type(error).__name__
