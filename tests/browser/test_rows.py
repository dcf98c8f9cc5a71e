"""Search, filters and their addresses: which rows are shown."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from conformance.verdicts import Verdict
from tests.browser.conftest import Opening, address, statements, written
from tests.browser.launching import expect
from tests.browser.sample import IDS, sample
from tests.browser.synthetic import synthetic
from tests.reports.making import one_cell

TIES, SORTING = "Equal greatest elements share the gradient.", "Sorting carries gradients to where they came from."
COMPLEX = "The gradient of a real loss points uphill, or along the conjugate."
LEAF, FLAG = "Before any backward a leaf has no gradient.", "A flag that was set is kept."
WRITE = "Writing to a leaf in place raises an error."
ALL = [LEAF, FLAG, WRITE, TIES, COMPLEX, SORTING, SORTING]


def test_the_first_view_shows_highlights_the_most_important_first(opened: Opening) -> None:
    """Broken promises before different conventions; rows on which all agree are elsewhere."""
    page = opened("#/")
    assert statements(page) == [TIES, SORTING, COMPLEX]
    assert page.locator(".lead").inner_text().startswith("6 behaviours (7 rows with their cases) in 4 chapters, run on")
    assert page.locator("#found").inner_text() == "3 rows"


def test_reasons_to_highlight_are_counted_and_filter(opened: Opening) -> None:
    """A reason that is pressed leaves the others out, and is in the address."""
    page = opened("#/")
    buttons = page.locator("#reasons button")
    assert buttons.all_inner_texts() == ["A promise is broken 2", "Conventions differ 1"]
    buttons.nth(1).click()
    assert statements(page) == [COMPLEX]
    assert address(page) == "#/?why=3"
    buttons.nth(1).click()
    assert len(statements(page)) == 3


def test_the_whole_matrix_reads_as_the_specification_does(opened: Opening) -> None:
    """All rows, in the order of the chapters; going back restores the other order."""
    page = opened("#/")
    page.click("text=Matrix")
    assert sorted(statements(page)) == sorted(ALL)
    assert statements(page)[:3] == [LEAF, FLAG, WRITE]
    page.go_back()
    expect(page).to_have_title(re.compile("^Highlights"))
    assert statements(page) == [TIES, SORTING, COMPLEX]


def test_a_search_filters_while_typing_and_by_its_link(opened: Opening) -> None:
    """Words of the statement, of a message and of a source; all of them must fit."""
    page = opened("#/matrix")
    finds = {
        "LEAF gradient": [LEAF],
        "needs no backward": [LEAF, FLAG, WRITE],
        "to a leaf in-place": [WRITE],
        '"before any"': [LEAF],
        # Quoted words match next to each other, in this order.
        '"any before"': [],
        "article": [TIES],
    }
    for typed, rows in finds.items():
        page.fill("#search", typed)
        assert statements(page) == rows, typed
        assert page.locator("#found").inner_text() == f"{len(rows)} of 7 rows"
    again = opened(address(page))
    assert statements(again) == [TIES]
    assert again.input_value("#search") == "article"


def test_a_page_of_changes_begins_with_them(opened: Opening) -> None:
    """Not with the highlights, which the name of the page leads to."""
    page = opened()
    assert address(page) == "#/matrix?changed=1"
    assert statements(page) == [TIES]
    page.click(".brand a")
    assert statements(page) == [TIES, SORTING, COMPLEX]


def test_an_empty_search_links_to_the_whole_matrix(opened: Opening) -> None:
    """The highlights are a part of the matrix; the rest may have what is looked for."""
    page = opened("#/?q=flag")
    assert statements(page) == [FLAG]
    assert page.locator("#table tbody.best").inner_text().startswith("Best matches")
    page.click("text=1 row of the whole matrix fits.")
    assert statements(page) == [FLAG]
    page.fill("#search", "no such words")
    assert page.locator("#nothing").inner_text() == "No row fits."


@pytest.mark.parametrize(
    ("query", "rows"),
    [
        ("v=jax:fail", [SORTING]),
        ("v=*:fail", [TIES, SORTING]),
        ("v=torch@2.13:pass&v=jax:absent", [LEAF, FLAG, WRITE]),
        ("v=jax:fail&v=jax:differs", [TIES, SORTING]),
        ("level=should", [FLAG, SORTING, SORTING]),
        ("chapter=inplace", [WRITE]),
        ("source=jax", [COMPLEX, SORTING, SORTING]),
        ("source=jax/jax.grad", [SORTING, SORTING]),
        ("known=known", [TIES]),
        ("known=unexpected", [SORTING]),
        ("changed=1", [TIES]),
        ("level=should&v=jax:fail&q=sorting", [SORTING]),
        ("v=unknown:fail&v=jax:nothing", ALL),
    ],
)
def test_a_filter_in_the_address_is_applied(opened: Opening, query: str, rows: list[str]) -> None:
    """Verdicts asked of an engine are alternatives, of several engines conditions; what is unknown is left out."""
    assert sorted(statements(opened(f"#/matrix?{query}"))) == sorted(rows)


def test_filters_are_chosen_shown_as_chips_and_taken_away(opened: Opening) -> None:
    """The address follows each step."""
    page = opened("#/matrix")
    page.select_option("#verdict", "pass")
    page.select_option("#engine", "torch@2.13")
    page.click("text=and another engine …")
    page.select_option("#engine", "jax")
    page.select_option("#verdict", "absent")
    page.select_option("#chapter", "leaves")
    assert statements(page) == [LEAF, FLAG]
    assert address(page) == "#/matrix?chapter=leaves&v=torch%402.13%3Apass&v=jax%3Aabsent"
    assert page.locator(".chip").all_inner_texts() == ["torch@2.13: pass×", "jax: absent×", "chapter: leaves×"]
    page.click("[aria-label='Remove chapter: leaves']")
    assert statements(page) == [LEAF, FLAG, WRITE]
    page.click("text=Clear all")
    assert address(page) == "#/matrix"
    assert len(statements(page)) == 7


def test_counts_lead_to_the_rows_that_they_count(opened: Opening) -> None:
    """Of torch 2.13 a single row fails."""
    page = opened("#/")
    page.click("[aria-label='1 fail'] >> nth=0")
    assert statements(page) == [TIES]
    assert re.match(r"^1 of 7", page.locator("#found").inner_text())


def test_a_changed_cell_shows_its_earlier_verdict(opened: Opening) -> None:
    """The verdict is beside the earlier verdict."""
    page = opened("#/matrix?changed=1")
    assert [line.strip() for line in page.locator("#table s:visible").all_inner_texts()] == ["was pass"]


def test_a_matrix_without_disagreement_has_a_sentence(opened: Opening, tmp_path: Path) -> None:
    """No empty table."""
    page = opened(path=written(one_cell(verdict=Verdict.PASS), tmp_path))
    assert page.locator("#nothing").inner_text().startswith("Nowhere: every engine that has an outcome passes")


def test_the_whole_table_is_there_without_javascript(opened: Opening) -> None:
    """Every row with its verdicts as words; what needs a script is not offered; head and first column stay in sight."""
    page = opened(java_script_enabled=False)
    assert sorted(statements(page)) == sorted(ALL)
    row = page.locator(f'[id="/b/{IDS[3]}"]')
    row.scroll_into_view_if_needed()
    verdicts = [text.split()[0] for text in row.locator("td").all_inner_texts()]
    assert verdicts == ["pass", "fail", "differs", "pass"]
    assert [part.is_visible() for part in page.locator(".script").all()] == [False] * page.locator(".script").count()
    assert "need JavaScript" in page.locator("#\\/matrix").inner_text()
    assert page.locator("text=What conformance does not measure").is_visible()


def test_head_and_first_column_stay_in_sight(opened: Opening, tmp_path: Path) -> None:
    """Of a table that is taller and wider than the window."""
    page = opened("#/matrix", written(synthetic(60, 30), tmp_path))
    page.locator("#\\/matrix .scroll").evaluate("box => box.scrollTo(1500, 1500)")
    page.locator("tbody .statement >> nth=40").scroll_into_view_if_needed()
    box = page.locator("#\\/matrix .scroll").bounding_box()
    head = page.locator("#table thead").bounding_box()
    first = page.locator("tbody .statement >> nth=40").bounding_box()
    assert box is not None
    assert head is not None
    assert first is not None
    # A border's width of tolerance.
    assert abs(head["y"] - box["y"]) < 2
    assert first["x"] - box["x"] < 5


def test_the_sample_is_what_the_tests_believe() -> None:
    """Ids, so that a test that looks for a row gets it."""
    assert [row.id.partition("[")[0] for row in sample().behaviours] == [*IDS, IDS[5]]
