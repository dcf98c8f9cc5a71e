"""All reports of a matrix into one directory."""

from __future__ import annotations

from pathlib import Path

from reports import html, junit, markdown
from reports.files import replace_all
from reports.matrix import encode
from reports.model import Matrix

__all__ = ["write_all"]


def write_all(matrix: Matrix, directory: Path) -> list[Path]:
    """Write matrix.json, report.html, summary.md and junit.xml; gives their paths, in this order.

    All are made before any is written, and written before any is put in place. Raises ReportError, with none replaced.
    """
    contents = {
        "matrix.json": encode(matrix),
        "report.html": html.render(matrix).encode(),
        "summary.md": markdown.render(matrix).encode(),
        "junit.xml": junit.render(matrix).encode(),
    }
    replace_all(directory, contents)
    return [directory / name for name in contents]
