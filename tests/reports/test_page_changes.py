"""The page beside an earlier matrix, and the programs that it carries."""

from __future__ import annotations

import msgspec

from conformance.results import BehaviourRecord
from conformance.verdicts import Verdict
from reports import html
from reports.html_data import changes
from reports.model import Matrix
from tests.matrices import merge
from tests.reports.making import FAIL, PASS, VECTOR, block, result, results_file, six_cells, with_cell


def column(verdict: Verdict, record: BehaviourRecord = VECTOR, cell: str = "", **more: str) -> Matrix:
    """A matrix of a single cell."""
    return merge([results_file("torch", [result(cell or record.id, verdict)], [record], **more)])


def test_a_cell_that_reads_otherwise_has_changed() -> None:
    """Its verdict or its convention; a message or a duration is no change."""
    now = six_cells()
    assert changes(now, now) == {}
    assert changes(now, with_cell(now, message="another", duration_s=9.0)) == {}
    assert [old.verdict for old in changes(now, with_cell(now, verdict=FAIL)).values()] == [FAIL]
    assert len(changes(now, with_cell(now, convention="downhill"))) == 1


def test_without_an_earlier_matrix_nothing_has_changed() -> None:
    """And nothing is offered to be filtered."""
    page = html.render(six_cells())
    assert changes(six_cells(), None) == {}
    assert 'id="changed"' not in page
    assert 'id="changed"' in html.render(six_cells(), six_cells())


def test_the_page_shows_what_a_cell_was() -> None:
    """In the table, and for the script."""
    page = html.render(column(FAIL), column(PASS))
    assert '<td class="fail">fail <s>was pass</s>' in page
    assert block(page, "data")["rows"][0]["old"] == {"0": [0, 0]}
    assert "1 cell has changed" in page


def test_programs_are_carried_once_and_whole() -> None:
    """A check that cases share, and scripts that differ in a paragraph, give back every line that they had."""
    check, shared = "def check(ad):\n    pass\n\n\n    # a gap\n", "import torch\n\n\ndef verb(x):\n    return x"
    record = msgspec.structs.replace(VECTOR, check=check)
    matrix = merge([results_file("torch", [result(f"{VECTOR.id}[{case}]") for case in "ab"], [record])])
    cells = [msgspec.structs.replace(cell, script=f"{shared}\n\nprint({cell.behaviour!r})\n") for cell in matrix.cells]
    programs = block(html.render(msgspec.structs.replace(matrix, cells=cells)), "programs")
    texts = programs["paragraphs"]
    assert ["\n\n".join(texts[number] for number in numbers) + "\n" for numbers in programs["checks"]] == [check] * 2
    scripts = ["\n\n".join(texts[number] for number in numbers) + "\n" for (numbers,) in programs["scripts"]]
    assert scripts == [cell.script for cell in cells]
    assert len(texts) == len(set(texts))


def test_the_page_is_small() -> None:
    """A cell without anything to say costs the page a word, a class and its tags."""
    ids = [f"gradients.row_{number}" for number in range(200)]
    records = [msgspec.structs.replace(VECTOR, id=id, statement=id) for id in ids]
    files = [results_file(f"engine_{number}", [result(id) for id in ids], records) for number in range(11)]
    single, eleven = (len(html.render(merge(files[:count]))) for count in (1, 11))
    # Bytes of a cell: what a page has once falls out of the difference.
    assert (eleven - single) / (10 * len(ids)) < 40
