"""For everyone: keys, screen readers, colours, small screens, paper."""

from __future__ import annotations

import os
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest

from tests.browser.conftest import Opening, address, statements
from tests.browser.launching import expect
from tests.browser.sample import IDS
from tests.reports.making_operations import LAWS

if TYPE_CHECKING:
    from playwright.sync_api import Page

PLACES = {
    "highlights": "#/",
    "matrix": "#/matrix",
    "compare": "#/compare",
    "specification": "#/spec",
    "about": "#/about",
    "behaviour": f"#/b/{IDS[3]}",
    "operations": "#operations",
    "operation": "#operations/det/torch",
    "outcome": f"#operations/det/torch/{LAWS[1]}",
}
DESKTOP, PHONE = {"width": 1280, "height": 900}, {"width": 390, "height": 844}


def visit(page: Page, place: str) -> None:
    """Go where an address of the same page leads, and wait until it is shown."""
    page.evaluate("address => { location.hash = address; }", PLACES[place])
    expect(page.locator("#panel")).to_be_visible(visible=place in {"behaviour", "operation", "outcome"})
    page.wait_for_timeout(50)  # the programs of a behaviour are inflated
    if PLACES[place].startswith("#operations"):
        page.locator("#operations-table .strip").first.wait_for()


@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_axe_has_no_complaint(opened: Opening, scheme: Any) -> None:
    """Names, roles, contrast and order in every view, as axe-core judges them."""
    axe = pytest.importorskip("axe_playwright_python.sync_playwright", reason="axe is not installed: nox -s browser")
    page = opened(color_scheme=scheme)
    problems = []
    for place in PLACES:
        visit(page, place)
        violations = axe.Axe().run(page).response["violations"]
        problems += [(place, problem["id"], problem["nodes"][0]["html"][:200]) for problem in violations]
    assert problems == []


def test_the_table_is_a_table_to_a_screen_reader(opened: Opening) -> None:
    """Rows are laid out as grids; in Chromium's tree of accessible objects they still are rows of a table."""
    page = opened("#/matrix")
    session, roles = page.context.new_cdp_session(page), []
    for _ in range(50):  # Chromium builds the tree after the page, when it comes to it
        tree = session.send("Accessibility.getFullAXTree")["nodes"]
        roles = [node["role"]["value"] for node in tree if not node["ignored"]]
        if roles.count("row") > 1:
            break
        page.wait_for_timeout(100)
    # Seven rows by four columns, with the counts; the head; a row for each of the four chapters.
    assert roles.count("table") == 1
    assert roles.count("row") == 1 + 4 + 7
    # That of the statements, and four engines.
    assert roles.count("columnheader") == 5
    assert roles.count("cell") + roles.count("gridcell") == 7 * 4


def test_keys_search_move_open_and_close(opened: Opening) -> None:
    """/ searches, j and k and the arrows move, Enter opens, Escape closes, ? lists them."""
    page = opened("#/matrix")
    rows = statements(page)
    press = page.keyboard.press
    focused = "document.activeElement.textContent"
    press("/")
    assert page.evaluate("document.activeElement.id") == "search"
    press("Enter")
    assert page.evaluate(focused) == rows[0]
    for key, row in (("j", 1), ("ArrowDown", 2), ("k", 1), ("ArrowUp", 0)):
        press(key)
        assert page.evaluate(focused) == rows[row], key
    press("Enter")
    assert address(page) == f"#/b/{IDS[0]}"
    press("j")
    assert address(page) == f"#/b/{IDS[1]}"
    # Back to the first behaviour, while the panel is open.
    press("ArrowLeft")
    press("Escape")
    assert address(page) == "#/matrix"
    assert page.evaluate(focused) == rows[0]
    press("?")
    assert page.locator("dialog h2").inner_text() == "Keys"
    press("Escape")
    assert page.locator("dialog").is_hidden()


def test_keys_that_are_typed_are_text(opened: Opening) -> None:
    """Typing j in the search moves no row."""
    page = opened("#/matrix")
    page.click("#search")
    page.keyboard.type("jk?/")
    assert page.input_value("#search") == "jk?/"


def test_the_skip_link_is_first_and_leads_to_the_content(opened: Opening) -> None:
    """And landmarks are there to jump to."""
    page = opened("#/?q=equal")
    page.keyboard.press("Tab")
    assert page.evaluate("document.activeElement.textContent") == "Skip to the content"
    page.keyboard.press("Enter")
    assert page.evaluate("document.activeElement.id") == "main"
    assert address(page) == "#/?q=equal"
    for role, name in (("navigation", "Views"), ("search", "Filter the rows"), ("main", None), ("contentinfo", None)):
        assert page.get_by_role(role, name=name).count() == 1, role  # type: ignore[arg-type]


def test_titles_and_what_is_announced_follow_the_view(opened: Opening) -> None:
    """Each view has a title; the number of rows that fit is a live region."""
    page = opened()
    titles = []
    for link in page.locator(".views a").all():
        link.click()
        titles.append(page.title().partition(" · ")[0])
        assert page.locator(".views a[aria-current=page]").count() == 1
    assert titles == ["Highlights", "Matrix", "Operations", "torch@2.12 → jax", "Specification", "How to read"]
    assert page.get_by_role("status").count() >= 1


def test_colours_are_those_of_the_system_until_one_chooses(opened: Opening) -> None:
    """The button goes from the system's to dark to light; the choice is kept."""
    page = opened(color_scheme="light")
    ground = "getComputedStyle(document.body).backgroundColor"
    light = page.evaluate(ground)
    page.click("#theme")
    dark = page.evaluate(ground)
    assert dark != light
    page.reload()
    assert page.evaluate(ground) == dark
    page.click("#theme")
    assert page.evaluate(ground) == light
    assert page.get_attribute("#theme", "aria-label") == "Colours: light"


@pytest.mark.parametrize("scheme", ["light", "dark"])
@pytest.mark.parametrize("size", [DESKTOP, PHONE], ids=["desktop", "phone"])
def test_nothing_is_wider_than_the_window(opened: Opening, tmp_path: Path, scheme: Any, size: Any) -> None:
    """On a desktop and on a phone; pictures go to the folder that CONFORMANCE_PICTURES names, to be looked at."""
    page = opened(viewport=size, color_scheme=scheme)
    folder = Path(os.environ.get("CONFORMANCE_PICTURES", tmp_path))
    widths = {}
    for place in PLACES:
        visit(page, place)
        widths[place] = page.evaluate("document.documentElement.scrollWidth")
        page.screenshot(path=folder / f"{place}-{'phone' if size is PHONE else 'desktop'}-{scheme}.png")
    assert {place: width for place, width in widths.items() if width > size["width"]} == {}


def test_on_a_phone_a_row_is_a_card_that_names_its_engines(opened: Opening) -> None:
    """The name is beside the verdict; a behaviour takes the whole screen, and what is behind it is out of reach."""
    page = opened("#/matrix?q=equal", viewport=PHONE)
    label = "cell => getComputedStyle(cell, '::after').content"
    assert page.locator("#table td:visible >> nth=1").evaluate(label) == '"torch@2.13"'
    page.click("#table .statement:visible")
    assert page.evaluate("document.getElementById('main').inert")
    page.keyboard.press("Escape")
    assert not page.evaluate("document.getElementById('main').inert")


def test_on_a_phone_the_current_view_and_captions_are_in_sight(opened: Opening) -> None:
    """The bar of views and two tables are wider than the screen; what they say of themselves is not cut."""
    page = opened("#/about", viewport=PHONE)
    right = "element => element.getBoundingClientRect().right"
    assert page.locator(".views [aria-current]").evaluate(right) <= PHONE["width"]
    assert page.locator("table.plain caption").evaluate(right) <= PHONE["width"]
    page.click("text=Highlights")
    assert page.locator(".views [aria-current]").evaluate("element => element.getBoundingClientRect().left") >= 0
    assert page.locator(".counts caption").evaluate(right) <= PHONE["width"]


def test_paper_has_the_rows_and_not_the_controls(opened: Opening) -> None:
    """The view is printed."""
    page = opened("#/matrix")
    page.emulate_media(media="print")
    assert len(statements(page)) == 7
    assert not page.locator("#filters").is_visible()
    assert not page.locator(".bar").is_visible()
