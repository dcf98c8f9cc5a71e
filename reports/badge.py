"""A badge per engine: the endpoint schema of shields.io, and an SVG of our own. Counts, no score.

Blue says that every cell was as foreseen, orange that some were not; the words say so too.
"""

from __future__ import annotations

import json
from xml.etree import ElementTree
from xml.etree.ElementTree import Element, SubElement

from reports import view
from reports.model import Engine, Matrix
from reports.text import clean, excerpt
from reports.unexpected import unexpected

__all__ = ["endpoint", "svg"]

LABEL = "autograd conformance"
_BLUE, _ORANGE, _GREY = "#1f5fa8", "#a64b00", "#444444"

# A letter of Verdana at 11 pixels is so wide on average; `textLength` makes a browser keep to it.
_LETTER, _MARGIN = 6.3, 10


def endpoint(matrix: Matrix, engine: Engine) -> str:
    """The JSON that shields.io asks an address for."""
    fields = {"schemaVersion": 1, "label": LABEL, "message": _message(matrix, engine), "color": _colour(matrix, engine)}
    return json.dumps(fields, indent=1, ensure_ascii=False) + "\n"


def svg(matrix: Matrix, engine: Engine) -> str:
    """The badge as a picture that needs nothing else; its title, for those who do not see it, has all counts."""
    message, title = _message(matrix, engine), _title(matrix, engine)
    left, right = _width(LABEL), _width(message)
    size = {"width": f"{left + right:g}", "height": "20"}
    root = Element("svg", size | {"xmlns": "http://www.w3.org/2000/svg", "role": "img", "aria-label": title})
    SubElement(root, "title").text = title
    SubElement(root, "rect", {"width": f"{left:g}", "height": "20", "fill": _GREY})
    SubElement(root, "rect", {"x": f"{left:g}", "width": f"{right:g}", "height": "20", "fill": _colour(matrix, engine)})
    font = {"fill": "#ffffff", "font-family": "Verdana,DejaVu Sans,sans-serif", "font-size": "11"}
    texts = SubElement(root, "g", font | {"text-anchor": "middle", "aria-hidden": "true"})
    for middle, said, width in ((left / 2, LABEL, left), (left + right / 2, message, right)):
        place = {"x": f"{middle:g}", "y": "14", "textLength": f"{width - _MARGIN:g}"}
        SubElement(texts, "text", place).text = said
    return ElementTree.tostring(root, encoding="unicode") + "\n"


def _message(matrix: Matrix, engine: Engine) -> str:
    """Every verdict that there is, counted. No share of a whole: what is absent by design is no fault."""
    counts = view.counts(matrix, engine)
    names = [verdict.value for verdict in view.LEGEND]
    told = ", ".join(f"{counts[verdict]:,} {verdict}" for verdict in names if counts[verdict])
    unforeseen = _unforeseen(matrix, engine)
    return (told or "not run") + (f" ({unforeseen:,} unforeseen)" if unforeseen else "")


def _title(matrix: Matrix, engine: Engine) -> str:
    counts = view.counts(matrix, engine)
    told = ", ".join(f"{count:,} {name}" for name, count in counts.items() if count)
    part = "" if engine.complete else ", a selection"
    name = excerpt(f"{engine.column} {engine.version}", 100)
    return clean(f"{name} on {LABEL} {matrix.suite.version}{part}: {told or 'nothing was run'}")


def _unforeseen(matrix: Matrix, engine: Engine) -> int:
    return len([cell for cell in unexpected(matrix) if cell.engine == engine.column]) + len(engine.stale)


def _colour(matrix: Matrix, engine: Engine) -> str:
    return _ORANGE if _unforeseen(matrix, engine) else _BLUE


def _width(said: str) -> float:
    return _MARGIN + _LETTER * len(said)
