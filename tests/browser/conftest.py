"""Chromium, and a page in it that may neither complain nor ask the network for anything."""

from __future__ import annotations

import os
import re
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest

from reports.html import render
from reports.model import Matrix
from tests.browser.launching import NoBrowser, expect, launched
from tests.browser.sample import earlier, sample
from tests.reports.making_operations import sweep

if TYPE_CHECKING:
    from playwright.sync_api import Browser, Page

Opening = Callable[..., "Page"]


def _missing(reason: str) -> None:
    """Skip, but not where a browser was asked for: a session that skips everything would look green."""
    if os.environ.get("CONFORMANCE_BROWSER") == "required":
        pytest.fail(f"{reason}, and CONFORMANCE_BROWSER=required", pytrace=False)
    pytest.skip(reason)


@pytest.fixture(scope="session")
def chromium() -> Iterator[Browser]:
    """The browser, started once."""
    try:
        with launched() as browser:
            yield browser
    except NoBrowser as reason:
        _missing(str(reason))


@pytest.fixture(scope="session")
def report(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The report of the sample, with the changes since an earlier matrix, and a sweep over operations."""
    return written(sample(), tmp_path_factory.mktemp("report"), earlier(), sweep())


def written(matrix: Matrix, folder: Path, before: Matrix | None = None, operations: Matrix | None = None) -> Path:
    """The report of a matrix, as a file in a folder."""
    path = folder / "report.html"
    path.write_text(render(matrix, before, operations), encoding="utf-8")
    return path


@pytest.fixture
def opened(chromium: Browser, report: Path) -> Iterator[Opening]:
    """Opens an address of the report, or of another; in the end nothing was complained of, or asked of a network."""
    contexts, complaints, asked = [], [], []

    def opening(address: str = "", path: Path | None = None, **context: Any) -> Page:
        # With a storage that no other page shares: the choice of colours is kept there.
        contexts.append(chromium.new_context(**{"viewport": {"width": 1280, "height": 900}, **context}))
        page = contexts[-1].new_page()
        page.on("console", lambda message: complaints.append(message.text))
        page.on("pageerror", lambda error: complaints.append(str(error)))
        # Noted, not blocked: a page that asks for anything must fail the test.
        page.on("request", lambda request: asked.append(request.url))
        page.on("dialog", lambda dialog: complaints.append(f"dialog: {dialog.message}"))
        page.goto(f"{(path or report).as_uri()}{address}")
        if context.get("java_script_enabled", True):
            # Which the script sets when it has read the address; without it the title has no dot.
            expect(page).to_have_title(re.compile("·"))
        return page

    yield opening
    for context in contexts:
        context.close()
    assert complaints == []
    assert [url for url in asked if not url.startswith("file:")] == []


def statements(page: Page, within: str = "#table") -> list[str]:
    """The statements of the rows that are shown, be they in sight or further down."""
    shown = "links => links.filter(link => link.checkVisibility()).map(link => link.textContent)"
    texts: list[str] = page.locator(f"{within} a.statement").evaluate_all(shown)
    return texts


def address(page: Page) -> str:
    """The address behind the file's name."""
    return "#" + page.url.partition("#")[2]
