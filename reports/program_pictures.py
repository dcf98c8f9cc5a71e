"""The graph of a generated program as SVG: a line for each step, bodies as boxes, arcs for values and for memory.

Colours are classes of the page's style sheet, so it is readable on light and dark; the text alternative is the listing.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from xml.sax.saxutils import escape, quoteattr

from conformance.programs.source.report import GraphRow
from reports.text import clean, excerpt

# In pixels: the height of a line, the indent of a box, the width of a letter, room for an arc.
LINE, INDENT, LETTER, ARC = 26, 18, 7.3, 15
LONGEST_TEXT, MOST_ARCS = 44, 6


def picture_of(rows: Sequence[GraphRow], words: str) -> str:
    """The picture; empty without lines. `words` are its text alternative."""
    if not rows:
        return ""
    left = ARC * (
        1 + min(MOST_ARCS, max((abs(at - taken) for at, row in enumerate(rows) for taken in row.takes), default=0))
    )
    widths = [INDENT * row.depth + LETTER * len(_text(row)) + 24 for row in rows]
    right = left + max(widths) + INDENT
    parts = [*_boxes(rows, left, right), *_lines(rows, left), *_arcs(rows, left), *_memory(rows, left, widths)]
    width, height = right + 4 * ARC, LINE * len(rows) + 12
    label = quoteattr(clean(words))
    return (
        f'<svg class="graph" xmlns="http://www.w3.org/2000/svg" role="img" aria-label={label} width="{width:.0f}" '
        f'height="{height}" viewBox="0 0 {width:.0f} {height}">{"".join(parts)}</svg>'
    )


def _text(row: GraphRow) -> str:
    shown = excerpt(clean(row.text), LONGEST_TEXT)
    return f"{row.name} = {shown}" if row.name else shown


def _middle(at: int) -> float:
    return 6 + LINE * (at + 0.5)


def _boxes(rows: Sequence[GraphRow], left: float, right: float) -> Iterator[str]:
    """A box around each body."""
    for at, row in enumerate(rows):
        if row.ends is not None:
            x, y = left + INDENT * row.depth, 6 + LINE * at + 1
            width, height = right - x - INDENT * row.depth / 2, LINE * (row.ends - at + 1) - 2
            yield f'<rect class="body" x="{x:.0f}" y="{y}" width="{width:.0f}" height="{height}" rx="4"/>'


def _lines(rows: Sequence[GraphRow], left: float) -> Iterator[str]:
    for at, row in enumerate(rows):
        kind = "input" if row.name and not row.takes and row.depth == 0 else "write" if row.writes else "step"
        x, y = left + INDENT * row.depth, _middle(at)
        yield f'<circle class="{kind}" cx="{x + 6:.0f}" cy="{y:.0f}" r="3.5"/>'
        yield f'<text class="{kind}" x="{x + 16:.0f}" y="{y + 4:.0f}">{escape(_text(row))}</text>'


def _arcs(rows: Sequence[GraphRow], left: float) -> Iterator[str]:
    """On the left, from each value to what is made of it."""
    for at, row in enumerate(rows):
        for taken in sorted(set(row.takes)):
            start, end = (left + INDENT * rows[place].depth + 1 for place in (taken, at))
            # Longer arcs bulge more, so that arcs over the same lines do not cover each other.
            yield _arc("value", (start, taken), (end, at), min(start, end) - ARC * min(MOST_ARCS, abs(at - taken)))


def _memory(rows: Sequence[GraphRow], left: float, widths: Sequence[float]) -> Iterator[str]:
    """On the right, from each value to its views and to the writes into it."""
    for at, row in enumerate(rows):
        if row.memory is not None:
            start, end = left + widths[row.memory], left + widths[at]
            bulge = max(start, end) + ARC * min(4, abs(at - row.memory))
            yield _arc("write" if row.writes else "shared", (start, row.memory), (end, at), bulge)


def _arc(kind: str, start: tuple[float, int], end: tuple[float, int], bulge: float) -> str:
    """A curve between the middles of two lines, each end with its x; `bulge` is the x of both control points."""
    (x, y), (to, below) = ((x, _middle(line)) for x, line in (start, end))
    path = f"M{x:.0f} {y:.0f}C{bulge:.0f} {y:.0f} {bulge:.0f} {below:.0f} {to:.0f} {below:.0f}"
    return f'<path class="{kind}" d="{path}"/>'
