"""Reads results files, matrix.json, operations.json, programs.json, or folders with them."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path

from conformance.results import PROGRAMS
from conformance.results_file import read
from reports.beside import Curves, beside, read_beside, with_scripts
from reports.files import ReportError
from reports.join import PathMatrix, join
from reports.matrix import alone, load
from reports.model import Matrix, Section
from reports.programs import programs_of

# What a folder of a report has; it is read in the place of the results.
PUBLISHED = tuple(f"{section.value}.json" for section in Section)


@dataclass(frozen=True)
class Joined:
    """Sections that were read, each joined. `curves` lay beside results of operations, by column."""

    sections: Mapping[Section, Matrix]
    curves: Mapping[str, Curves] = field(default_factory=dict)


def joined_sections(paths: Sequence[Path]) -> Joined:
    """All of them, each section apart. Raises ReportError or ResultsError if they do not fit together."""
    sources = [source for path in paths for source in _sources(path)]
    _check_one_suite(sources)
    by_section: dict[Section, list[PathMatrix]] = {}
    for source in sources:
        by_section.setdefault(source.matrix.section, []).append(source)
    if not by_section:
        join([])  # for its error alone
    # In the order of sections, not of paths: `diff` compares the first that both sides have.
    sections = {section: join(by_section[section]) for section in Section if section in by_section}
    return Joined(sections, _curves(sections.get(Section.OPERATIONS), sources))


def _check_one_suite(sources: Sequence[PathMatrix]) -> None:
    """Raise ReportError where sections are of different versions of the suite."""
    for source in sources[1:]:
        mine, other = sources[0].matrix, source.matrix
        if other.section is not mine.section and other.suite.version != mine.suite.version:
            raise ReportError(
                f"{source.path}: ran suite {other.suite.version}, but {sources[0].path} ran {mine.suite.version}; "
                "run both with the same suite"
            )


def _curves(sweep: Matrix | None, sources: Sequence[PathMatrix]) -> dict[str, Curves]:
    """The curves of each column: those of the run that began when the column's did.

    A run into the same folder may have left curves of other results.
    """
    curves = {source.curves.started: source.curves for source in sources if source.curves.curves}
    engines = sweep.engines if sweep else []
    return {engine.column: curves[engine.started] for engine in engines if engine.started in curves}


def _sources(path: Path) -> list[PathMatrix]:
    try:
        return list(_within(path))
    except OSError as error:
        remedy = "give a results file, a matrix.json, an operations.json, a programs.json or a folder with any"
        raise ReportError(f"{path}: {error.strerror or error}; {remedy}") from error


def _within(path: Path) -> Iterator[PathMatrix]:
    if not path.is_dir():
        yield _read(path, path)
        return
    # A run leaves both in its folder, and the same cells must not be read twice: results, as scripts and pictures lie
    # beside these. Sorted: columns in the same order on every file system.
    run = sorted((path / "results").glob("*.jsonl"))
    published = [path / name for name in PUBLISHED if (path / name).exists()]
    files = run or published or sorted(path.rglob("*.jsonl"))
    if not files:
        raise ReportError(
            f"{path}: Is a directory with neither matrix.json nor results (*.jsonl); give a report's folder"
        )
    for file in files:
        # A report's folder is named as it was given.
        yield _read(file, path if file.name == "matrix.json" else file)


def _read(path: Path, name: Path) -> PathMatrix:
    """The file at a path, by the name that messages have for it."""
    if path.suffix == ".json":
        return PathMatrix(str(name), load(path))
    file = read(path)
    matrix = programs_of(file) if file.header.part == PROGRAMS else alone(file)
    if matrix.section is Section.BEHAVIOURS:
        matrix = with_scripts(matrix, path)
    return PathMatrix(str(name), matrix, read_beside(beside(path, Curves), Curves))
