"""Joining matrices of a section: columns side by side, rows once.

A column is in a single matrix, except where generated programs were shared out: their seeds are, and counts add up.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field

import msgspec

from reports.beside import Curves
from reports.files import ReportError
from reports.model import SCHEMA, Matrix, MatrixBehaviour, MatrixCell, MatrixEngine, Section
from reports.operations import described
from reports.tallies import one_per_version, sum_tallies, summed


@dataclass(frozen=True)
class PathMatrix:
    """A matrix, the path to name in messages, and the curves beside it."""

    path: str
    matrix: Matrix
    curves: Curves = field(default_factory=Curves)


def join(sources: Sequence[PathMatrix]) -> Matrix:
    """Join several matrices. Raises ReportError if they do not belong together."""
    if not sources:
        raise ReportError("no results files: give at least one, written by a run")
    _check_same_suite(sources)
    section = sources[0].matrix.section
    engines = [engine for source in sources for engine in source.matrix.engines]
    if section is Section.PROGRAMS:
        # The same engine may be in many files, each with other seeds.
        engines = one_per_version(engines)
    else:
        _check_distinct_columns(sources)
    # Of all matrices together: a second version of an engine renames the column of the first.
    columns = columns_of(engines)
    renamed = [PathMatrix(source.path, _renamed(source.matrix, columns)) for source in sources]
    rows, cells = _rows(renamed), _cells(renamed)
    if section is Section.PROGRAMS:
        rows = _new_first(rows, cells.values())
    engines = [msgspec.structs.replace(engine, column=column) for column, engine in columns.items()]
    joined = Matrix(
        SCHEMA,
        sources[0].matrix.suite,
        engines,
        rows,
        [cells[row.id, column] for row in rows for column in columns if (row.id, column) in cells],
        section,
        programs={name: text for source in sources for name, text in source.matrix.programs.items()},
        tallies=sum_tallies(
            [(source.path, tally) for source in renamed for tally in source.matrix.tallies], list(columns)
        ),
    )
    return described(joined, [row for source in sources for row in source.matrix.operations])


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
            # Spec and version name a column: the same pair twice would be a column with two outcomes.
            path, other = seen.setdefault((engine.spec, engine.version), (source.path, engine))
            if other is not engine or path != source.path:
                raise ReportError(
                    f"{source.path}: engine {engine.spec!r} {engine.version} is already in {path}; leave one of them "
                    "out"
                )


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


def _new_first(rows: list[MatrixBehaviour], cells: Iterable[MatrixCell]) -> list[MatrixBehaviour]:
    """Signatures that are no known failure on some engine, then the others, the most frequent first."""
    counts, new = Counter[str](), set()
    for cell in cells:
        counts[cell.behaviour] += sum(cell.counts.values())
        new |= {cell.behaviour} if cell.known is None else set()
    # The id comes last, so that ties do not depend on the order of the files.
    return sorted(rows, key=lambda row: (row.id not in new, -counts[row.id], row.id))


def columns_of(engines: Sequence[MatrixEngine]) -> dict[str, MatrixEngine]:
    """Engines by column: the spec, with the version where a spec was run in several versions (as a CI matrix does)."""
    times = Counter(engine.spec for engine in engines)
    return {e.spec if times[e.spec] == 1 else f"{e.spec}@{e.version}": e for e in engines}


def _renamed(matrix: Matrix, columns: dict[str, MatrixEngine]) -> Matrix:
    """The matrix with the columns that these engines have now."""
    names = {(engine.spec, engine.version): column for column, engine in columns.items()}
    now = {engine.column: names[engine.spec, engine.version] for engine in matrix.engines}
    # Most often nothing is renamed, and there may be 40,000 cells.
    if all(old == new for old, new in now.items()):
        return matrix
    replace = msgspec.structs.replace
    cells = [replace(cell, engine=now[cell.engine]) for cell in matrix.cells]
    return replace(matrix, cells=cells, tallies=[replace(tally, engine=now[tally.engine]) for tally in matrix.tallies])


def _cells(sources: Iterable[PathMatrix]) -> dict[tuple[str, str], MatrixCell]:
    """The cells by row and column."""
    cells: dict[tuple[str, str], MatrixCell] = {}
    for source in sources:
        for cell in source.matrix.cells:
            place = cell.behaviour, cell.engine
            cells[place] = summed(cells[place], cell) if place in cells else cell
    return cells
