"""Plots of failing cells, as the page's script draws them."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from reports.beside import Curves
from reports.html import render
from reports.plots import plots_of_places
from tests.browser.conftest import Opening
from tests.browser.sample import sample
from tests.browser.test_operations import CELL, FORWARD, REVERSE
from tests.reports.making import curve_file
from tests.reports.making_operations import sweep

# The texts and marks of a drawing that are not within it.
OUTSIDE = """svg => {
    const box = svg.getBoundingClientRect();
    return [...svg.querySelectorAll("text, .mark")].filter((part) => {
        const its = part.getBoundingClientRect();
        return its.left < box.left - 1 || its.right > box.right + 1
            || its.top < box.top - 1 || its.bottom > box.bottom + 1;
    }).map((part) => part.textContent);
}"""


def with_plot(tmp_path: Path, *got: str) -> Path:
    """A report in which the cell has a plot: engines that give these numbers for the derivative of x^2 at 1."""
    files: dict[str, Curves] = {}
    for number, text in enumerate(got):
        files |= curve_file(text, f"<b>engine {number}</b>")
    (plot,) = plots_of_places(files).values()
    path = tmp_path / "report.html"
    path.write_text(render(sample(), None, sweep(), {("det", "torch", REVERSE): plot}), encoding="utf-8")
    return path


def test_a_plot_is_drawn_with_its_legend_and_caption(opened: Opening, tmp_path: Path) -> None:
    """Two panels with numbers on their axes, a marker with its number, and words for those who do not see it."""
    path = with_plot(tmp_path, "0.5", "1000.0", "nan")
    page = opened(CELL, path)
    plot = page.locator("#panel figure.plot")
    drawing = plot.locator("> svg")
    caption = plot.locator("figcaption").inner_text()
    assert caption.startswith(
        "The derivative of square(1.0) (one): expected 2 (exact); 0.5 at this point only — <b>engine 0</b>: "
    )
    assert (drawing.get_attribute("role"), drawing.get_attribute("aria-label")) == ("img", caption)
    assert plot.locator(".title").inner_text() == "Derivative of square(1.0)"
    texts = drawing.locator("text").all_text_contents()
    assert {"function", "derivative", "x", "0", "0.5", "1", "2", "1000", "nan"} <= set(texts)
    # The function and its true derivative, and the line of each engine; of marks as many.
    assert drawing.locator(".line").count() == 2 + 3
    assert drawing.locator(".mark").count() == 2 + 3
    assert [str(line.get_attribute("d"))[0] for line in drawing.locator(".line").all()] == ["M"] * 5
    assert plot.locator(".legend li").all_inner_texts()[:2] == [
        "expected 2 (exact)",
        "0.5 at this point only — <b>engine 0</b>: forward",
    ]
    assert plot.locator("b").count() == 0
    page = opened(f"#operations/det/torch/{FORWARD}", path)
    page.locator("#panel .witness").wait_for()
    assert page.locator("figure").count() == 0


@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_a_plot_has_room_and_colours_in_both_schemes(opened: Opening, tmp_path: Path, scheme: Any) -> None:
    """Everything is within the drawing, on a phone too; wrong groups differ in colour, dashes and markers."""
    page = opened(
        CELL, with_plot(tmp_path, "0.5", "1.5", "3.0"), color_scheme=scheme, viewport={"width": 390, "height": 844}
    )
    drawing = page.locator("#panel figure.plot > svg")
    assert page.evaluate("document.documentElement.scrollWidth") <= 390
    outside = drawing.evaluate(OUTSIDE)
    assert outside == []
    style = "parts => parts.map(part => [getComputedStyle(part).stroke, getComputedStyle(part).strokeDasharray].join())"
    lines = drawing.locator(".line:not(.s-true, .s-value)").evaluate_all(style)
    markers = drawing.locator(".mark:not(.s-true, .s-value) path").all()
    marks = [marker.get_attribute("d") for marker in markers]
    assert (len(set(lines)), len(set(marks))) == (3, 3)
