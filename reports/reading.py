"""Reads results files, matrix.json, operations.json, or folders with them: behaviours as a matrix, and sweeps."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path

from conformance.results import read
from reports.files import ReportError
from reports.joining import PathMatrix, join
from reports.matrix import alone, load
from reports.model import Matrix
from reports.operations import join_operations, load_operations, operations_of
from reports.operations_model import Operations
from reports.scripts import with_scripts

__all__ = ["Joined", "joined", "joined_parts", "swept"]

# What a folder of a report has; it is read in the place of the results.
PUBLISHED = ("matrix.json", "operations.json")


@dataclass(frozen=True)
class Joined:
    """What was read: behaviours, operations, or both."""

    matrix: Matrix | None = None
    operations: Operations | None = None


@dataclass(frozen=True)
class _Source:
    """One file: a matrix of behaviours, or a sweep."""

    path: str
    content: Matrix | Operations


def joined_parts(paths: Sequence[Path]) -> Joined:
    """All of them, behaviours and operations apart. Raises ReportError or ResultsError if they do not fit together."""
    sources = [source for path in paths for source in _sources(path)]
    behaviours = [PathMatrix(one.path, one.content) for one in sources if isinstance(one.content, Matrix)]
    sweeps = [(one.path, one.content) for one in sources if isinstance(one.content, Operations)]
    found = Joined(
        join(behaviours) if behaviours or not sweeps else None,
        join_operations(sweeps) if sweeps else None,
    )
    if found.matrix and found.operations and found.matrix.suite.version != found.operations.suite.version:
        raise ReportError(
            f"{sweeps[0][0]}: ran suite {found.operations.suite.version}, but {behaviours[0].path} ran "
            f"{found.matrix.suite.version}; run both with the same suite"
        )
    return found


def swept(paths: Sequence[Path]) -> Operations:
    """The results files of a sweep. Raises ReportError or ResultsError if one cannot be used, or they do not fit."""
    return join_operations([(str(path), operations_of(alone(read(path)))) for path in paths])


def joined(paths: Sequence[Path]) -> Matrix:
    """One matrix from the behaviours in all of them. Raises ReportError or ResultsError as `joined_parts` does."""
    found = joined_parts(paths)
    if found.matrix is None:
        raise ReportError(f"{paths[0]}: has operations, and no behaviours; give a results file or a matrix.json")
    return found.matrix


def _sources(path: Path) -> list[_Source]:
    try:
        return list(_within(path))
    except OSError as error:
        remedy = "give a results file, a matrix.json, an operations.json or a folder with any"
        raise ReportError(f"{path}: {error.strerror or error}; {remedy}") from error


def _within(path: Path) -> Iterator[_Source]:
    if not path.is_dir():
        yield _Source(str(path), _read(path))
        return
    published = [path / name for name in PUBLISHED if (path / name).exists()]
    found = published or sorted(path.rglob("*.jsonl"))
    if not found:
        raise ReportError(
            f"{path}: Is a directory with neither matrix.json nor results (*.jsonl); give a report's folder"
        )
    for one in found:
        # A report's folder is named as it was given.
        yield _Source(str(path if one.name == "matrix.json" else one), _read(one))


def _read(path: Path) -> Matrix | Operations:
    head = _head(path)
    if b"autograd-conformance/operations/" in head or path.name == "operations.json":
        return load_operations(path)
    if b"autograd-conformance/matrix/" in head or (path.suffix == ".json" and not head.startswith(b'{"kind"')):
        return load(path)
    file = read(path)
    matrix = with_scripts(alone(file), path)
    return operations_of(matrix) if file.header.part == "operations" else matrix


def _head(path: Path) -> bytes:
    """The first bytes of a file, by which its kind is known; if it has none, its name tells which error fits."""
    try:
        with path.open("rb") as stream:
            return stream.read(100)
    except OSError:
        return b""
