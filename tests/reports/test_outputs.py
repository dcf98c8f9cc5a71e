"""Outputs for others: badges, CSV, a summary that fits a comment; and inputs: files and folders of results."""

from __future__ import annotations

import csv
import io
import json
from pathlib import Path
from typing import Any

import msgspec
import pytest

from conformance.results import KnownRecord, ResultsFile
from conformance.verdicts import Verdict
from reports import badge, cells_csv, markdown, view
from reports.files import ReportError
from reports.markdown import COMMENT
from reports.matrix import encode
from reports.model import Matrix, Section
from reports.write import write_all
from tests.matrices import joined, merge
from tests.reports.making import (
    FAIL,
    TIES,
    VECTOR,
    one_cell,
    result,
    results_file,
    six_cells,
    six_files,
    with_engine,
    written,
)
from tests.reports.synthetic import HOSTILE, wide


def first(matrix: Matrix) -> dict[str, Any]:
    """The badge of the first engine."""
    return dict(json.loads(badge.badges(matrix)[matrix.engines[0].column]))


def message(matrix: Matrix) -> str:
    """The message of the badge of the first engine."""
    return str(first(matrix)["message"])


def test_a_badge_counts_every_verdict_and_makes_no_score() -> None:
    """The count of each verdict, in the order of the legend; a known failure is not unexpected."""
    assert message(six_cells()) == "2 pass, 1 fail"
    assert message(one_cell(verdict=Verdict.ABSENT)) == "1 absent"
    assert message(msgspec.structs.replace(six_cells(), cells=[])) == "not run"


def test_a_badge_has_words_and_a_colour_for_unexpected_cells() -> None:
    """An unexpected failure, and a stale known failure."""
    assert message(one_cell()) == "1 fail (1 unexpected)"
    assert message(with_engine(six_cells(), stale=["x", "y"])) == "2 pass, 1 fail (2 unexpected)"
    # With a cell that is unexpected, and without.
    colours = {first(m)["color"] for m in (one_cell(), six_cells())}
    assert len(colours) == 2


def test_the_endpoint_has_the_fields_that_shields_asks_for() -> None:
    """schemaVersion 1, label and message; nothing that the schema does not know."""
    fields = first(six_cells())
    assert set(fields) == {"schemaVersion", "label", "message", "color"}
    assert fields["schemaVersion"] == 1


def test_files_of_badges_have_names_that_any_disk_takes(tmp_path: Path) -> None:
    """Columns that differ in odd characters alone have different files; none leaves the folder."""
    # Some differ only in what a file name cannot have, or in case; two lead out of the folder; the last is too long.
    names = ["a:b", "a/b", "A_b", "../../x", "..", "é" * 300]
    matrix = merge([results_file(name, [result(TIES.id)], [TIES]) for name in names])
    write_all({Section.BEHAVIOURS: matrix}, tmp_path / "out")
    assert [path.name for path in tmp_path.iterdir()] == ["out"]
    names_written = {path.name for path in (tmp_path / "out" / "badges").iterdir()}
    assert {f"{name}.json" for name in ("a_b", "a_b-2", "A_b-3", "_.._x", "engine", "_")} <= names_written
    assert len(names_written) == len(names)


def rows(matrix: Matrix) -> list[dict[str, str]]:
    """The CSV as a reader of it has it."""
    # With its line ends as they are: a field may have any of them.
    return list(csv.DictReader(io.StringIO(cells_csv.render(matrix), newline="")))


def test_the_table_has_a_row_per_cell() -> None:
    """With what is known of it; the message's first line."""
    cells = rows(six_cells())
    assert [(row["behaviour"], row["engine"], row["verdict"]) for row in cells] == [
        (cell.behaviour, cell.engine, cell.verdict.value) for cell in six_cells().cells
    ]
    failed = next(row for row in cells if row["verdict"] == "fail")
    assert (failed["known"], failed["level"], failed["version"]) == ("The first tie takes all.", "should", "2.0")
    assert failed["message"].startswith("got [1. 0.]")


# Spreadsheets skip blanks and control characters before the sign, and some take the full-width one.
@pytest.mark.parametrize("begins", ["=", "+", "-", "@", "\t=", "\r=", "\n=", " =", "＝", "\x1b[31m="])
def test_no_cell_of_the_table_is_a_formula(begins: str) -> None:
    """With any text from engines, adapters or citations; commas and quotes stay in their field."""
    text = f'{begins}HYPERLINK("http://x","a"),b'
    known = KnownRecord(text, "", "")
    (row,) = rows(with_engine(one_cell(message=text, convention=text, known=known), version=text))
    for name in ("message", "convention", "known", "version"):
        assert row[name].startswith("'"), (name, row[name])
        assert row[name].endswith('HYPERLINK("http://x","a"),b')


def test_plain_text_is_left_as_it_is() -> None:
    """Only what a spreadsheet would compute has an apostrophe."""
    assert [cells_csv.inert(text) for text in ("got -1", "a=b", "", "'x")] == ["got -1", "a=b", "", "'x"]


@pytest.mark.parametrize("verdict", [FAIL, Verdict.DIFFERS, Verdict.PASS])
def test_a_summary_of_a_thousand_behaviours_by_forty_engines_fits_a_comment(verdict: Verdict) -> None:
    """However much they say; what is left out is counted."""
    page = markdown.render(wide(verdict))
    # GitHub takes no longer comment.
    assert len(page) <= COMMENT < 65_536
    assert ("more behaviours are in report.html." in page) is (verdict is not Verdict.PASS)
    assert "@everyone" not in page


def test_a_summary_of_hostile_names_is_cut_and_stays_within_the_limit() -> None:
    """Even where no row of every table would fit."""
    names = [f"{n}{HOSTILE}" for n in range(300)]
    page = markdown.render(merge([results_file(name, [result(TIES.id, FAIL, HOSTILE)], [TIES]) for name in names]))
    assert 0 < len(page) <= COMMENT


def test_what_fits_in_no_way_is_cut_at_a_line(monkeypatch: pytest.MonkeyPatch) -> None:
    """The last resort."""
    # The shortest form, after which nothing is left but to cut.
    monkeypatch.setattr(markdown, "ROWS", (0,))
    whole = markdown.render(six_cells())
    monkeypatch.setattr(markdown, "COMMENT", 400)
    cut = markdown.render(six_cells())
    assert 0 < len(cut) <= 400 < len(whole)
    assert cut.endswith("\n")
    assert whole.startswith(cut)


def test_more_engines_than_a_table_takes_are_listed_by_outcome() -> None:
    """The rare outcome names its engines, the common outcome counts them."""
    files = [results_file(f"e{n}", [result(TIES.id, FAIL if n == 3 else Verdict.PASS)], [TIES]) for n in range(9)]
    assert "fail on e3; pass on 8 engines" in markdown.render(merge(files))


def on_disk(folder: Path, files: list[ResultsFile]) -> list[Path]:
    """Results files where they can be read."""
    folder.mkdir(parents=True, exist_ok=True)
    paths = []
    for number, file in enumerate(files):
        paths.append(folder / f"{number}.jsonl")
        paths[-1].write_bytes(written(file))
    return paths


def test_files_matrices_and_folders_join_to_the_same_matrix(tmp_path: Path) -> None:
    """However the columns come, as long as they come in the same order."""
    whole = merge(six_files())
    first, second = on_disk(tmp_path / "results", six_files())
    (tmp_path / "second").mkdir()
    (tmp_path / "second" / "matrix.json").write_bytes(encode(joined([second])))
    (tmp_path / "whole.json").write_bytes(encode(whole))
    for given in ([first, second], [tmp_path / "results"], [first, tmp_path / "second"], [tmp_path / "whole.json"]):
        assert joined(given) == whole


def test_columns_take_their_versions_when_a_second_one_joins(tmp_path: Path) -> None:
    """A matrix of one version calls it by its spec alone; a join of two cannot."""
    paths = []
    for version in ("1", "2"):
        paths.append(tmp_path / version / "matrix.json")
        paths[-1].parent.mkdir()
        paths[-1].write_bytes(encode(merge([results_file("torch", [result(TIES.id)], [TIES], version=version)])))
    matrix = joined(paths)
    assert [engine.column for engine in matrix.engines] == ["torch@1", "torch@2"]
    assert [cell.engine for cell in matrix.cells] == ["torch@1", "torch@2"]


def test_a_folder_without_results_is_rejected(tmp_path: Path) -> None:
    """With what would do."""
    with pytest.raises(ReportError, match=r"neither matrix.json nor results \(\*.jsonl\); give a report's folder"):
        joined([tmp_path])


def test_a_joined_matrix_counts_what_its_parts_did() -> None:
    """Selections of different rows leave holes, which are counted as not run."""
    matrix = merge([results_file("a", [result(VECTOR.id)], [VECTOR]), results_file("b", [result(TIES.id)], [TIES])])
    assert [count["not run"] for count in view.counts(matrix).values()] == [1, 1]
