"""A badge per engine: the endpoint schema of shields.io, and an SVG. Counts, no score.

Blue: nothing unexpected. Orange: something unexpected, which the text says as well.
"""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Mapping
from dataclasses import dataclass
from xml.etree import ElementTree
from xml.etree.ElementTree import Element, SubElement

from reports import view
from reports.model import Matrix, MatrixEngine
from reports.text import clean, excerpt
from reports.unexpected import unexpected

__all__ = ["Badge", "badges", "endpoint", "svg"]

LABEL = "autograd conformance"
_BLUE, _ORANGE, _GREY = "#1f5fa8", "#a64b00", "#444444"

# Average width of a letter of Verdana at 11 pixels; `textLength` makes every browser keep to it.
_LETTER, _MARGIN = 6.3, 10


@dataclass(frozen=True)
class Badge:
    """What a badge shows: a few words, their colour, and a title with all counts."""

    message: str
    title: str
    colour: str


def badges(matrix: Matrix) -> dict[str, Badge]:
    """The badges of all engines, by column."""
    counts = Counter(cell.engine for cell in unexpected(matrix))
    return {engine.column: _badge(matrix, engine, counts[engine.column]) for engine in matrix.engines}


def endpoint(badge: Badge) -> str:
    """The JSON that shields.io expects of an endpoint."""
    fields = {"schemaVersion": 1, "label": LABEL, "message": badge.message, "color": badge.colour}
    return json.dumps(fields, indent=1, ensure_ascii=False) + "\n"


def svg(badge: Badge) -> str:
    """The badge as a self-contained picture; its title is for screen readers."""
    left, right = _width(LABEL), _width(badge.message)
    size = {"width": f"{left + right:g}", "height": "20"}
    root = Element("svg", size | {"xmlns": "http://www.w3.org/2000/svg", "role": "img", "aria-label": badge.title})
    SubElement(root, "title").text = badge.title
    SubElement(root, "rect", {"width": f"{left:g}", "height": "20", "fill": _GREY})
    SubElement(root, "rect", {"x": f"{left:g}", "width": f"{right:g}", "height": "20", "fill": badge.colour})
    font = {"fill": "#ffffff", "font-family": "Verdana,DejaVu Sans,sans-serif", "font-size": "11"}
    texts = SubElement(root, "g", font | {"text-anchor": "middle", "aria-hidden": "true"})
    # Text is centred in its half; `aria-hidden`, because the title says it already.
    for middle, said, width in ((left / 2, LABEL, left), (left + right / 2, badge.message, right)):
        place = {"x": f"{middle:g}", "y": "14", "textLength": f"{width - _MARGIN:g}"}
        SubElement(texts, "text", place).text = said
    return ElementTree.tostring(root, encoding="unicode") + "\n"


def _badge(matrix: Matrix, engine: MatrixEngine, unexpected: int) -> Badge:
    counts = view.counts(matrix, engine)
    unexpected += len(engine.stale)
    return Badge(_message(counts, unexpected), _title(matrix, engine, counts), _ORANGE if unexpected else _BLUE)


def _message(counts: Mapping[str, int], unexpected: int) -> str:
    """Every verdict that there is, counted. No share of a whole: what is absent by design is no fault."""
    names = [verdict.value for verdict in view.LEGEND]
    told = ", ".join(f"{counts[verdict]:,} {verdict}" for verdict in names if counts[verdict])
    return (told or "not run") + (f" ({unexpected:,} unexpected)" if unexpected else "")


def _title(matrix: Matrix, engine: MatrixEngine, counts: Mapping[str, int]) -> str:
    told = ", ".join(f"{count:,} {name}" for name, count in counts.items() if count)
    part = "" if engine.complete else ", a selection"
    name = excerpt(f"{engine.column} {engine.version}", 100)
    return clean(f"{name} on {LABEL} {matrix.suite.version}{part}: {told or 'nothing was run'}")


def _width(said: str) -> float:
    return _MARGIN + _LETTER * len(said)
