"""Files that lie beside a results file, a line of JSON for each cell; they are only ever appended to."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import TypeVar

import msgspec

L = TypeVar("L")


def encode_line(line: object) -> bytes:
    """A line of a file."""
    return msgspec.json.encode(line) + b"\n"


def read_lines(path: Path, kind: type[L]) -> Iterator[L]:
    """The lines of a file. What is missing, torn or foreign is left out."""
    try:
        lines = path.read_bytes().splitlines()
    except OSError:
        return
    decoder = msgspec.json.Decoder(kind)
    for text in lines:
        try:
            yield decoder.decode(text)
        except (msgspec.DecodeError, UnicodeDecodeError):
            continue
