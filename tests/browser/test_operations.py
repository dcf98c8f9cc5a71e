"""The view of operations: marks, search and filters, pages of operations and cells, and their addresses."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

import msgspec
import pytest

from reports.matrix import empty
from tests.browser.conftest import Opening, address, statements, written
from tests.browser.launching import expect
from tests.browser.sample import sample
from tests.reports.making_operations import LAWS, PROGRAM, WITNESS, sweep, with_engine_wide

if TYPE_CHECKING:
    from playwright.sync_api import Page

TABLE = "#operations-table"
VMAP, REVERSE, FORWARD, SECOND, KINK, TOMORROW = LAWS
CELL = f"#operations/det/torch/{REVERSE}"


def names(page: Page) -> list[str]:
    """The operations that are shown."""
    page.locator(f"{TABLE} .strip .m").first.wait_for(state="attached")
    return statements(page, TABLE)


def marks(page: Page, operation: str, engine: str) -> list[str]:
    """The kinds of the marks of a cell, in order."""
    page.locator(f"{TABLE} .strip .m").first.wait_for(state="attached")
    cell = page.locator(f"{TABLE} tr:has(a[data-operation='{operation}']) td[data-engine='{engine}']")
    return [str(mark.get_attribute("class")).removeprefix("m ") for mark in cell.locator(".m").all()]


def test_a_cell_shows_modes_and_orders(opened: Opening) -> None:
    """A mark each, in the order of the head's letters, with counts; what is not offered has none."""
    page = opened("#operations")
    assert names(page) == ["det", "abs", "exp"]
    letters = page.locator(f"{TABLE} thead .letters >> nth=0").locator("i").all_inner_texts()
    assert letters == ["R", "F", "2", "V", "K", "U"]
    assert marks(page, "det", "torch") == ["fail", "raises news", "pass", "na", "blank", "pass"]
    assert marks(page, "abs", "hips") == ["pass", "pass", "pass", "pass", "fail news", "pass"]
    row = page.locator(f"{TABLE} tr:has(a[data-operation=det])")
    assert row.locator("td").all_inner_texts() == ["2/4", "5/5", "not offered"]
    words = row.locator(".strip").first.get_attribute("aria-label")
    assert words == "fail: reverse mode; raises: forward mode; pass: second order, upside down; not applicable: vmap"
    group = page.locator(f"{TABLE} .group").first.inner_text()
    assert " ".join(group.split()) == "Linear algebra 1 1 flagged not offered"


def test_the_witness_is_three_clicks_from_the_first_view(opened: Opening) -> None:
    """The view, the cell, the law; going back takes the same steps."""
    page = opened("#/")
    page.click(".views >> text=Operations")
    page.locator(f"{TABLE} .strip").first.wait_for()
    # Beside the marks, each of which leads further: to its law.
    page.locator(f"{TABLE} tr:has(a[data-operation=det]) td >> nth=0").locator("small").click()
    assert address(page) == "#operations/det/torch"
    assert page.title() == "det on torch · Autograd conformance"
    page.locator("#panel .flags a").first.click()
    assert address(page) == CELL
    assert page.locator("#panel .witness").inner_text() == WITNESS
    for there in ("#operations/det/torch", "#operations", "#/"):
        page.go_back()
        page.wait_for_url(f"**{there}")
    assert page.locator("#panel").is_hidden()
    assert page.locator("#\\/operations").is_hidden()


def test_an_engine_wide_cause_is_below_the_head_and_flags_no_row(opened: Opening, tmp_path: Path) -> None:
    """Its count leads to the rows that have it; a law, and words of a cell, are asked of it too."""
    page = opened("#operations", written(sample(), tmp_path, None, with_engine_wide(sweep())))
    assert marks(page, "exp", "jax") == ["pass", "pass", "pass", "pass", "blank", "wide"]
    row = page.locator(f"{TABLE} tr:has(a[data-operation=exp])")
    assert row.locator("td").all_inner_texts() == ["5/5", "4/4", "5/5"]
    assert "flagged" not in str(row.get_attribute("class"))
    cause = page.locator(f"{TABLE} .whole tr >> nth=1")
    assert " ".join(cause.inner_text().split()) == "No law of tomorrow holds documented limitation 3 cells"
    page.select_option("#op-engine", "jax")
    page.select_option("#op-verdict", "flagged")
    assert statements(page, TABLE) == []
    page.select_option("#op-law", TOMORROW)
    assert names(page) == ["det", "abs", "exp"]
    cause.locator("a").click()
    assert address(page) == "#operations?q=tomorrow&engine=jax"
    assert names(page) == ["det", "abs", "exp"]
    page.locator(f"{TABLE} td[data-engine=jax] .m.wide >> nth=0").click()
    assert address(page) == f"#operations/det/jax/{TOMORROW}?q=tomorrow&engine=jax"
    assert "below the head of the column" in page.locator("#panel").inner_text()


def test_a_mark_that_is_no_pass_leads_to_its_witness(opened: Opening) -> None:
    """The first law of the mark that is flagged."""
    page = opened("#operations")
    page.locator(f"{TABLE} .m.raises").first.click()
    assert address(page) == f"#operations/det/torch/{FORWARD}"
    assert page.locator("#panel .witness").inner_text() == "raised NotImplementedError: no rule for <b>det</b>"
    assert "Not known" in page.locator("#panel").inner_text()


def test_the_page_of_a_cell_has_witness_cause_and_other_engines(opened: Opening) -> None:
    """Law, verdict, sources, witness, cause with its program, other engines, and the command that runs it again."""
    page = opened(CELL)
    panel = page.locator("#panel")
    panel.locator(".witness").wait_for()
    assert panel.locator("h2").inner_text() == "det: The VJP agrees with differences."
    assert panel.locator("h3").all_inner_texts() == [
        *("Witness", "Known cause", "The same law on each engine", "Promised by", "To run it again", "The check"),
    ]
    text = panel.inner_text()
    for part in ("det is wrong at a singular matrix", "silent wrong value", "The rule divides by the determinant."):
        assert part in text
    links = [link.get_attribute("href") for link in panel.locator("a[target=_blank]").all()]
    assert links == [
        *("https://example.org/issues/2", "https://example.org/issues/3"),
        *("https://example.org/gradcheck", "https://example.org/vjp"),
    ]
    programs = panel.locator("pre code").all_inner_texts()
    assert programs[0] == PROGRAM
    assert programs[1] == f"autograd-conformance operations --engine torch det --law {REVERSE}"
    assert programs[2].startswith("def reverse_mode_gives_the_derivative(ad, operation):")
    others = [
        [part.get_attribute("aria-label"), part.locator(".v").inner_text()] for part in panel.locator(".engine").all()
    ]
    assert others == [["torch", "fail"], ["jax", "pass"], ["hips", "not offered"]]
    panel.locator(".engine >> text=hips").click()
    assert address(page) == f"#operations/det/hips/{REVERSE}"
    assert "no public function of the engine is det" in panel.inner_text()


def test_a_law_without_a_promise_is_marked(opened: Opening) -> None:
    """An engine that is held to other documentations than those of the law."""
    page = opened(f"#operations/abs/hips/{KINK}")
    page.locator("#panel .witness").wait_for()
    assert "No documentation that this engine is held to promises it." in page.locator("#panel").inner_text()


def test_an_operation_shows_every_law(opened: Opening) -> None:
    """Laws down, engines across; each outcome is a link."""
    page = opened("#operations/det")
    rows = page.locator("#panel .laws tbody tr")
    rows.first.wait_for()
    assert [text.split("\t") for text in rows.all_inner_texts()][:2] == [
        ["Reverse mode gives the derivative", "fail", "pass", "–"],
        ["Forward mode gives the derivative", "raises", "pass", "–"],
    ]
    assert rows.count() == 5  # abs alone has a kink
    rows.nth(0).locator("a").nth(1).click()
    assert address(page) == f"#operations/det/jax/{REVERSE}"


@pytest.mark.parametrize(
    ("query", "rows"),
    [
        ("q=determinant", ["det"]),
        ("q=elementwise", ["abs", "exp"]),
        ("q=singular", ["det"]),
        ("q=not implemented", ["det"]),
        ("q=kink", ["abs"]),
        ("q=divides", ["det"]),
        # The first word is in a row and the second in another: no cell has both.
        ("q=det+kink", []),
        ("engine=hips&verdict=flagged", ["abs"]),
        ("verdict=raises", ["det"]),
        ("verdict=not offered", ["det"]),
        ("engine=jax&verdict=fail", []),
        ("family=Elementwise", ["abs", "exp"]),
        (f"law={KINK}", ["abs"]),
        ("law=second order&verdict=flagged", []),
        ("known=known", ["det"]),
        ("known=unexpected", ["det", "abs"]),
        # The known cell of det deviates; the one that raises is new.
        ("known=known&verdict=raises", []),
        ("differs=1", ["det", "abs"]),
        ("differs=1&family=Elementwise", ["abs"]),
    ],
)
def test_a_filter_in_the_address_is_applied(opened: Opening, query: str, rows: list[str]) -> None:
    """Filters and words that only a cell has hold of a single cell."""
    page = opened(f"#operations?{query}")
    expect(page.locator("#operations-found")).to_contain_text("operations")
    assert statements(page, TABLE) == rows
    assert page.locator("#operations-nothing").is_visible() is (not rows)


def test_filters_are_chosen_and_taken_away_and_stay_behind_a_page(opened: Opening) -> None:
    """The address follows each step; an operation that is opened keeps them, and back brings them back."""
    page = opened("#operations")
    names(page)
    page.select_option("#op-engine", "torch")
    page.select_option("#op-verdict", "fail")
    page.fill("#operations-search", "singular")
    assert names(page) == ["det"]
    assert address(page) == "#operations?q=singular&engine=torch&verdict=fail"
    assert page.locator("#operations-chips .chip").all_inner_texts() == ["engine: torch×", "verdict: fail×"]
    page.click(f"{TABLE} .statement:visible")
    assert address(page) == "#operations/det?q=singular&engine=torch&verdict=fail"
    page.locator("#panel .flags a").first.click()
    assert address(page) == f"{CELL}?q=singular&engine=torch&verdict=fail"
    page.keyboard.press("Escape")
    assert address(page) == "#operations?q=singular&engine=torch&verdict=fail"
    page.click("[aria-label='Remove verdict: fail']")
    page.click("text=Clear all")
    assert address(page) == "#operations"
    page.go_back()
    page.wait_for_url("**engine=torch**")
    assert page.input_value("#op-engine") == "torch"


def test_an_operation_that_is_named_comes_first(opened: Opening) -> None:
    """Above the families that are before its own."""
    page = opened("#operations?q=exp")
    rows = names(page)
    assert rows[0] == "exp"
    assert page.locator(f"{TABLE} .best").inner_text().startswith("Best matches")


@pytest.mark.parametrize("name", ["torch.linalg.det", "jnp.linalg.det", "F.det"])
def test_an_engine_has_another_name_for_an_operation(opened: Opening, name: str) -> None:
    """It finds the operation; an alias that no table has, by its last part."""
    page = opened(f"#operations?q={name}")
    assert names(page) == ["det"]
    page.click(f"{TABLE} .statement:visible")
    assert "torch.linalg.det" in page.locator("#panel").inner_text()


def test_keys_move_open_and_close(opened: Opening) -> None:
    """As in the table of behaviours; moving keeps the engine that is looked at."""
    page = opened("#operations")
    names(page)
    press, focused = page.keyboard.press, "document.activeElement.textContent"
    press("/")
    assert page.evaluate("document.activeElement.id") == "operations-search"
    press("Enter")
    assert page.evaluate(focused) == "det"
    press("j")
    assert page.evaluate(focused) == "abs"
    press("Enter")
    assert address(page) == "#operations/abs"
    press("ArrowLeft")
    assert address(page) == "#operations/det"
    press("Escape")
    assert address(page) == "#operations"


def test_an_unknown_address_shows_an_error(opened: Opening) -> None:
    """An operation, an engine or a law that is not in the sweep."""
    for there, title in (
        ("#operations/tahn", "No such operation"),
        ("#operations/det/tortch", "No such engine"),
        ("#operations/det/torch/no.law", "No such law"),
    ):
        page = opened(there)
        expect(page.locator("#panel h2")).to_have_text(title)


def test_a_page_without_operations_has_no_such_view(opened: Opening, tmp_path: Path) -> None:
    """Nor does its address lead anywhere but to the first view."""
    page = opened("#operations", written(sample(), tmp_path))
    assert page.locator(".views >> text=Operations").count() == 0
    assert page.title().startswith("Highlights")


def test_a_page_of_operations_alone_begins_with_them(opened: Opening, tmp_path: Path) -> None:
    """Views that would be empty are not offered."""
    page = opened("", written(empty(sweep().suite), tmp_path, None, sweep()))
    assert names(page) == ["det", "abs", "exp"]
    assert page.locator(".views a:visible").all_inner_texts() == ["Operations", "How to read"]
    page.click(".brand a")
    assert page.locator(TABLE).is_visible()


def test_nothing_is_read_before_the_view_is_opened(opened: Opening) -> None:
    """The table is empty, and the block is as it was."""
    page = opened("#/matrix")
    assert page.locator(f"{TABLE} tr").count() == 0


def test_texts_of_engines_are_text(opened: Opening, tmp_path: Path) -> None:
    """Names, witnesses and reasons that look like markup are shown as they are."""
    evil = "<img src=x onerror=alert(1)>"
    original = sweep()
    cells = [msgspec.structs.replace(cell, message=evil) if cell.message else cell for cell in original.cells]
    engines = [msgspec.structs.replace(engine, version=evil) for engine in original.engines]
    hostile = msgspec.structs.replace(original, cells=cells, engines=engines)
    page = opened(CELL, written(sample(), tmp_path, None, hostile))
    assert page.locator("#panel .witness").inner_text() == evil
    assert page.locator("img").count() == 0
