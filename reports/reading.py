"""Reads results files, matrix.json, operations.json, programs.json, or folders with them."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path

from conformance.results import PROGRAMS
from conformance.results_file import read
from reports.curves import CurvesFile, curves_of
from reports.files import ReportError
from reports.joining import PathMatrix, join
from reports.matrix import alone, load
from reports.model import Matrix
from reports.operations import join_operations, load_operations, operations_of
from reports.operations_model import Operations
from reports.programs import join_programs, load_programs, programs_of
from reports.programs_model import Programs
from reports.scripts import with_scripts

__all__ = ["Joined", "joined", "joined_parts", "swept", "tried"]

# What a folder of a report has; it is read in the place of the results.
PUBLISHED = ("matrix.json", "operations.json", "programs.json")


@dataclass(frozen=True)
class Joined:
    """What was read: behaviours, operations, programs. `curves` lay beside results of operations, by column."""

    matrix: Matrix | None = None
    operations: Operations | None = None
    programs: Programs | None = None
    curves: Mapping[str, CurvesFile] = field(default_factory=dict)


@dataclass(frozen=True)
class _Source:
    """One file: a matrix of behaviours, a sweep, with the curves that lie beside it, or campaigns of programs."""

    path: str
    content: Matrix | Operations | Programs
    curves: CurvesFile = field(default_factory=CurvesFile)


def joined_parts(paths: Sequence[Path]) -> Joined:
    """All of them, each kind apart. Raises ReportError or ResultsError if they do not fit together."""
    sources = [source for path in paths for source in _sources(path)]
    behaviours = [PathMatrix(one.path, one.content) for one in sources if isinstance(one.content, Matrix)]
    sweeps = [(one.path, one.content) for one in sources if isinstance(one.content, Operations)]
    campaigns = [(one.path, one.content) for one in sources if isinstance(one.content, Programs)]
    sweep = join_operations(sweeps) if sweeps else None
    programs = join_programs(campaigns) if campaigns else None
    matrix = join(behaviours) if behaviours or not (sweeps or campaigns) else None
    _check_one_suite(sources)
    return Joined(matrix, sweep, programs, _curves(sweep, sources))


def _check_one_suite(sources: Sequence[_Source]) -> None:
    """Raise ReportError where behaviours, operations and programs are of different versions of the suite."""
    for one in sources[1:]:
        if one.content.suite.version != sources[0].content.suite.version:
            raise ReportError(
                f"{one.path}: ran suite {one.content.suite.version}, but {sources[0].path} ran "
                f"{sources[0].content.suite.version}; run both with the same suite"
            )


def _curves(sweep: Operations | None, sources: Sequence[_Source]) -> dict[str, CurvesFile]:
    """The curves of each column: those of the run that began when the column's did."""
    found = {one.curves.started: one.curves for one in sources if one.curves.curves}
    return {one.column: found[one.started] for one in (sweep.engines if sweep else ()) if one.started in found}


def swept(paths: Sequence[Path]) -> Operations:
    """The results files of a sweep. Raises ReportError or ResultsError if one cannot be used, or they do not fit."""
    return join_operations([(str(path), operations_of(alone(read(path)))) for path in paths])


def tried(paths: Sequence[Path]) -> Programs:
    """The results files of campaigns of programs. Raises ReportError or ResultsError as `swept` does."""
    return join_programs([(str(path), programs_of(read(path))) for path in paths])


def joined(paths: Sequence[Path]) -> Matrix:
    """One matrix from the behaviours in all of them. Raises ReportError or ResultsError as `joined_parts` does."""
    found = joined_parts(paths)
    if found.matrix is None:
        what = "operations" if found.operations else "programs"
        raise ReportError(f"{paths[0]}: has {what}, and no behaviours; give a results file or a matrix.json")
    return found.matrix


def _sources(path: Path) -> list[_Source]:
    try:
        return list(_within(path))
    except OSError as error:
        remedy = "give a results file, a matrix.json, an operations.json, a programs.json or a folder with any"
        raise ReportError(f"{path}: {error.strerror or error}; {remedy}") from error


def _within(path: Path) -> Iterator[_Source]:
    if not path.is_dir():
        yield _read(path, path)
        return
    published = [path / name for name in PUBLISHED if (path / name).exists()]
    found = published or sorted(path.rglob("*.jsonl"))
    if not found:
        raise ReportError(
            f"{path}: Is a directory with neither matrix.json nor results (*.jsonl); give a report's folder"
        )
    for one in found:
        # A report's folder is named as it was given.
        yield _read(one, path if one.name == "matrix.json" else one)


def _read(path: Path, told: Path) -> _Source:
    """The file at a path, which messages call as it is `told`."""
    head = _head(path)
    if b"autograd-conformance/operations/" in head or path.name == "operations.json":
        return _Source(str(told), load_operations(path))
    if b"autograd-conformance/programs/" in head or path.name == "programs.json":
        return _Source(str(told), load_programs(path))
    if b"autograd-conformance/matrix/" in head or (path.suffix == ".json" and not head.startswith(b'{"kind"')):
        return _Source(str(told), load(path))
    file = read(path)
    if file.header.part == PROGRAMS:
        return _Source(str(told), programs_of(file))
    if file.header.part == "operations":
        return _Source(str(told), operations_of(alone(file)), curves_of(path, file.header.started))
    return _Source(str(told), with_scripts(alone(file), path))


def _head(path: Path) -> bytes:
    """The first bytes of a file, by which its kind is known; if it has none, its name tells which error fits."""
    try:
        with path.open("rb") as stream:
            return stream.read(100)
    except OSError:
        return b""
