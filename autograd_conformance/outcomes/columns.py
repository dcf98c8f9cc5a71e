"""One column of a matrix, by the name that somebody gives it."""

from __future__ import annotations

import difflib
from pathlib import Path

import msgspec

from reports.files import ReportError
from reports.model import Matrix, MatrixEngine

__all__ = ["only"]


def only(matrix: Matrix, name: str, path: Path) -> Matrix:
    """The matrix with this column alone. Raises ReportError, naming the columns, if none or several are meant."""
    column = _named(matrix, name, path).column
    return msgspec.structs.replace(
        matrix,
        engines=[engine for engine in matrix.engines if engine.column == column],
        cells=[cell for cell in matrix.cells if cell.engine == column],
    )


def _named(matrix: Matrix, name: str, path: Path) -> MatrixEngine:
    """By the column's name, else as `spec@version`, else by the spec where it was run once."""
    for called in (
        lambda engine: engine.column,
        lambda engine: f"{engine.spec}@{engine.version}",
        lambda engine: engine.spec,
    ):
        found = [engine for engine in matrix.engines if called(engine) == name]
        if len(found) == 1:
            return found[0]
    columns = [engine.column for engine in matrix.engines]
    near = difflib.get_close_matches(name, columns, n=1)
    hint = f"did you mean {near[0]!r}?" if near else f"it has {', '.join(columns) or 'none'}"
    raise ReportError(f"{path}: has no column {name!r}; {hint}")
