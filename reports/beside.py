"""Files derived on request, beside a results file: scripts of cells, and curves of failing cells."""

from __future__ import annotations

from pathlib import Path
from typing import TypeVar

import msgspec

from conformance.plots.model import Curve, CurvePlace
from reports.files import replace_all
from reports.model import Matrix


class Scripts(msgspec.Struct, frozen=True):
    """The scripts of a run by cell, and when that started; why other cells have none."""

    started: str = ""
    cells: dict[str, str] = {}
    problems: dict[str, str] = {}


class Curves(msgspec.Struct, frozen=True):
    """The curves of a run, and when that started; the place of each failing cell, or why it has none."""

    started: str = ""
    curves: list[Curve] = []
    cells: dict[str, CurvePlace] = {}
    problems: dict[str, str] = {}


D = TypeVar("D", Scripts, Curves)


def beside(results: Path, kind: type) -> Path:
    """The place of what is derived: scripts of OUTPUT/results/torch.jsonl are in OUTPUT/scripts/torch.json."""
    # Not `.jsonl`: a folder is searched for results files by that name.
    return results.absolute().parent.parent / kind.__name__.lower() / f"{results.stem}.json"


def read_beside(path: Path, kind: type[D]) -> D:
    """The contents of a file; nothing where it is missing, torn or of another version."""
    try:
        return msgspec.json.decode(path.read_bytes(), type=kind)
    except (OSError, msgspec.DecodeError, UnicodeDecodeError):
        return kind()


def write_beside(results: Path, derived: Scripts | Curves) -> None:
    """Write what was derived. Raises ReportError."""
    path = beside(results, type(derived))
    replace_all(path.parent, {path.name: msgspec.json.encode(derived)})


def with_scripts(matrix: Matrix, results: Path) -> Matrix:
    """The matrix of a results file with its scripts."""
    scripts, replace = read_beside(beside(results, Scripts), Scripts), msgspec.structs.replace
    # A results file has a single engine. A run into the same folder may have left scripts of other results.
    if scripts.started != matrix.engines[0].started:
        return matrix
    texts = {cell: f"# No script: {problem}\n" for cell, problem in scripts.problems.items()} | scripts.cells
    return replace(matrix, cells=[replace(cell, script=texts.get(cell.behaviour, "")) for cell in matrix.cells])
