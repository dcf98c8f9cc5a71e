"""Writes docs/specification-index.md. With --settle, marks as existing what was written."""

from __future__ import annotations

import sys
from collections import defaultdict
from collections.abc import Iterable, Iterator
from pathlib import Path

from conformance import collecting
from conformance.behaviour import Behaviour
from workshop import accounts
from workshop.accounts import Entry

INDEX = Path(__file__).parents[2] / "docs" / "specification-index.md"
HEAD = """# Index of the specification

Written from the accounts in `workshop/accounts`: for each behaviour the entries that it carries, each a binding
statement of a documentation. A behaviour without an entry goes beyond them.
"""


def index(behaviours: Iterable[Behaviour], entries: Iterable[Entry]) -> str:
    """The page, chapter by chapter."""
    entries = list(entries)
    statements = {behaviour.id: behaviour.statement for behaviour in behaviours}
    carried = _carried(entries)
    chapters = defaultdict(list)
    for name in sorted({*statements, *carried}):
        chapters[accounts.chapter_of(name)].append(_line(name, statements.get(name), carried.get(name, [])))
    sections = [f"## {chapter}\n\n" + "\n".join(lines) for chapter, lines in chapters.items()]
    return "\n".join([HEAD, *(section + "\n" for section in sections), *_left_out(entries)])


def _carried(entries: Iterable[Entry]) -> dict[str, list[Entry]]:
    """The entries that each behaviour carries; a case counts for its behaviour."""
    carried = defaultdict(list)
    for entry in entries:
        for name in dict.fromkeys(cell.partition("[")[0] for cell in entry.behaviours):
            carried[name].append(entry)
    return carried


def _line(name: str, statement: str | None, entries: list[Entry]) -> str:
    named = ", ".join(f"{entry.account} `{entry.id}`" for entry in entries)
    return f"- `{name}`: {statement or '*(planned)*'}" + (f"<br>{named}" if named else "")


def _left_out(entries: Iterable[Entry]) -> Iterator[str]:
    yield "## Left out\n"
    yield from (f"- {entry.account} `{entry.id}`: {entry.claim} ({entry.reason})" for entry in entries if entry.reason)
    yield ""


def settled(text: str, written: set[str]) -> str:
    """An account's text, in which every planned entry whose behaviours are all `written` is marked as existing."""
    head, *items = text.split("\n- id: ")
    return "\n- id: ".join([head, *(_settle(item, written) for item in items)])


def _settle(item: str, written: set[str]) -> str:
    (parsed,) = accounts.parse("x", f"- id: {item}")
    done = set(parsed.behaviours) <= written
    return item.replace("\n  status: planned", "\n  status: existing") if done else item


def main(arguments: list[str]) -> None:
    """Write the index; with --settle, the accounts first."""
    behaviours = collecting.load_all()
    if "--settle" in arguments:
        written = accounts.cells(behaviours)
        for path in accounts.FOLDER.glob("*.yaml"):
            path.write_text(settled(path.read_text("utf-8"), written), "utf-8")
    INDEX.write_text(index(behaviours, accounts.load_all()), "utf-8")


if __name__ == "__main__":
    main(sys.argv[1:])
