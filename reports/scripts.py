"""The scripts that lie beside a results file, which a process with the engine derives on request.

The file has a line for each run, and after it a line for each cell. Lines are only ever appended, so that a script is
kept however the process ends; those of earlier runs are kept until a later run is complete.
"""

from __future__ import annotations

from pathlib import Path

import msgspec

from reports.jsonl import read_lines
from reports.model import Matrix, MatrixCell


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
    """The cells of the last run in the file, when that started, and the last line of each cell in the whole file."""

    started: str
    cells: dict[str, ScriptLine]
    every: dict[str, ScriptLine]


def scripts_file(results: Path) -> Path:
    """Where the scripts of a results file lie: of OUTPUT/results/torch.jsonl, in OUTPUT/scripts/torch.ndjson."""
    # Not `.jsonl`: a folder is searched for results files by that name.
    return results.absolute().parent.parent / "scripts" / f"{results.stem}.ndjson"


def read_scripts(path: Path) -> ScriptsFile:
    """A file of scripts. What is missing, torn or foreign is left out."""
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
    scripts = read_scripts(scripts_file(results))
    if scripts.started != matrix.engines[0].started:
        return matrix
    cells = [_with_script(cell, scripts.cells.get(cell.behaviour, ScriptLine())) for cell in matrix.cells]
    return msgspec.structs.replace(matrix, cells=cells)


def _with_script(cell: MatrixCell, scripts: ScriptLine) -> MatrixCell:
    text = scripts.script or (f"# No script: {scripts.problem}\n" if scripts.problem else "")
    return msgspec.structs.replace(cell, script=text)
