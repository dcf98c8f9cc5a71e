"""Chromium, as it is started on a machine without a display, a graphics card or a network."""

from __future__ import annotations

import os
import shutil
from collections.abc import Iterator
from contextlib import contextmanager
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from playwright.sync_api import Browser

# Chromium does not start as root with its sandbox, and by itself asks its maker's servers for updates.
ARGUMENTS = [
    *("--no-sandbox", "--disable-gpu", "--disable-quic", "--no-first-run"),
    *("--disable-background-networking", "--disable-component-update", "--disable-sync"),
]
PATHS = (os.environ.get("CHROMIUM", ""), "chromium", "chromium-browser", "google-chrome")


class NoBrowser(Exception):
    """There is no browser to start; the message has a remedy."""


@contextmanager
def launched() -> Iterator[Browser]:
    """The browser, while the context lasts. Raises NoBrowser."""
    try:
        from playwright.sync_api import sync_playwright
    except ImportError:
        raise NoBrowser("Playwright is not installed: python -m nox -s browser") from None
    path = next(filter(None, map(shutil.which, filter(None, PATHS))), None)
    if path is None:
        raise NoBrowser("there is no Chromium: install it (apt-get install chromium), or set CHROMIUM to its path")
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=path, args=ARGUMENTS)
        yield browser
        browser.close()


def expect(what: Any) -> Any:
    """Playwright's assertions of a page or a part of it, which wait until they hold.

    Not `wait_for_function`: in Playwright 1.65 it evaluates its text under the page's own policy, which forbids that.
    """
    # Only now: these tests are skipped where there is no Playwright.
    from playwright.sync_api import expect

    return expect(what)
