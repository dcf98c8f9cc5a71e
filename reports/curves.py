"""The curves that lie beside a results file, which a process with the engine computes on request."""

from __future__ import annotations

from pathlib import Path

import msgspec

from conformance.plots.model import Curve, CurvePlace
from reports.jsonl import read_lines


class CurveLine(msgspec.Struct, frozen=True, omit_defaults=True):
    """A run, by when it `started`; or a cell: the place of its plot, or the reason why there is none.

    Of cells with one place the first has the curve. A curve at a place where this engine has no failing cell, for
    comparison, has the place's name in the place of a cell.
    """

    started: str = ""
    cell: str = ""
    place: CurvePlace | None = None
    curve: Curve | None = None
    problem: str = ""

    @property
    def done(self) -> bool:
        """Whether there is a place, or a reason why not."""
        return bool(self.place or self.problem)


class CurvesFile(msgspec.Struct):
    """The curves of a run, when that started, the place of each cell, and why others have none."""

    started: str = ""
    curves: dict[CurvePlace, Curve] = {}
    cells: dict[str, CurvePlace] = {}
    problems: dict[str, str] = {}


def curves_file(results: Path) -> Path:
    """Where the curves of a results file lie: of OUTPUT/results/torch.jsonl, in OUTPUT/curves/torch.ndjson."""
    return results.absolute().parent.parent / "curves" / f"{results.stem}.ndjson"


def read_curves(path: Path) -> CurvesFile:
    """A file of curves: those of the last run in it. What is missing, torn or foreign is left out."""
    file = CurvesFile()
    for line in read_lines(path, CurveLine):
        # Lines are only appended: a header begins what a later run wrote.
        if line.started:
            file = CurvesFile(line.started)
        elif line.problem:
            file.problems[line.cell] = line.problem
        elif line.place:
            file.cells[line.cell] = line.place
            if line.curve:
                file.curves[line.place] = line.curve
    return file


def curves_of(results: Path, started: str) -> CurvesFile:
    """The curves of a results file whose run started then; none, if those that lie beside it are of another run."""
    file = read_curves(curves_file(results))
    # A run into the same folder may have left curves of other results.
    return file if file.started == started else CurvesFile(started)
