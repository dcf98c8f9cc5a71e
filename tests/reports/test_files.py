"""matrix.json and its schema; files that are wrong; directories that cannot be written."""

from __future__ import annotations

import json
import os
from pathlib import Path
from typing import Any

import jsonschema
import pytest

import reports
from reports import matrix as matrices
from reports.files import ReportError
from reports.model import Section
from reports.write import write_all
from tests.reports.making import FAIL, six_cells, with_cell
from tests.reports.making_operations import sweep
from tests.reports.making_programs import campaigns
from workshop.schemas import matrix_schema

SCHEMA_FILE = Path(reports.__file__).with_name("matrix.schema.json")
SIX = {Section.BEHAVIOURS: six_cells()}
NAMES = [
    *("matrix.json", "report.html", "cells.csv", "summary.md", "junit.xml"),
    *(f"badges/{engine}.json" for engine in ("torch", "jax_jit")),
]
# What is published of each section.
WRITTEN = {
    Section.BEHAVIOURS: (six_cells(), NAMES),
    Section.OPERATIONS: (sweep(), ["operations.json", "report.html", "operations.csv", "operations.md"]),
    Section.PROGRAMS: (campaigns(), ["programs.json", "report.html", "programs.csv", "programs.md"]),
}


@pytest.fixture
def tables() -> dict[str, Any]:
    """The six cells, as a reader of the JSON has them."""
    read: dict[str, Any] = json.loads(matrices.encode(six_cells()))
    return read


def is_valid(tables: object) -> bool:
    """Whether the published schema takes it."""
    return bool(jsonschema.Draft202012Validator(json.loads(SCHEMA_FILE.read_text())).is_valid(tables))


def error_of(path: Path) -> str:
    """The error of `load`, which must be a single line that begins with the culprit."""
    with pytest.raises(ReportError) as caught:
        matrices.load(path)
    text = str(caught.value)
    assert "\n" not in text
    assert text.startswith(f"{path}: ")
    return text


def test_every_field_of_the_schema_is_described() -> None:
    """A reader of the JSON needs no other page."""
    definitions = json.loads(matrix_schema())["$defs"]
    # Those of a program's report are described as a whole.
    published = definitions.keys() - {"ProgramReport", "OracleOutcome"}
    for name, part in ((name, definitions[name]) for name in published):
        for field, about in part.get("properties", {}).items():
            pointed = definitions.get(about.get("$ref", "").rpartition("/")[2], {})
            assert about.get("description") or about.get("anyOf") or pointed.get("description"), f"{name}.{field}"


@pytest.mark.parametrize(
    ("part", "field", "value"),
    [
        ("cells", "verdict", "passed"),
        ("cells", "duration_s", -1),
        ("cells", "known", {}),
        ("cells", "extra", 1),
        ("behaviours", "level", "shall"),
        ("behaviours", "citations", [{"source": "torch"}]),
        ("engines", "sources", ["torch"]),
        ("engines", "version", None),
    ],
)
def test_a_broken_matrix_is_not_valid_and_not_loaded(
    tables: dict[str, Any], tmp_path: Path, part: str, field: str, value: object
) -> None:
    """Schema and reader agree on what is wrong."""
    tables[part][0][field] = value
    (tmp_path / "matrix.json").write_text(json.dumps(tables))
    assert not is_valid(tables)
    assert "is not a valid matrix" in error_of(tmp_path / "matrix.json")


@pytest.mark.parametrize("field", ["schema", "suite", "engines", "behaviours", "cells"])
def test_a_matrix_without_a_part_is_not_valid(tables: dict[str, Any], field: str) -> None:
    """Nothing has a default."""
    del tables[field]
    assert not is_valid(tables)


@pytest.mark.parametrize(
    ("content", "reason"),
    [
        (b"", "is empty or cut short"),
        (b'{"schema": "autograd-conformance/matrix/2", "sui', "is empty or cut short"),
        # Ends like JSON: the end shows that a file was cut short.
        (b"<html></html>}", "is not JSON"),
        (b"\xff\xfe\x00", "is not JSON"),
        (b'{"schema": "\xff"}', "is not JSON"),
        (b'{"x":' + b"[" * 100_000 + b"]" * 100_000 + b"}", "is not JSON: maximum recursion depth"),
        (b'{"kind":"header","schema":"x"}\n{"kind":"footer"}\n', "is the results file of one engine"),
        (b'{"schema": "autograd-conformance/matrix/9"}', "has schema 'autograd-conformance/matrix/9', expected"),
        (b"{}", "has schema None, expected"),
        (b"[]", "is not a valid matrix"),
    ],
)
def test_a_file_that_is_no_matrix_is_rejected_in_one_line(tmp_path: Path, content: bytes, reason: str) -> None:
    """The line has the file, the fault and a remedy."""
    (tmp_path / "matrix.json").write_bytes(content)
    assert reason in error_of(tmp_path / "matrix.json")


def test_a_missing_file_and_a_directory_are_rejected_in_one_line(tmp_path: Path) -> None:
    """So are paths that lead nowhere."""
    assert "No such file" in error_of(tmp_path / "matrix.json")
    assert "Is a directory" in error_of(tmp_path)


def test_a_cell_without_row_or_column_is_rejected(tables: dict[str, Any], tmp_path: Path) -> None:
    """The schema cannot say that a cell needs its row and column; loading does."""
    path = tmp_path / "matrix.json"
    # Valid by the schema in either case.
    path.write_text(json.dumps({**tables, "behaviours": []}))
    assert "has no row or no column" in error_of(path)
    path.write_text(json.dumps({**tables, "cells": tables["cells"] + tables["cells"][:1]}))
    assert "appears twice" in error_of(path)


def files_in(folder: Path) -> list[str]:
    """The files below a folder."""
    return sorted(path.relative_to(folder).as_posix() for path in folder.rglob("*") if path.is_file())


@pytest.mark.parametrize("section", WRITTEN, ids=lambda section: section.value)
def test_a_section_is_written_valid_and_read_back(section: Section, tmp_path: Path) -> None:
    """Its files and nothing else, in a directory that is made, as readable as others made here; the first is valid."""
    matrix, names = WRITTEN[section]
    paths = write_all({section: matrix}, tmp_path / "new")
    assert files_in(tmp_path / "new") == sorted(names)
    assert [path.relative_to(tmp_path / "new").as_posix() for path in paths] == names
    assert is_valid(json.loads(paths[0].read_text()))
    assert matrices.load(paths[0]) == matrix
    (tmp_path / "plain").touch()
    # A temporary file can be read by its owner only; a report is for others, too.
    assert {path.stat().st_mode for path in paths} == {(tmp_path / "plain").stat().st_mode}


def test_a_disk_that_fills_up_loses_nothing(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Whichever file it is that cannot be written, all old ones stay, and nothing is left beside them."""
    write_all(SIX, tmp_path)
    other = with_cell(six_cells(), verdict=FAIL, message="other")
    before = {name: (tmp_path / name).read_bytes() for name in files_in(tmp_path)}
    for fails_at in range(len(NAMES)):
        # The disk takes this many files, and no more.
        left = iter(range(fails_at))

        def full(descriptor: int, left: Any = left) -> None:
            if next(left, None) is None:
                raise OSError(28, "No space left on device")

        # Pushing a file to the disk is where a full disk is noticed.
        monkeypatch.setattr(os, "fsync", full)
        with pytest.raises(ReportError, match=r"cannot write .*: No space left on device; make room or give"):
            write_all({Section.BEHAVIOURS: other}, tmp_path)
        assert {name: (tmp_path / name).read_bytes() for name in files_in(tmp_path)} == before


def test_a_directory_that_cannot_be_is_rejected_in_one_line(tmp_path: Path) -> None:
    """Below a file there is no directory, and a directory is not replaced by a file."""
    (tmp_path / "file").touch()
    with pytest.raises(ReportError, match=r"file/below: cannot write matrix.json.*: Not a directory"):
        write_all(SIX, tmp_path / "file" / "below")
    (tmp_path / "junit.xml").mkdir()
    with pytest.raises(ReportError, match=r"cannot write .*: junit.xml is a directory"):
        write_all(SIX, tmp_path)
    assert not (tmp_path / "matrix.json").exists()
