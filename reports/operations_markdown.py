"""A sweep over operations as Markdown: for each family a table of operations by engines, and what is flagged."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from itertools import groupby

from reports.aspects import aspects
from reports.markdown import code, escape, table
from reports.operations import FLAGGED
from reports.operations_data import OTHERS
from reports.operations_model import Operations, OperationsCell, OperationsVerdict
from reports.text import excerpt

__all__ = ["render"]

# Cells by operation and engine.
Cells = dict[tuple[str, str], list[OperationsCell]]

_INTRODUCTION = (
    "A number counts laws. `23 pass` says that 23 laws hold and none fails; laws that the engine cannot be asked are "
    "not counted. What fails or raises an error is listed below each table."
)


def render(found: Operations) -> str:
    """The whole page. Text from engines is escaped."""
    return "\n\n".join(_parts(found)) + "\n"


def _parts(found: Operations) -> Iterator[str]:
    cells: Cells = {}
    for cell in found.cells:
        cells.setdefault((cell.operation, cell.engine), []).append(cell)
    columns = [engine.column for engine in found.engines]
    titles = {found.laws[number].id: aspect.title for aspect in aspects(found.laws) for number in aspect.laws}
    yield "# Operations"
    yield f"Specification {escape(found.suite.version)}, revision {code(found.suite.revision)}. {_INTRODUCTION}"
    yield _counts(found)
    for family, rows in groupby(found.operations, key=lambda row: row.family):
        names = [row.name for row in rows]
        lines = [[code(name), *(_summed(cells.get((name, column), [])) for column in columns)] for name in names]
        yield f"## {escape(family or OTHERS)}"
        yield table(["operation", *map(escape, columns)], lines)
        its = [cells.get((name, column), []) for name in names for column in columns]
        flags = [line for one in its for line in _flagged(one, titles)]
        yield from ["\n".join(flags)] if flags else []


def _counts(found: Operations) -> str:
    """Cells by verdict, a line per engine."""
    counted = Counter((cell.engine, cell.verdict) for cell in found.cells)
    used = [verdict for verdict in OperationsVerdict if any(one is verdict for _, one in counted)]
    lines = [
        [
            escape(excerpt(f"{engine.column} {engine.version}")),
            *(f"{counted[engine.column, verdict]:,}" for verdict in used),
        ]
        for engine in found.engines
    ]
    return table(["engine", *(verdict.value for verdict in used)], lines)


def _summed(cells: Sequence[OperationsCell]) -> str:
    """What one engine does with one operation: `12 pass, 2 fail`; or why there is no outcome."""
    counted = Counter(cell.verdict for cell in cells)
    tried = [verdict for verdict in OperationsVerdict if verdict is OperationsVerdict.PASS or verdict in FLAGGED]
    shown = [f"{counted[verdict]} {verdict.value}" for verdict in tried if counted[verdict]]
    lacking = next((verdict.value for verdict in OperationsVerdict if counted[verdict]), "")
    return ", ".join(shown) or lacking


def _flagged(cells: Sequence[OperationsCell], titles: Mapping[str, str]) -> Iterator[str]:
    """A line for each verdict that is a flag and each cause, with what shows it: orders, modes and other aspects."""
    flags = sorted((cell for cell in cells if cell.verdict in FLAGGED), key=_kind)
    for _, alike in groupby(flags, key=_kind):
        its = list(alike)
        first, known = its[0], its[0].known
        laws = Counter(titles[cell.law] for cell in its)
        shown = ", ".join(title if count == 1 else f"{title} ({count} laws)" for title, count in laws.items())
        said = f"known, {escape(excerpt(known.title or known.reason))}" if known else escape(excerpt(first.witness))
        yield f"- {code(first.operation)} on {escape(first.engine)}: {first.verdict.value} in {escape(shown)}; {said}"


def _kind(cell: OperationsCell) -> tuple[int, str]:
    known = (cell.known.title or cell.known.reason) if cell.known else ""
    return list(OperationsVerdict).index(cell.verdict), known
