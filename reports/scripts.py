"""The scripts that lie beside a results file: derived when a report is made, by a process that has the engine."""

from __future__ import annotations

from pathlib import Path

import msgspec

from reports.model import Matrix

__all__ = ["scripts_file", "with_scripts"]


class Derived(msgspec.Struct, frozen=True):
    """The script of a cell, or the reason why there is none."""

    script: str = ""
    problem: str = ""


class ScriptsFile(msgspec.Struct, frozen=True):
    """The scripts of a run, by cell; `started` says of which."""

    started: str
    cells: dict[str, Derived]


def scripts_file(results: Path) -> Path:
    """Where the scripts of a results file lie: of OUTPUT/results/torch.jsonl, in OUTPUT/scripts/torch.json."""
    return results.absolute().parent.parent / "scripts" / f"{results.stem}.json"


def with_scripts(matrix: Matrix, results: Path) -> Matrix:
    """The matrix of a results file with its scripts. Those of another run, or of no use, are left out."""
    try:
        found = msgspec.json.decode(scripts_file(results).read_bytes(), type=ScriptsFile)
    except (OSError, msgspec.DecodeError, UnicodeDecodeError):
        return matrix
    if found.started != matrix.engines[0].started:
        return matrix
    cells = [_with_script(cell, found.cells.get(cell.behaviour, Derived())) for cell in matrix.cells]
    return msgspec.structs.replace(matrix, cells=cells)


def _with_script(cell: msgspec.Struct, found: Derived) -> msgspec.Struct:
    text = found.script or (f"# No script: {found.problem}\n" if found.problem else "")
    return msgspec.structs.replace(cell, script=text)
