"""Pictures of a report, and figures of a large one, for the documentation.

python -m tests.browser --pictures FOLDER REPORT...   a picture of each report's first view: FOLDER/report.png, ...
python -m tests.browser --measure                     size, first paint and keystrokes of a thousand rows by forty
"""

from __future__ import annotations

import statistics
import sys
import tempfile
from pathlib import Path
from typing import TYPE_CHECKING

from reports.html import render
from tests.browser.launching import NoBrowser, launched
from tests.browser.synthetic import synthetic

if TYPE_CHECKING:
    from playwright.sync_api import Browser, Page

WINDOW = {"width": 1280, "height": 800}
PAINTED = "performance.getEntriesByName('first-contentful-paint')[0].startTime"
# What a user waits for: from the key to the next frame. The browser reports nothing that takes less than 16 ms.
WATCHING = """
window.took = [];
new PerformanceObserver(list => took.push(...list.getEntries().filter(e => e.name === 'keydown').map(e => e.duration)))
  .observe({type: 'event', durationThreshold: 16});
"""
TYPED = "gradient of max"
REPETITIONS = 5


def pictures(browser: Browser, folder: Path, reports: list[Path]) -> None:
    """A picture of each report, as it first opens."""
    folder.mkdir(parents=True, exist_ok=True)
    for report in reports:
        page = browser.new_page(viewport=WINDOW, color_scheme="light")
        _open(page, report)
        page.screenshot(path=folder / f"{report.stem}.png")


def _open(page: Page, report: Path, address: str = "") -> None:
    page.goto(f"{report.resolve().as_uri()}{address}")
    page.wait_for_function("document.title.includes('·')")


def measure(browser: Browser, folder: Path) -> None:
    """Print the size of two reports, and how long the larger makes a reader wait."""
    for rows, columns in ((700, 8), (1000, 40)):
        report = folder / f"{rows}.html"
        report.write_text(render(synthetic(rows, columns)), encoding="utf-8")
        print(f"{rows} behaviours by {columns} engines: {report.stat().st_size / 1e6:.2f} MB")
    for name, address in (("what stands out", ""), ("whole matrix", "#/matrix")):
        found = [_waits(browser, report, address) for _ in range(REPETITIONS)]
        paints, keys = [paint for paint, _ in found], [key for _, keys in found for key in keys]
        print(f"{name}: first paint {statistics.median(paints):.0f} ms ({min(paints):.0f}-{max(paints):.0f}); ", end="")
        middle, most = statistics.median(keys), sorted(keys)[int(0.95 * len(keys))]
        print(f"{len(keys)} keystrokes, median {middle:.0f} ms, 95 % within {most:.0f}, most {max(keys):.0f}")


def _waits(browser: Browser, report: Path, address: str) -> tuple[float, list[float]]:
    """The first paint, and every keystroke of a search that is typed and taken back, in milliseconds."""
    page = browser.new_page(viewport=WINDOW)
    _open(page, report, address)
    paint = page.evaluate(PAINTED)
    page.wait_for_timeout(500)
    page.evaluate(WATCHING)
    page.focus("#search")
    page.keyboard.type(TYPED, delay=120)
    for _ in TYPED:
        page.keyboard.press("Backspace", delay=60)
        page.wait_for_timeout(60)
    page.wait_for_timeout(300)
    unreported = 2 * len(TYPED) - len(took := page.evaluate("took"))
    page.close()
    return paint, took + [16.0] * unreported


def main() -> None:
    """Do what the first argument says. Exit status 2 if it says nothing, or there is no browser."""
    try:
        with launched() as browser, tempfile.TemporaryDirectory() as folder:
            if sys.argv[1:] == ["--measure"]:
                measure(browser, Path(folder))
            elif sys.argv[1:2] == ["--pictures"] and len(sys.argv) > 3:
                pictures(browser, Path(sys.argv[2]), [Path(name) for name in sys.argv[3:]])
            else:
                sys.exit(f"expected --measure, or --pictures FOLDER REPORT...; got {sys.argv[1:]}")
    except NoBrowser as reason:
        print(reason, file=sys.stderr)
        sys.exit(2)


if __name__ == "__main__":
    main()
