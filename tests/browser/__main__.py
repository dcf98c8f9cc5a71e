"""Pictures of a report, and figures of a large one, for the documentation.

python -m tests.browser --pictures FOLDER REPORT...   a picture of each report's first view: FOLDER/report.png, ...
python -m tests.browser --measure                     size, first paint and keystrokes of a thousand rows by forty,
                                                      and size and opening of a sweep over operations
"""

from __future__ import annotations

import re
import statistics
import sys
import tempfile
from itertools import pairwise
from pathlib import Path
from typing import TYPE_CHECKING

from reports.html import render
from tests.browser.launching import NoBrowser, expect, launched
from tests.browser.synthetic import synthetic
from tests.browser.synthetic_sweep import synthetic_sweep

if TYPE_CHECKING:
    from playwright.sync_api import Browser, CDPSession, Page

WINDOW = {"width": 1280, "height": 800}
PAINTED = "performance.getEntriesByName('first-contentful-paint')[0].startTime"
# What a user waits for: from the key to the next frame. The browser reports nothing that takes less than 16 ms.
WATCHING = """
window.took = [];
new PerformanceObserver(list => took.push(...list.getEntries().filter(e => e.name === 'keydown').map(e => e.duration)))
  .observe({type: 'event', durationThreshold: 16});
"""
TYPED = "gradient of max"
OPENING = """
async () => {
  const from = performance.now();
  document.querySelector('.views [data-view=operations]').click();
  while (!document.querySelector('#operations-table .m')) await new Promise(done => setTimeout(done));
  await new Promise(done => requestAnimationFrame(() => setTimeout(done)));
  return performance.now() - from;
}
"""
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
    expect(page).to_have_title(re.compile("·"))


def measure(browser: Browser, folder: Path) -> None:
    """Print the size of two reports, and how long the larger makes a reader wait."""
    for rows, columns in ((700, 8), (1000, 40)):
        report = folder / f"{rows}.html"
        report.write_text(render(synthetic(rows, columns)), encoding="utf-8")
        print(f"{rows} behaviours by {columns} engines: {report.stat().st_size / 1e6:.2f} MB")
    for name, address in (("highlights", ""), ("whole matrix", "#/matrix")):
        waits_of_each = [_waits(browser, report, address) for _ in range(REPETITIONS)]
        print(f"{name}: first paint {_spread([paint for paint, _, _ in waits_of_each])}")
        print(f"  keystroke to frame {_spread([wait for _, waits, _ in waits_of_each for wait in waits])}")
        print(f"  processor time of a keystroke {_spread([busy for _, _, all in waits_of_each for busy in all])}")


def measure_sweep(browser: Browser, folder: Path) -> None:
    """Print what a sweep over operations adds to a report, and how long its view takes to open."""
    matrix, sweep = synthetic(700, 8), synthetic_sweep(775, 40, 6)
    plain, whole = render(matrix), render(matrix, operations=sweep)
    print(f"{len(sweep.cells):,} cells of operations add {(len(whole) - len(plain)) / 1e6:.2f} MB")
    report = folder / "sweep.html"
    report.write_text(whole, encoding="utf-8")
    openings = [_opening(browser, report) for _ in range(REPETITIONS)]
    print(f"operations: from the click to the marks {_spread([wait for wait, _ in openings])}")
    print(f"  processor time {_spread([busy for _, busy in openings])}")


def _opening(browser: Browser, report: Path) -> tuple[float, float]:
    """From a click on the view of operations until its first marks are painted: wait and processor time, in ms."""
    page = browser.new_page(viewport=WINDOW)
    _open(page, report)
    page.wait_for_timeout(500)
    meter = page.context.new_cdp_session(page)
    meter.send("Performance.enable", {"timeDomain": "threadTicks"})
    before = _busy(meter)
    wait = page.evaluate(OPENING)
    spent = 1e3 * (_busy(meter) - before)
    page.close()
    return float(wait), spent


def _spread(times: list[float]) -> str:
    most = sorted(times)[int(0.95 * len(times))]
    return f"median {statistics.median(times):.0f} ms, 95 % within {most:.0f}, most {max(times):.0f} (of {len(times)})"


def _waits(browser: Browser, report: Path, address: str) -> tuple[float, list[float], list[float]]:
    """The first paint, then of a search that is typed and taken back: waits, and processor time, in milliseconds."""
    page = browser.new_page(viewport=WINDOW)
    _open(page, report, address)
    paint = page.evaluate(PAINTED)
    # Until the page has come to rest.
    page.wait_for_timeout(500)
    page.evaluate(WATCHING)
    page.focus("#search")
    meter = page.context.new_cdp_session(page)
    meter.send("Performance.enable", {"timeDomain": "threadTicks"})
    keys = [*("Space" if letter == " " else letter for letter in TYPED), *["Backspace"] * len(TYPED)]
    spent = [_busy(meter), *(_pressed(page, key, meter) for key in keys)]
    took = page.evaluate("took")
    page.close()
    busy = [1e3 * (after - before) for before, after in pairwise(spent)]
    # A key that the browser does not report took less than a frame, and counts as a whole frame.
    return paint, took + [16.0] * (len(keys) - len(took)), busy


def _pressed(page: Page, key: str, meter: CDPSession) -> float:
    page.keyboard.press(key)
    # Until the work of this key is done: what is read next is its processor time alone.
    page.wait_for_timeout(150)
    return _busy(meter)


def _busy(meter: CDPSession) -> float:
    """Processor time of the page's main thread so far, in seconds: other work on the machine does not count."""
    metrics = {metric["name"]: metric["value"] for metric in meter.send("Performance.getMetrics")["metrics"]}
    return float(metrics["TaskDuration"])


def main() -> None:
    """Make pictures or measure. Exit status 2 for other arguments, or without a browser."""
    try:
        with launched() as browser, tempfile.TemporaryDirectory() as folder:
            if sys.argv[1:] == ["--measure"]:
                measure(browser, Path(folder))
                measure_sweep(browser, Path(folder))
            elif sys.argv[1:2] == ["--pictures"] and len(sys.argv) > 3:
                pictures(browser, Path(sys.argv[2]), [Path(name) for name in sys.argv[3:]])
            else:
                sys.exit(f"expected --measure, or --pictures FOLDER REPORT...; got {sys.argv[1:]}")
    except NoBrowser as reason:
        print(reason, file=sys.stderr)
        sys.exit(2)


if __name__ == "__main__":
    main()
