"""The table of contents, read from contents.toml: the chapters of the suite in teaching order, in groups."""

from __future__ import annotations

from functools import cache
from importlib.resources import files
from typing import Any

import msgspec

from conformance.sources import read_table


@cache
def _places() -> dict[str, tuple[int, str]]:
    """Of each chapter its place in the contents, and its group."""
    pairs = ((group, chapter) for group, its in read_table("contents.toml").items() for chapter in its)
    return {chapter: (place, group) for place, (group, chapter) in enumerate(pairs)}


def group_of(chapter: str) -> str:
    """The group of a chapter; empty for a chapter from outside."""
    return _places().get(chapter, (0, ""))[1]


def place_of(chapter: str) -> tuple[int, str]:
    """The sort key of a chapter: the contents in their order, then others by name."""
    return _places().get(chapter, (len(_places()), ""))[0], chapter


def recorded_by_id(package: str, kind: Any) -> dict[str, Any]:
    """The records of a package that has a JSON file for each chapter, by the ids that they are about."""
    records: dict[str, Any] = {}
    for file in sorted(files(package).iterdir(), key=lambda file: file.name):
        chapter, dot, ending = file.name.partition(".")
        if ending == "json":
            its = msgspec.json.decode(file.read_bytes(), type=dict[str, kind])
            records |= {f"{chapter}{dot}{name}": record for name, record in its.items()}
    return records
