"""All reports of a matrix into one directory."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from enum import Enum
from pathlib import Path

import msgspec

from reports import badge, html, junit, markdown, operations_markdown, operations_table, programs_text, table
from reports.files import replace_all
from reports.matrix import empty, encode
from reports.model import Matrix, MatrixEngine
from reports.operations_model import Operations
from reports.plots import Plots
from reports.programs_model import Programs

__all__ = ["OperationsFiles", "write_all", "write_operations", "write_programs"]

# Of a file name, in characters; file systems allow 255 bytes.
_LONGEST = 80


def write_all(
    matrix: Matrix,
    directory: Path,
    found: Operations | None = None,
    plots: Plots | None = None,
    programs: Programs | None = None,
) -> list[Path]:
    """Write matrix.json, report.html, summary.md, junit.xml, cells.csv and badges; gives their paths, in this order.

    With a sweep over operations also its files, and its part of the page, with plots of its cells; with programs
    their files. All are made before any is written, and written before any is put in place. Raises ReportError, with
    none replaced.
    """
    texts = {
        "report.html": html.render(matrix, operations=found, plots=plots, tried=programs),
        "summary.md": markdown.render(matrix),
        "junit.xml": junit.render(matrix),
        "cells.csv": table.render(matrix),
        **dict(_badges(matrix)),
    }
    contents = {"matrix.json": encode(matrix)} | {name: page.encode() for name, page in texts.items()}
    contents |= _operations(found, OperationsFiles.USUAL) if found else {}
    return _written(directory, contents | (_programs(programs, False) if programs else {}))


class OperationsFiles(Enum):
    """Which files of a sweep are written."""

    DATA = 1  # operations.json
    USUAL = 2  # operations.csv and operations.md too
    WITH_PAGE = 3  # and a report.html of operations alone


def write_operations(
    found: Operations, directory: Path, wanted: OperationsFiles, plots: Plots | None = None
) -> list[Path]:
    """Write the files of a sweep; gives their paths, operations.json first. Raises ReportError, with none replaced.

    The page, where it is wanted, has the plots of cells.
    """
    contents = _operations(found, wanted)
    if wanted is OperationsFiles.WITH_PAGE:
        contents["report.html"] = html.render(empty(found.suite), operations=found, plots=plots).encode()
    return _written(directory, contents)


def _operations(found: Operations, wanted: OperationsFiles) -> dict[str, bytes]:
    contents = {"operations.json": msgspec.json.encode(found)}
    if wanted is OperationsFiles.DATA:
        return contents
    texts = {"operations.csv": operations_table.render(found), "operations.md": operations_markdown.render(found)}
    return contents | {name: text.encode() for name, text in texts.items()}


def write_programs(found: Programs, directory: Path, data_only: bool = False) -> list[Path]:
    """Write programs.json, programs.csv, programs.md and a report.html of programs alone; gives their paths.

    Raises ReportError, with none replaced.
    """
    contents = _programs(found, data_only)
    if not data_only:
        contents["report.html"] = html.render(empty(found.suite), tried=found).encode()
    return _written(directory, contents)


def _programs(found: Programs, data_only: bool) -> dict[str, bytes]:
    contents = {"programs.json": msgspec.json.encode(found)}
    if data_only:
        return contents
    texts = {"programs.csv": programs_text.csv_of(found), "programs.md": programs_text.markdown_of(found)}
    return contents | {name: text.encode() for name, text in texts.items()}


def _written(directory: Path, contents: Mapping[str, bytes]) -> list[Path]:
    replace_all(directory, contents)
    return [directory / name for name in contents]


def _badges(matrix: Matrix) -> Iterator[tuple[str, str]]:
    its = badge.badges(matrix)
    for name, engine in _file_names(matrix.engines).items():
        yield f"badges/{name}.json", badge.endpoint(its[engine.column])
        yield f"badges/{name}.svg", badge.svg(its[engine.column])


def _file_names(engines: list[MatrixEngine]) -> dict[str, MatrixEngine]:
    """A file name per column; a number tells apart those that would have the same."""
    names: dict[str, MatrixEngine] = {}
    for engine in engines:
        plain = re.sub(r"[^A-Za-z0-9_.=,@-]+", "_", engine.column)[:_LONGEST].strip(".") or "engine"
        taken = {name.lower() for name in names}  # some file systems ignore case
        name = next(name for n in range(1, len(engines) + 2) if (name := _numbered(plain, n)).lower() not in taken)
        names[name] = engine
    return names


def _numbered(name: str, number: int) -> str:
    return name if number == 1 else f"{name}-{number}"
