"""Matrices into one: columns side by side, rows once. Raises ReportError for matrices that do not belong together."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import dataclass

import msgspec

from reports.files import ReportError
from reports.model import SCHEMA, Matrix, MatrixBehaviour, MatrixCell, MatrixEngine

__all__ = ["PathMatrix", "columns_of", "join"]


@dataclass(frozen=True)
class PathMatrix:
    """A matrix, and the path to name in messages."""

    path: str
    matrix: Matrix


def join(sources: Sequence[PathMatrix]) -> Matrix:
    """One matrix from several. Raises ReportError if they do not belong together."""
    if not sources:
        raise ReportError("no results files: give at least one, written by a run")
    _check_same_suite(sources)
    _check_distinct_columns(sources)
    rows = _rows(sources)
    columns = columns_of([engine for source in sources for engine in source.matrix.engines])
    found = _cells(sources, columns)
    cells = [found[row.id, column] for row in rows for column in columns if (row.id, column) in found]
    engines = [msgspec.structs.replace(engine, column=column) for column, engine in columns.items()]
    return Matrix(SCHEMA, sources[0].matrix.suite, engines, rows, cells)


def _check_same_suite(sources: Sequence[PathMatrix]) -> None:
    first = sources[0]
    for source in sources[1:]:
        mine, other = first.matrix.suite, source.matrix.suite
        if mine != other:
            raise ReportError(
                f"{source.path}: ran suite {other.version} ({other.revision}), but {first.path} ran {mine.version} "
                f"({mine.revision}); run both with the same suite"
            )


def _check_distinct_columns(sources: Iterable[PathMatrix]) -> None:
    seen: dict[tuple[str, str], tuple[str, MatrixEngine]] = {}
    for source in sources:
        for engine in source.matrix.engines:
            # Spec and version name a column: the same pair twice would be one column with two outcomes.
            path, other = seen.setdefault((engine.spec, engine.version), (source.path, engine))
            if other is not engine or path != source.path:
                raise ReportError(
                    f"{source.path}: engine {engine.spec!r} {engine.version}{_here(engine, other)} is already in "
                    f"{path}{_here(other, engine)}; leave one of them out"
                )


def _here(engine: MatrixEngine, other: MatrixEngine) -> str:
    """What tells two runs of one engine apart: where they ran, if that is it; a column has no name for that."""
    return f" (on {_place(engine)})" if _place(engine) != _place(other) else ""


def _place(engine: MatrixEngine) -> str:
    return f"{engine.platform} with Python {engine.python}"


def _rows(sources: Iterable[PathMatrix]) -> list[MatrixBehaviour]:
    # Of the same suite, so the same id is the same claim; anything else was edited.
    rows: dict[str, MatrixBehaviour] = {}
    for source in sources:
        for row in source.matrix.behaviours:
            if rows.setdefault(row.id, row) != row:
                raise ReportError(
                    f"{source.path}: describes behaviour {row.id!r} differently than the files before it, of the same "
                    "suite; was a file edited? Run the engine again"
                )
    return list(rows.values())


def columns_of(engines: Sequence[MatrixEngine]) -> dict[str, MatrixEngine]:
    """Engines by column: the spec, with the version where a spec was run in several versions (as a CI matrix does)."""
    times = Counter(engine.spec for engine in engines)
    return {e.spec if times[e.spec] == 1 else f"{e.spec}@{e.version}": e for e in engines}


def _cells(sources: Iterable[PathMatrix], columns: dict[str, MatrixEngine]) -> dict[tuple[str, str], MatrixCell]:
    """The cells by row and column, with columns renamed."""
    names = {(engine.spec, engine.version): column for column, engine in columns.items()}
    found: dict[tuple[str, str], MatrixCell] = {}
    for source in sources:
        now = {engine.column: names[engine.spec, engine.version] for engine in source.matrix.engines}
        for cell in source.matrix.cells:
            column = now[cell.engine]
            found[cell.behaviour, column] = msgspec.structs.replace(cell, engine=column)
    return found
