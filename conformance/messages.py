"""Texts of engines, adapters and exceptions, made safe for a line of a results file and for any terminal."""

from __future__ import annotations

import re

# Characters: a results file has a thousand messages, each of which is read as a whole.
LONGEST = 10_000
# Addresses of objects differ from run to run: with them, no two runs would be equal.
_ADDRESS = re.compile(r"\b0x[0-9a-f]{6,}\b")


class InputError(Exception):
    """Input of the caller, or a file that it names, that cannot be used; the message is a line."""


def format_error(error: BaseException) -> str:
    """The exception's type and the first line of its message."""
    name, text = type(error).__name__, first_line(error)
    return printable(f"{name}: {text}" if text else name)


def first_line(error: BaseException) -> str:
    """The first line of an exception's message."""
    try:
        return str(error).strip().split("\n", 1)[0]
    except Exception:  # __str__ of an engine's exception is an engine's code
        return "(its message cannot be read)"


def printable(text: str, limit: int = LONGEST) -> str:
    """The text with what a terminal would act on, or no file can hold, spelled out; a long text is cut, with a note."""
    text = _ADDRESS.sub("0x...", text)
    if len(text) > limit:
        text = f"{text[:limit]} [... {len(text) - limit:,} of {len(text):,} characters left out]"
    return "".join(c if c.isprintable() or c == "\n" else c.encode("unicode_escape").decode() for c in text)
