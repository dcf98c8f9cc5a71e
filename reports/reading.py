"""Reads a results file, a matrix.json, or a folder with either, as a matrix."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

from conformance.results import read
from reports.files import ReportError
from reports.joining import PathMatrix, join
from reports.matrix import alone, load
from reports.model import Matrix
from reports.scripts import with_scripts

__all__ = ["joined"]


def joined(paths: Sequence[Path]) -> Matrix:
    """One matrix from all of them. Raises ReportError or ResultsError if one cannot be used, or they do not fit."""
    return join([source for path in paths for source in _sources(path)])


def _sources(path: Path) -> list[PathMatrix]:
    try:
        return _within(path)
    except OSError as error:
        remedy = "give a results file, a matrix.json or a folder with either"
        raise ReportError(f"{path}: {error.strerror or error}; {remedy}") from error


def _within(path: Path) -> list[PathMatrix]:
    if not path.is_dir():
        return [PathMatrix(str(path), _read(path))]
    if (path / "matrix.json").exists():
        return [PathMatrix(str(path), load(path / "matrix.json"))]
    found = sorted(path.rglob("*.jsonl"))
    if not found:
        raise ReportError(
            f"{path}: Is a directory with neither matrix.json nor results (*.jsonl); give a report's folder"
        )
    return [PathMatrix(str(one), _read(one)) for one in found]


def _read(path: Path) -> Matrix:
    return load(path) if _is_matrix(path) else with_scripts(alone(read(path)), path)


def _is_matrix(path: Path) -> bool:
    """By its first bytes, else by its name, so that the error for an invalid file fits the name it has."""
    try:
        with path.open("rb") as stream:
            head = stream.read(100)
    except OSError:
        head = b""
    if head.startswith(b'{"kind"'):
        return False
    return b"autograd-conformance/matrix/" in head or path.suffix == ".json"
