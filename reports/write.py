"""The files of a report: of each section, and a page of all."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from pathlib import Path

from reports import badge, cells_csv, html, junit, markdown
from reports.files import replace_all
from reports.matrix import empty, encode
from reports.model import Matrix, MatrixEngine, Section
from reports.plots import Plots

# Of a file name, in characters; file systems allow 255 bytes.
_LONGEST = 80
# The CSV and the Markdown of behaviours; all other files of a section are named after it.
_NAMES = ("cells.csv", "summary.md")


def write_all(
    sections: Mapping[Section, Matrix], directory: Path, plots: Plots | None = None, data_only: bool = False
) -> list[Path]:
    """Write the JSON of each section; unless `data_only`, its CSV and Markdown, and report.html with plots of cells.

    Of behaviours also junit.xml and badges. Returns the paths. All are made before any is written, and written before
    any is put in place. Raises ReportError, with none replaced.
    """
    # In this order the paths are returned.
    contents = {f"{section.value}.json": encode(matrix) for section, matrix in sections.items()}
    if not data_only:
        texts = dict(_texts(sections, plots))
        contents |= {name: text.encode() for name, text in texts.items()}
    replace_all(directory, contents)
    return [directory / name for name in contents]


def _texts(sections: Mapping[Section, Matrix], plots: Plots | None) -> Iterator[tuple[str, str]]:
    behaviours = sections.get(Section.BEHAVIOURS)
    first = next(iter(sections.values()))
    operations, programs = sections.get(Section.OPERATIONS), sections.get(Section.PROGRAMS)
    page = behaviours or empty(first.suite)
    yield "report.html", html.render(page, operations=operations, plots=plots, generated=programs)
    for section, matrix in sections.items():
        table, summary = _NAMES if matrix is behaviours else (f"{section.value}.csv", f"{section.value}.md")
        yield table, cells_csv.render(matrix)
        yield summary, markdown.render(matrix)
    if behaviours:
        yield "junit.xml", junit.render(behaviours)
        badges = badge.badges(behaviours)
        for name, engine in _file_names(behaviours.engines).items():
            yield f"badges/{name}.json", badges[engine.column] + "\n"


def _file_names(engines: list[MatrixEngine]) -> dict[str, MatrixEngine]:
    """A file name per column; a number distinguishes those that would have the same."""
    names: dict[str, MatrixEngine] = {}
    for engine in engines:
        plain = re.sub(r"[^A-Za-z0-9_.=,@-]+", "_", engine.column)[:_LONGEST].strip(".") or "engine"
        taken = {name.lower() for name in names}  # some file systems ignore case
        name = next(name for n in range(1, len(engines) + 2) if (name := _numbered(plain, n)).lower() not in taken)
        names[name] = engine
    return names


def _numbered(name: str, number: int) -> str:
    return name if number == 1 else f"{name}-{number}"
