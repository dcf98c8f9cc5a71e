"""Curves of the failing cells of a sweep, computed in the process of their engine (`deriving`)."""

from __future__ import annotations

from pathlib import Path

from autograd_conformance.deriving import LIMIT_S, WorkerLines, header_of
from reports.curves import CurveLine, curves_file
from reports.lines import encode_line

__all__ = ["derive_curves"]

WORKER = "autograd_conformance.curves_worker"
# A law that fails looks at more points than one that holds, and a curve at forty: seconds for each of the two.
CURVE_LIMIT_S = 2 * LIMIT_S


def derive_curves(results: Path, laws: Path, limit: float = CURVE_LIMIT_S) -> str:
    """Write the curves beside a results file. Gives the reason where none could be; else it is empty.

    A cell in which the process dies, or takes longer than the limit, has that reason in the place of a curve. Raises
    ResultsError if there are no results, and OSError if nothing can be written.
    """
    header = header_of(results)
    target = curves_file(results)
    target.parent.mkdir(parents=True, exist_ok=True)
    worker = WorkerLines(CurveLine, "curve", _without, WORKER, laws, limit)
    with target.open("wb") as stream:
        stream.write(encode_line(CurveLine(started=header.started)))
        return worker.append_all(stream, str(results), str(target))


def _without(cell: str, problem: str) -> CurveLine:
    return CurveLine(cell=cell, problem=problem)
