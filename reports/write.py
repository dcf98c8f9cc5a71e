"""All reports of a matrix into one directory."""

from __future__ import annotations

import re
from collections.abc import Iterator
from pathlib import Path

from reports import badge, html, junit, markdown, table
from reports.files import replace_all
from reports.matrix import encode
from reports.model import Matrix, MatrixEngine

__all__ = ["write_all"]

# Of a file name, in characters; file systems allow 255 bytes.
_LONGEST = 80


def write_all(matrix: Matrix, directory: Path) -> list[Path]:
    """Write matrix.json, report.html, summary.md, junit.xml, cells.csv and badges; gives their paths, in this order.

    All are made before any is written, and written before any is put in place. Raises ReportError, with none replaced.
    """
    texts = {
        "report.html": html.render(matrix),
        "summary.md": markdown.render(matrix),
        "junit.xml": junit.render(matrix),
        "cells.csv": table.render(matrix),
        **dict(_badges(matrix)),
    }
    contents = {"matrix.json": encode(matrix)} | {name: page.encode() for name, page in texts.items()}
    replace_all(directory, contents)
    return [directory / name for name in contents]


def _badges(matrix: Matrix) -> Iterator[tuple[str, str]]:
    its = badge.badges(matrix)
    for name, engine in _file_names(matrix.engines).items():
        yield f"badges/{name}.json", badge.endpoint(its[engine.column])
        yield f"badges/{name}.svg", badge.svg(its[engine.column])


def _file_names(engines: list[MatrixEngine]) -> dict[str, MatrixEngine]:
    """A file name per column; a number tells apart those that would have the same."""
    names: dict[str, MatrixEngine] = {}
    for engine in engines:
        plain = re.sub(r"[^A-Za-z0-9_.=,@-]+", "_", engine.column)[:_LONGEST].strip(".") or "engine"
        taken = {name.lower() for name in names}  # some file systems ignore case
        name = next(name for n in range(1, len(engines) + 2) if (name := _numbered(plain, n)).lower() not in taken)
        names[name] = engine
    return names


def _numbered(name: str, number: int) -> str:
    return name if number == 1 else f"{name}-{number}"
