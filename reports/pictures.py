"""Pictures of failing cells: an operation and its derivative near a point, as each engine computes them."""

from __future__ import annotations

from collections.abc import Mapping
from importlib.util import find_spec

from conformance.curves import CurvePlace
from reports.curves import CurvesFile
from reports.drawing import COLOURS, draw
from reports.inline_svg import inline
from reports.operations_data import Picture, Pictures
from reports.picture_groups import content, described

__all__ = ["missing", "of_cells", "pictures"]


def missing() -> str:
    """Why there can be no pictures, in a line; empty where there can."""
    if find_spec("matplotlib"):
        return ""
    return "no pictures: matplotlib is not installed; install autograd-conformance[pictures]"


def pictures(files: Mapping[str, CurvesFile]) -> dict[CurvePlace, Picture]:
    """The pictures by place, as SVG for a page, of the curves of the engines by column.

    Curves of all engines at one place are in one picture; there is one for each place at which an engine is wrong.
    Raises ImportError without matplotlib (`missing`).
    """
    places = sorted({place for file in files.values() for place in file.curves})
    found = {}
    for place in places:
        curves = {column: file.curves[place] for column, file in files.items() if place in file.curves}
        if picture := content(curves):
            words = described(picture)
            found[place] = Picture(inline(draw(picture), f"{picture.title}, {place.at}", words, COLOURS), words)
    return found


def of_cells(files: Mapping[str, CurvesFile]) -> Pictures:
    """The picture of each cell that has one. Raises ImportError without matplotlib (`missing`)."""
    drawn = pictures(files)
    cells = ((column, cell, place) for column, file in files.items() for cell, place in file.cells.items())
    found = {}
    for column, cell, place in cells:
        law, _, operation = cell.rstrip("]").partition("[")
        if operation and place in drawn:
            found[operation, column, law] = drawn[place]
    return found
