"""Curves, line by line as JSON: those of the failing cells of a results file, and those at the points of other engines.

It imports an engine, so the command line starts it as another process, and watches that.
"""

from __future__ import annotations

import argparse
import sys
from collections.abc import Iterator
from pathlib import Path

from autograd_conformance.answering import answer
from conformance import collection
from conformance.behaviour import Behaviour
from conformance.curves import Curve, CurvePlace
from conformance.declaration import declared
from conformance.engines import load, parse
from conformance.messages import format_error, printable
from conformance.operations import LAWS, TABLE
from conformance.operations.curving import PICTURED, curve, place_of
from conformance.operations.judging import Deviation
from conformance.operations.pictured import pictured
from conformance.operations.row import Operation
from conformance.protocol import Adapter
from conformance.recording_adapter import FeatureMissing, RecordingAdapter
from conformance.results import ResultRecord
from conformance.results_file import read
from conformance.trial import run
from conformance.verdicts import Verdict
from reports.curves import CurveLine, CurvesFile, read_curves

FAILED = (Verdict.FAIL, Verdict.DIFFERS)


class NoCurve(Exception):
    """There is no curve; the message says why."""


def main() -> int:
    """Do what the arguments ask for. Returns the exit status: 2 for misuse."""
    parser = argparse.ArgumentParser(prog="python -m autograd_conformance.curves_worker", description=__doc__)
    parser.add_argument("--chapters", type=Path, default=LAWS)
    parser.add_argument("results", type=Path)
    parser.add_argument("curves", type=Path)
    given = parser.parse_args()
    return answer(lambda: _every(given.results, given.chapters, read_curves(given.curves)), CurveLine())


def _every(results: Path, laws: Path, found: CurvesFile) -> Iterator[CurveLine]:
    """A line when a cell is begun, and one when its curve is there, for all that the file lacks."""
    file = read(results)
    adapter = load(parse(file.header.engine.spec))
    rows = {row.id: row for row in file.results}
    cases = {cell: one for cell, one in collection.cells(laws).items() if cell in rows and _is_pictured(rows[cell])}
    drawn = set(found.curves)
    for cell, case in cases.items():
        if cell not in found.cells and cell not in found.problems:
            for line in _of_cell(cell, *case, adapter, drawn):
                yield line
                drawn |= {line.place} if line.place else set()
    chosen = {row.partition("[")[2].rstrip("]") for row in rows}
    for place in pictured():
        name = f"{place.operation}, order {place.order}, {place.at} {place.variant} {place.step}"
        if place not in drawn and place.operation in chosen & TABLE.keys() and name not in found.problems:
            yield from _compared(name, place, adapter)


def _is_pictured(row: ResultRecord) -> bool:
    """Whether a law that compares a derivative failed; an engine that raised an error gave none."""
    return row.verdict in FAILED and not row.message.startswith("raised ") and row.id.partition("[")[0] in PICTURED


def _of_cell(
    cell: str, law: Behaviour, case: str | None, adapter: Adapter, drawn: set[CurvePlace]
) -> Iterator[CurveLine]:
    """Lines of a cell, the last with the curve at the first point at which the law is seen to fail, if it is new."""
    yield CurveLine(cell=cell)
    try:
        place = _failing(law, case, adapter)
        # The law may have taken the time of a cell: the curve has as much for itself.
        yield CurveLine(cell=cell)
        found = None if place in drawn else _curve(law.cases[str(case)][0], place, adapter)
        line = CurveLine(cell=cell, place=place, curve=found)
    except GeneratorExit:
        raise
    except BaseException as error:  # an adapter from outside may be anything, and so may what it raises here
        line = CurveLine(cell=cell, problem=_reason(error))
    yield line


def _failing(law: Behaviour, case: str | None, adapter: Adapter) -> CurvePlace:
    """The first point at which the law is seen to fail. Raises NoCurve."""
    seen = run(law, adapter, case)
    if not isinstance(seen.raised, Deviation):
        raise NoCurve(f"when it was tried again: {seen.verdict.value} {seen.message}".strip())
    places = (place_of(point, PICTURED[law.id]) for point in seen.raised.points)
    if found := next((one for one in places if one), None):
        return found
    raise NoCurve("the table does not lead to the point")


def _compared(name: str, place: CurvePlace, adapter: Adapter) -> Iterator[CurveLine]:
    """Lines of a place where another engine is wrong; none with a curve if this one does not have the operation."""
    yield CurveLine(cell=name)
    try:
        line = CurveLine(cell=name, place=place, curve=_curve(TABLE[place.operation], place, adapter))
    except FeatureMissing:
        return
    except BaseException as error:
        line = CurveLine(cell=name, problem=_reason(error))
    yield line


def _curve(operation: Operation, place: CurvePlace, adapter: Adapter) -> Curve:
    """The curve. Raises NoCurve where the table has no such place, and what the engine raises."""
    found = curve(RecordingAdapter(adapter, declared(adapter, checked=False).absent), operation, place)
    if found is None:
        raise NoCurve("the table has no such place")
    return found


def _reason(error: BaseException) -> str:
    told = str(error) if isinstance(error, (NoCurve, FeatureMissing)) else format_error(error)
    return printable(told) or "no reason is given"


if __name__ == "__main__":
    sys.exit(main())
