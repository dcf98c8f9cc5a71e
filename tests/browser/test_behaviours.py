"""The part of a behaviour, the comparison of two engines, and the specification."""

from __future__ import annotations

from pathlib import Path
from urllib.parse import quote

from tests.browser.conftest import Opening, address, statements, written
from tests.browser.sample import CHECK, COLUMNS, IDS, SCRIPT
from tests.browser.synthetic import synthetic

LEAF, TIES, COMPLEX = f"#/b/{IDS[0]}", f"#/b/{IDS[3]}", f"#/b/{IDS[4]}"


def test_a_link_to_a_behaviour_opens_it(opened: Opening) -> None:
    """Statement, level, sources with their links, the check, and what proves it; the title is the statement."""
    page = opened(TIES)
    panel = page.locator("#panel")
    assert page.title() == "Equal greatest elements share the gradient. · Autograd conformance"
    assert panel.locator("h2").inner_text() == "Equal greatest elements share the gradient."
    assert page.evaluate("document.activeElement.id") == "panel-title"
    assert panel.locator(".facts").inner_text().split() == ["must", IDS[3]]
    assert panel.locator("h3").all_inner_texts()[:2] == ["Promised by", "Described in an article"]
    promised, others = panel.locator(".cited").nth(0), panel.locator(".cited").nth(1)
    assert promised.locator("li").all_inner_texts() == ["torch torch.amax, since 1.7"]
    assert others.locator("li").all_inner_texts() == ["document Pitfalls of autograd (article)"]
    assert [link.get_attribute("href") for link in promised.locator("a").all()] == ["https://example.org/amax"]
    panel.locator(".program[class] code").last.wait_for()
    assert panel.locator("code").all_inner_texts()[-1] == CHECK.rstrip("\n")


def test_a_link_to_a_behaviour_shows_its_row_behind_it(opened: Opening, tmp_path: Path) -> None:
    """Far down in a long table, the row is in sight, and marked."""
    matrix = synthetic(300, 3)
    page = opened(f"#/b/{matrix.behaviours[250].id}", written(matrix, tmp_path))
    box = page.locator("tr.here").bounding_box()
    assert box is not None
    # The height of the window that `opened` makes.
    assert 0 < box["y"] < 900


def test_each_engine_shows_its_outcome(opened: Opening) -> None:
    """Cells that deviate come first: verdict, duration, message, known failure, and the earlier verdict."""
    page = opened(TIES)
    engines = page.locator("#panel .engine")
    assert [part.get_attribute("aria-label") for part in engines.all()] == [
        "torch@2.13",
        "jax",
        "torch@2.12",
        "reference",
    ]
    broken = engines.first.inner_text()
    for part in (
        "2.13",
        "fail",
        "250 ms",
        "was pass",
        "expected [0.5 0.5] in grad(amax)([2, 2])",
        "The first tie takes all.",
    ):
        assert part in broken
    assert engines.first.locator("a").get_attribute("href") == "https://example.org/issues/1"


def test_a_native_script_is_shown_and_copied_as_it_is(opened: Opening) -> None:
    """To the letter."""
    page = opened(TIES, permissions=["clipboard-read", "clipboard-write"])
    torch = page.locator("[aria-label='torch@2.13']")
    torch.locator("summary").click()
    # The text of an element lacks its last line end; what is copied has it.
    assert torch.locator("pre code").inner_text() == SCRIPT.rstrip("\n")
    torch.locator(".copy").click()
    torch.locator("text=Copied").wait_for()
    assert page.evaluate("navigator.clipboard.readText()") == SCRIPT


def test_a_cell_without_a_script_has_the_command_that_prints_it(opened: Opening) -> None:
    """As a single word of a shell where a name has brackets; it is copied as it is."""
    page = opened(f"#/b/{quote(f'{IDS[5]}[sort]')}", permissions=["clipboard-read", "clipboard-write"])
    jax = page.locator("[aria-label='jax']")
    command = "autograd-conformance show 'ties.sorting[sort]' --engine jax --script"
    assert jax.locator("pre code").inner_text() == command
    jax.locator(".copy").click()
    jax.locator("text=Copied").wait_for()
    assert page.evaluate("navigator.clipboard.readText()").strip() == command


def test_an_absence_needs_no_script(opened: Opening) -> None:
    """It shows what the probe showed."""
    page = opened(LEAF)
    absent = page.locator("[aria-label='jax']")
    assert "no tape; probe: grad(f) needs no backward" in absent.inner_text()
    page.locator("text=The source of this check was not recorded.").wait_for()
    assert "--script" not in absent.inner_text()


def test_the_history_of_an_engine_goes_over_its_versions(opened: Opening) -> None:
    """Where several versions of an engine were run."""
    page = opened(TIES)
    assert page.locator("#panel h3:has-text('Over versions') + ul").inner_text() == "torch 2.12 pass → 2.13 fail"


def test_earlier_ids_and_earlier_addresses_still_lead_there(opened: Opening) -> None:
    """A renamed behaviour, a bare id as older reports had it, a behaviour whose cases are meant."""
    for old in ("#/b/kinks.ties", f"#{IDS[3]}"):
        assert address(opened(old)) == TIES
    assert address(opened(f"#/b/{IDS[5]}")) == f"#/b/{quote(f'{IDS[5]}[sort]')}"
    assert opened("#/b/no.such_behaviour").locator("#panel h2").inner_text() == "No such behaviour"


def test_a_cell_opens_the_behaviour_at_its_engine_and_closing_goes_back(opened: Opening) -> None:
    """The address keeps the rows behind it, and the focus returns to the statement."""
    page = opened("#/matrix?q=uphill")
    page.locator("#table td:visible").nth(2).click()
    assert address(page) == f"{COMPLEX}?q=uphill&at=jax"
    assert page.locator("#panel .engine").first.get_attribute("aria-label") == "jax"
    page.click("[aria-label=Close]")
    assert address(page) == "#/matrix?q=uphill"
    assert page.locator("#panel").is_hidden()
    assert page.evaluate("document.activeElement.textContent").startswith("The gradient of a real loss")


def test_the_comparison_lists_changes(opened: Opening) -> None:
    """By kind: what breaks, what behaves differently, what is lacking; the other way round: works in the first only."""
    page = opened("#/compare?from=torch@2.12&to=jax")
    assert page.locator("#comparison h3").all_inner_texts() == ["Breaks 1", "Behaves differently 2", "Not in jax 3"]
    # Those that jax lacks by their reason, which opens to them.
    assert page.locator("details.reason").all_inner_texts() == ["3 rows no tape; probe: grad(f) needs no backward"]
    page.click("details.reason summary")
    page.locator(".reason a.statement").nth(2).wait_for()
    assert page.title() == "torch@2.12 → jax · Autograd conformance"
    page.click("#swap")
    assert address(page) == "#/compare?from=jax&to=torch%402.12"
    assert page.locator("#comparison h3").all_inner_texts() == ["Behaves differently 1", "Works in torch@2.12 only 5"]
    page.select_option("#from", "torch@2.12")
    page.select_option("#to", "torch@2.13")
    assert page.locator("#comparison h3").all_inner_texts() == ["Breaks 1"]
    page.select_option("#to", "reference")
    lines = page.locator("#comparison").inner_text().split("\n")
    assert [lines[0], lines[-1]] == ["0 of 7 rows differ between torch@2.12 and reference.", "The same on both 7"]
    page.click("summary")
    page.locator(".same a.statement").nth(6).wait_for()  # built when opened
    assert len(statements(page, ".same")) == 7


def test_a_comparison_counts_what_is_seen_to_differ(opened: Opening) -> None:
    """An engine does not differ from itself where it fails; two that fail differently do. A known failure is marked."""
    page = opened("#/compare?from=torch@2.13&to=torch@2.13")
    lines = page.locator("#comparison").inner_text().split("\n")
    assert [lines[0], lines[-1]] == ["0 of 7 rows differ between torch@2.13 and torch@2.13.", "The same on both 7"]
    page.select_option("#to", "jax")
    assert "Neither does as stated 1" in page.locator("#comparison h3").all_inner_texts()
    cells = page.locator("[aria-labelledby=kind-both] td")
    assert [cell.locator("b").all_text_contents() for cell in cells.all()] == [["known"], []]
    page.fill("#compare-search", "no such engine")
    assert page.locator("#comparison").inner_text().strip() == "No row fits."


def test_a_comparison_is_searched_and_its_rows_open(opened: Opening) -> None:
    """The comparison stays behind the behaviour, and comes back."""
    page = opened("#/compare")
    assert address(page) == "#/compare"
    assert page.input_value("#from") == COLUMNS[0]
    assert page.input_value("#to") == "jax"
    page.fill("#compare-search", "conjugate")
    assert statements(page, "#comparison") == ["The gradient of a real loss points uphill, or along the conjugate."]
    labels = [cell.get_attribute("data-engine") for cell in page.locator("#comparison td").all()]
    assert labels == [COLUMNS[0], "jax"]
    page.locator("#comparison td").nth(1).click()
    assert address(page) == f"{COMPLEX}?view=compare&q=conjugate&at=jax"
    page.keyboard.press("Escape")
    assert address(page) == "#/compare?q=conjugate"


def test_the_specification_is_a_numbered_document(opened: Opening) -> None:
    """A statement with its cases appears once; words and verdicts are explained below it."""
    page = opened("#/spec/ties")
    assert page.locator("#document h3").all_inner_texts() == ["1 Leaves", "2 Inplace", "3 Ties", "4 Complex"]
    assert page.locator("#document .number").all_inner_texts() == ["1.1", "1.2", "2.1", "3.1", "3.2", "4.1"]
    assert "Cases: sort, topk." in page.locator("#document").inner_text()
    for heading in ("How to read a verdict", "What conformance does not measure", "Words"):
        assert page.locator(f"h2:has-text('{heading}')").is_visible()
    page.click("#document .statement >> nth=0")
    assert address(page) == f"{LEAF}?view=spec"
