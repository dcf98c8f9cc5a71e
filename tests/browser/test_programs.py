"""The view of generated programs: campaigns, signatures with program, picture and native program, and addresses."""

from __future__ import annotations

from pathlib import Path

import pytest

from reports.html import render
from reports.matrix import empty
from reports.programs_data import signature_part
from tests.browser.conftest import Opening, address
from tests.browser.sample import sample
from tests.reports.making_programs import NEW, campaigns


@pytest.fixture(scope="module")
def page_with_programs(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A report of behaviours and programs."""
    path = tmp_path_factory.mktemp("programs") / "report.html"
    path.write_text(render(sample(), generated=campaigns()), encoding="utf-8")
    return path


PART = signature_part(campaigns().cells[0])


def test_a_campaign_is_a_row(opened: Opening, page_with_programs: Path) -> None:
    """Engine, kind, seeds, and how many programs and signatures."""
    page = opened("#/", page_with_programs)
    page.click(".views >> text=Programs")
    assert address(page) == "#/programs"
    cells = page.locator(".campaigns tbody tr >> nth=1").locator("td").all_inner_texts()
    assert cells == ["torch", "writes", "0:1000", "1,000", "990", "10", "0", "1"]
    assert page.locator("#programs-found").inner_text() == "2 signatures"


def test_a_signature_has_an_address(opened: Opening, page_with_programs: Path) -> None:
    """It opens there, with the program, the native program and the command that tries it again."""
    page = opened(f"#/programs/{PART}", page_with_programs)
    part = page.locator(f".signature[data-part='{PART}']")
    part.locator(".program").first.wait_for()
    assert part.get_attribute("open") is not None
    assert page.locator(".signature[open]").count() == 1
    assert "import torch" in part.locator(".program").all_inner_texts()[1]
    assert "autograd-conformance program writes:17 --engine torch" in part.locator(".program").all_inner_texts()[2]
    assert part.locator("button.copy").count() == 3
    assert part.locator(".program code").first.inner_text().startswith("def program(v0):")


def test_opening_a_signature_changes_the_address(opened: Opening, page_with_programs: Path) -> None:
    """So that it can be sent to somebody."""
    page = opened("#/programs", page_with_programs)
    page.locator(".signature summary").first.click()
    page.wait_for_url(f"**#/programs/{PART}")


def test_the_search_looks_at_programs_and_causes(opened: Opening, page_with_programs: Path) -> None:
    """Words of the listing, of the message and of the known cause; all of them."""
    page = opened("#/programs", page_with_programs)
    for words, count in (("operate_", 1), ("known", 1), ("torch", 2), ("torch nothing", 0), ("18 multiply", 1)):
        page.fill("#programs-search", words)
        assert page.locator(".signature:visible").count() == count, words
    assert page.locator("#programs-found").inner_text() == "1 of 2 signatures"
    assert address(page) == "#/programs?q=18+multiply"


def test_the_text_of_engines_is_text(opened: Opening, page_with_programs: Path) -> None:
    """No markup comes of it."""
    page = opened("#/programs", page_with_programs)
    page.locator(".signature summary").nth(1).click()
    assert "<b>no rule</b>" in page.locator(".signature").nth(1).inner_text()
    assert "It is <i>known</i>." in page.locator(".signature").nth(1).inner_text()
    assert page.locator(".signature >> nth=1").locator("a[href='https://example.org/1']").count() == 1


def test_a_page_of_programs_alone_begins_with_them(opened: Opening, tmp_path: Path) -> None:
    """There is no matrix beside them."""
    path = tmp_path / "report.html"
    path.write_text(render(empty(campaigns().suite), generated=campaigns()), encoding="utf-8")
    page = opened("", path)
    assert page.locator(".signature:visible").count() == 2
    assert page.locator(".views a:visible").all_inner_texts() == ["Programs", "How to read"]
    assert NEW in page.locator(".signature").first.inner_text()
