"""Drafts of known failures: a line for each unexpected cell of results, for a person to add below its cause.

A draft has everything but the cause. Nothing writes it into a file, so no failure becomes a known one by running a
command.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterable
from pathlib import Path

import msgspec
from packaging.version import InvalidVersion, Version

from conformance.known_causes import LISTABLE, PARTS, CellLine
from conformance.known_failures import file_of
from conformance.results import Header, ResultRecord
from conformance.results_file import read
from conformance.verdicts import Verdict

# Characters of a message that distinguish it from others; the rest is the first to change between versions.
DISTINCTIVE = 120


class KnownFileRecord(msgspec.Struct):
    """Lines that a file of known failures lacks, by the list of a cause to which they belong."""

    file: str
    drafts: dict[str, list[CellLine]]


def drafted(results: Iterable[Path]) -> list[KnownFileRecord]:
    """The drafts, by the file of each engine. Raises ResultsError."""
    records: dict[str, KnownFileRecord] = {}
    alike: dict[tuple[str, ...], list[tuple[Header, ResultRecord]]] = {}
    # The oldest version first: its draft then holds for the later ones that behave the same.
    for file in sorted(map(read, results), key=lambda file: _version(file.header) or Version("0")):
        head = file.header
        home, part = head.known_failures or str(file_of(head.engine.name)), head.part or PARTS[0]
        records[home] = KnownFileRecord(home, {})
        for row in file.results:
            # Of programs, the rows have those of known signatures too.
            if row.verdict in LISTABLE and row.known is None and row.signature not in file.footer.known:
                place = (home, part, row.signature or row.id, row.verdict.value, _message(row))
                alike.setdefault(place, []).append((head, row))
    for (home, part, *_), rows in alike.items():
        records[home].drafts.setdefault(part, []).append(_draft(rows))
    return list(records.values())


def _message(row: ResultRecord) -> str:
    # A signature has what the message would.
    return "" if row.signature else pattern(row.message)


def _draft(rows: list[tuple[Header, ResultRecord]]) -> CellLine:
    """The line of a cell in several columns or versions, the oldest first."""
    head, row = rows[0]
    version = _version(head)
    return CellLine(
        row.signature or row.id,
        columns=tuple(dict.fromkeys(head.engine.name for head, _ in rows)),
        verdict=None if row.verdict is Verdict.FAIL or row.signature else row.verdict,
        message=_message(row) or None,
        # Without the local part, such as +cpu, which names a build: an entry is of all builds.
        versions=f">={version.public}" if version else None,
        example=row.id.partition("[")[2].rstrip("]") if row.signature else "",
    )


def pattern(message: str) -> str:
    """A regular expression for the beginning of a message, with any address in memory for those in it."""
    first = next((line for line in message.split("\n") if line.strip()), "")
    parts = re.split(r"0x[0-9a-fA-F]+", first[:DISTINCTIVE])
    # Of an empty message not the empty pattern, which would fit every message.
    return "0x[0-9a-fA-F]+".join(map(_escape, parts)) or r"^\s*$"


def _escape(text: str) -> str:
    # By way of a line end, as a dot for what cannot be printed would be escaped with the others.
    visible = "".join(letter if letter.isprintable() else "\n" for letter in text)
    # Not re.escape, which puts a backslash before every space.
    return re.sub(r"([\\.^$*+?{}\[\]()|])", r"\\\1", visible).replace("\n", ".")


def _version(head: Header) -> Version | None:
    try:
        return Version(head.engine.version)
    except InvalidVersion:
        return None


def line_of(draft: CellLine) -> str:
    """A draft as a line of the file."""
    fields = msgspec.to_builtins(draft).items()
    return f"    {{ {', '.join(f'{key} = {_toml(value)}' for key, value in fields)} }},"


def _toml(value: str | list[str]) -> str:
    """A value of TOML: a literal string where that avoids doubled backslashes, else as in JSON."""
    literal = isinstance(value, str) and "\\" in value and "'" not in value
    return f"'{value}'" if literal else json.dumps(value, ensure_ascii=False)
