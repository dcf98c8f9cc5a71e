"""The matrix as a single HTML file: opens from disk, loads nothing from the network, runs only its own script."""

from __future__ import annotations

import base64
import hashlib
from collections.abc import Callable
from typing import Any
from urllib.parse import quote

from markupsafe import Markup, escape

from conformance.mutants import recorded
from reports import text, view
from reports.html_data import changes, data, programs
from reports.model import Matrix
from reports.operations import LAW_OUTCOMES
from reports.operations_data import operations_data, operations_plots
from reports.page_templates import TEMPLATES, environment
from reports.plots import Plots
from reports.programs_data import programs_view
from reports.unexpected import COUNTED, stale, unexpected

# The parts of the script, in the order of the page; each uses those before it.
SCRIPTS = (
    *("dom", "data", "state", "search", "table", "compare", "specification", "code", "detail"),
    *("sweep", "plot", "operations", "operation", "programs", "keys", "main"),
)

# What a desktop window has for the engines' columns, in rem: the style sheet's 90, less margins and first column.
_ROOM = 56.0

_LONGEST_NAME = 48


def render(
    matrix: Matrix,
    earlier: Matrix | None = None,
    operations: Matrix | None = None,
    plots: Plots | None = None,
    generated: Matrix | None = None,
) -> str:
    """The whole page; with an earlier matrix it also has what changed, with a sweep it has a view of operations,
    and with campaigns a view of programs.

    The same matrix gives the same bytes. `plots` are shown on the pages of their cells.
    """
    rows, changed = view.rows(matrix), changes(matrix, earlier)
    filters: dict[str, Callable[..., Any]] = {"name": view.name_of, "words": text.words, "excerpt": text.excerpt}
    pages = environment(text.clean, **filters, fragment=_fragment, prose=_prose)
    return pages.get_template("report.html.j2").render(
        matrix=matrix,
        earlier=earlier,
        changed=changed,
        **_assets(matrix),
        # Base64, in which nothing is to be escaped.
        data=Markup(data(matrix, rows, changed)),
        programs=Markup(programs(rows)),
        **_swept(operations, plots),
        **programs_view(generated),
        # The view that the page opens with, where it has no behaviours.
        start="" if matrix.behaviours else "operations" if operations else "programs" if generated else "",
        chapters=view.highlights_first(rows),
        reason=view.reason,
        **_overview(matrix),
        longest=_LONGEST_NAME,
        few=_fits(matrix),
        mutants=len({key for row in matrix.behaviours for key in recorded().get(row.id, ())}),
    )


def _assets(matrix: Matrix) -> dict[str, Any]:
    """Template variables of style and scripts, and the policy that allows these alone."""
    style = "".join(map(_asset, ("report.css", "views.css", "operations.css", "programs.css"))) + _columns(matrix)
    early, script = _asset("early.js"), _script()
    policy = _policy(style, early, script)
    return {"style": Markup(style), "early": Markup(early), "script": Markup(script), "policy": policy}


def _overview(matrix: Matrix) -> dict[str, Any]:
    """Template variables about all cells together."""
    counts = view.counts(matrix)
    return {
        "counts": counts,
        "counted": view.used(counts),
        "legend": view.LEGEND,
        "sentence": view.sentence(matrix),
        "stale": stale(matrix),
        "unexpected": unexpected(matrix),
        "broken": any(cell.verdict in COUNTED for cell in matrix.cells),
    }


def _swept(operations: Matrix | None, plots: Plots | None) -> dict[str, Any]:
    """Template variables of the operations view."""
    return {
        "operations": operations,
        "operations_verdicts": LAW_OUTCOMES,
        "operations_data": Markup(operations_data(operations, plots) if operations else ""),
        "operations_plots": Markup(operations_plots(plots)),
    }


def _fits(matrix: Matrix) -> bool:
    """Whether the table fits a desktop: its head then stays in sight while the page itself scrolls."""
    # In rem, measured: a verdict with its mark needs 7.5, a letter of the head 0.62.
    widths = [max(7.5, 1.8 + 0.62 * min(len(engine.column), _LONGEST_NAME)) for engine in matrix.engines]
    return sum(widths) <= _ROOM


def _columns(matrix: Matrix) -> str:
    """Rules that depend on the engines: how many there are, and their names beside verdicts where a row is a card."""
    names = (
        f"#table td:nth-child({place}){{--engine:{_quoted(engine.column)}}}\n"
        for place, engine in enumerate(matrix.engines, 2)  # after the column of statements
    )
    return f":root{{--engines:{len(matrix.engines)}}}\n{''.join(names)}"


def _quoted(name: str) -> str:
    """A string of CSS, in which everything but letters, digits and a few marks is spelled out."""
    plain = text.excerpt(name, _LONGEST_NAME)
    return '"' + "".join(c if c.isalnum() or c in " :_.=,-" else f"\\{ord(c):x} " for c in plain) + '"'


def _fragment(id: str) -> str:
    return quote(text.clean(id), safe="._-")


def _prose(statement: str) -> Markup:
    """A statement, in which `backticks` set off code; where they do not pair up they are shown as they are."""
    parts = text.clean(statement).split("`")
    if len(parts) % 2 == 0:
        return escape("`".join(parts))
    shown = (Markup("<code>{}</code>").format(part) if place % 2 else escape(part) for place, part in enumerate(parts))
    return Markup("").join(shown)


def _asset(name: str) -> str:
    """The text of a style sheet or script, byte for byte as in the page: the policy's hash is over it."""
    return (TEMPLATES / name).read_text(encoding="utf-8")


def _script() -> str:
    """The script's parts in a function, so that none of their names is global."""
    parts = "\n".join(_asset(f"{name}.js") for name in SCRIPTS)
    return f'(async () => {{\n"use strict";\n{parts}}})();\n'


def _policy(style: str, *scripts: str) -> str:
    # Messages of engines are untrusted: even if any became markup, no script but these could run.
    return "; ".join(
        [
            "default-src 'none'",
            f"style-src {_digest(style)}",
            f"script-src {' '.join(map(_digest, scripts))}",
            "base-uri 'none'",
            "form-action 'none'",
        ]
    )


def _digest(content: str) -> Markup:
    raw = hashlib.sha256(content.encode()).digest()
    return Markup(f"'sha256-{base64.b64encode(raw).decode()}'")
