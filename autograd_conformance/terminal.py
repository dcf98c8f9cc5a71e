"""Where commands print: consoles that know when colours are welcome, and JSON."""

from __future__ import annotations

import os
import sys
from typing import Any

import msgspec
from rich.console import Console
from rich.text import Text

from reports.text import clean

__all__ = ["console", "json_text", "print_json", "text"]

# Nobody reads a pipe by columns, and a line that is not broken can be searched.
WIDE = 10_000


def console(stderr: bool = False) -> Console:
    """A console on standard output or error.

    Colours are used on a terminal, or where FORCE_COLOR or CLICOLOR_FORCE asks for them (and is not 0); never where
    NO_COLOR is set. What is no terminal is as wide as it takes, whatever COLUMNS says: a parent may have left that.
    """
    stream = sys.stderr if stderr else sys.stdout
    forced = _asked("FORCE_COLOR") or _asked("CLICOLOR_FORCE")
    terminal = stream.isatty()
    return Console(
        stderr=stderr,
        force_terminal=terminal or forced,
        force_interactive=terminal,
        color_system=None if os.environ.get("NO_COLOR") else "auto",
        width=None if terminal else WIDE,
    )


def _asked(name: str) -> bool:
    return os.environ.get(name, "0") not in ("", "0")


def text(said: str, style: str = "") -> Text:
    """Text from outside, in which a terminal finds nothing to act on."""
    return Text(clean(said), style)


def json_text(value: Any) -> str:
    """The value as indented JSON."""
    return msgspec.json.format(msgspec.json.encode(value), indent=2).decode() + "\n"


def print_json(value: Any) -> None:
    """The value as JSON on standard output."""
    print(json_text(value), end="")
