"""Printing: consoles that use colour where it is welcome, and JSON. rich and msgspec are imported when first used."""

from __future__ import annotations

import json
import os
import sys
from typing import TYPE_CHECKING, Any

from reports.text import clean

if TYPE_CHECKING:
    from rich.console import Console
    from rich.table import Table
    from rich.text import Text

# Output to a pipe is searched line by line, so no line is broken there.
WIDE = 10_000


def console(stderr: bool = False) -> Console:
    """A console on standard output or error.

    Colours are used on a terminal, or where FORCE_COLOR or CLICOLOR_FORCE asks for them (and is not 0); never where
    NO_COLOR is set. COLUMNS, which a parent process may have set, does not limit the width of a pipe.
    """
    from rich.console import Console

    stream = sys.stderr if stderr else sys.stdout
    forced = _is_set("FORCE_COLOR") or _is_set("CLICOLOR_FORCE")
    terminal = stream.isatty()
    return Console(
        stderr=stderr,
        force_terminal=terminal or forced,
        # Colours that are asked for in a pipe do not make it a place for moving bars.
        force_interactive=terminal,
        color_system=None if os.environ.get("NO_COLOR") else "auto",
        width=None if terminal else WIDE,
    )


def _is_set(name: str) -> bool:
    return os.environ.get(name, "0") not in ("", "0")


def text(content: str, style: str = "") -> Text:
    """Text from an engine, adapter or file, without anything that a terminal would act on."""
    from rich.text import Text

    return Text(clean(content), style)


def print_line(console: Console, *content: str | Text, style: str = "") -> None:
    """Print text, cleaned, in one line that is not broken in a pipe."""
    parts = [text(part, style) if isinstance(part, str) else part for part in content]
    console.print(*parts, soft_wrap=True)


def print_source(console: Console, source: str) -> None:
    """Print Python source in colours. Not as rich's panel of code, which pads lines to the width of the console."""
    from rich.syntax import Syntax

    console.print(Syntax("", "python", background_color="default").highlight(source.rstrip()), soft_wrap=True)


def table(*headings: str) -> Table:
    """An empty table with these columns; long cells are folded, never cut."""
    from rich import box
    from rich.table import Table

    empty = Table(box=box.SIMPLE_HEAD)
    for heading in headings:
        empty.add_column(heading, overflow="fold")
    return empty


def json_text(value: Any) -> str:
    """The value as indented JSON."""
    import msgspec

    try:
        return msgspec.json.format(msgspec.json.encode(value), indent=2).decode() + "\n"
    except UnicodeEncodeError:
        # A path that is no UTF-8. json escapes its bytes, so that a reader in Python gets the same path.
        return json.dumps(msgspec.to_builtins(value), indent=2) + "\n"


def print_json(value: Any) -> None:
    """Print the value as JSON on standard output."""
    print(json_text(value), end="")
