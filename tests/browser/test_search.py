"""The words of people who port or debug lead to the right behaviour among the first three rows."""

from __future__ import annotations

from pathlib import Path

import pytest

from conformance.behaviour_records import behaviour_record
from conformance.collection import load_all
from tests.browser.conftest import Opening, written
from tests.matrices import merge
from tests.phrases import FINDS
from tests.reports.making import result, results_file


@pytest.fixture(scope="module")
def whole(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The report of the whole specification, in which everything passes."""
    records = [behaviour_record(behaviour, behaviour.ids()) for behaviour in load_all()]
    results = [result(cell) for record in records for cell in record.cells]
    return written(merge([results_file("torch", results, records)]), tmp_path_factory.mktemp("whole"))


def test_a_phrase_has_its_behaviour_among_the_first_three_rows(opened: Opening, whole: Path) -> None:
    """In the matrix; cases of a behaviour are rows, too."""
    page = opened("#/matrix", path=whole)
    shown = """rows => rows.filter(row => row.checkVisibility()).slice(0, 3)
        .map(row => row.querySelector("a.statement").dataset.id || row.id.slice("/b/".length))"""
    missed = {}
    for phrase, behaviour in FINDS.items():
        page.fill("#search", phrase)
        page.wait_for_timeout(30)
        rows = page.eval_on_selector_all("#table tr:has(a.statement)", shown)
        if behaviour not in {row.partition("[")[0] for row in rows}:
            missed[phrase] = rows
    assert missed == {}
