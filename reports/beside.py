"""What is derived on request, and lies beside a results file: scripts and curves, a line of JSON for each cell.

A process with the engine derives them. Lines are only ever appended, so that what was derived is kept however the
process ends; a line with `started` begins what a later run wrote.
"""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import TypeVar

import msgspec

from conformance.plots.model import Curve, CurvePlace
from reports.model import Matrix

L = TypeVar("L")


def beside(results: Path, kind: str) -> Path:
    """The place of what is derived: scripts of OUTPUT/results/torch.jsonl are in OUTPUT/scripts/torch.ndjson."""
    # Not `.jsonl`: a folder is searched for results files by that name.
    return results.absolute().parent.parent / kind / f"{results.stem}.ndjson"


def encode_line(line: object) -> bytes:
    """A line of a file."""
    return msgspec.json.encode(line) + b"\n"


def read_lines(path: Path, kind: type[L]) -> Iterator[L]:
    """The lines of a file. What is missing, torn or foreign is left out."""
    try:
        lines = path.read_bytes().splitlines()
    except OSError:
        return
    decoder = msgspec.json.Decoder(kind)
    for text in lines:
        try:
            yield decoder.decode(text)
        except (msgspec.DecodeError, UnicodeDecodeError):
            continue  # torn where a process was killed, or of another version


class ScriptLine(msgspec.Struct, frozen=True, omit_defaults=True):
    """A run, by when it `started`; or a cell: its script, or the reason why there is none.

    `key` is a digest of everything that the script follows from; empty: it is to be derived again.
    """

    started: str = ""
    cell: str = ""
    key: str = ""
    script: str = ""
    problem: str = ""

    @property
    def done(self) -> bool:
        """Whether it is more than that the cell was begun."""
        return bool(self.script or self.problem)


class ScriptsFile(msgspec.Struct, frozen=True):
    """The scripts of the last run, when that started, and the last line of each cell in any run."""

    started: str
    cells: dict[str, ScriptLine]
    every: dict[str, ScriptLine]


def read_scripts(path: Path) -> ScriptsFile:
    """A file of scripts."""
    scripts = ScriptsFile("", {}, {})
    for line in read_lines(path, ScriptLine):
        if line.started:
            # Scripts of earlier runs may be used again, where their key is the same.
            scripts = ScriptsFile(line.started, {}, scripts.every)
        elif line.cell:
            scripts.cells[line.cell] = scripts.every[line.cell] = line
    return scripts


def with_scripts(matrix: Matrix, results: Path) -> Matrix:
    """The matrix of a results file with its scripts. Those of another run, or of no use, are left out."""
    file = read_scripts(beside(results, "scripts"))
    # A results file has a single engine. A run into the same folder may have left scripts of other results.
    if file.started != matrix.engines[0].started:
        return matrix
    lines = (file.cells.get(cell.behaviour, ScriptLine()) for cell in matrix.cells)
    texts = (line.script or (f"# No script: {line.problem}\n" if line.problem else "") for line in lines)
    replace = msgspec.structs.replace
    return replace(matrix, cells=[replace(cell, script=text) for cell, text in zip(matrix.cells, texts, strict=True)])


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


def read_curves(path: Path) -> CurvesFile:
    """A file of curves: those of the last run in it."""
    file = CurvesFile()
    for line in read_lines(path, CurveLine):
        if line.started:
            file = CurvesFile(line.started)
        elif line.problem:
            file.problems[line.cell] = line.problem
        elif line.place:
            file.cells[line.cell] = line.place
            if line.curve:
                file.curves[line.place] = line.curve
    return file
