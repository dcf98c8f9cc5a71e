"""The matrix as one HTML file: opens from disk, asks no network, runs nothing but its own script."""

from __future__ import annotations

import base64
import hashlib
from pathlib import Path
from typing import Any
from urllib.parse import quote

from jinja2 import Environment, FileSystemLoader, StrictUndefined
from markupsafe import Markup

from conformance.kills import killed_by, recorded
from reports import text, view
from reports.model import Matrix
from reports.unexpected import stale, unexpected

__all__ = ["render"]

_TEMPLATES = Path(__file__).parent / "templates"

# What a desktop window has for the engines' columns, in rem: the style sheet's 64, less margins and first column.
_ROOM = 39.0

_LONGEST_NAME = 48


def render(matrix: Matrix, earlier: Matrix | None = None) -> str:
    """The whole page. The same matrix gives the same page, to the byte."""
    style, script = _asset("report.css"), _asset("report.js")
    rows = view.rows(matrix)
    shown = {behaviour.id for behaviour in matrix.behaviours}
    return (
        _environment()
        .get_template("report.html.j2")
        .render(
            matrix=matrix,
            style=Markup(style),
            script=Markup(script),
            policy=_policy(style, script),
            chapters=view.chapters(rows),
            groups=view.disagreements(rows),
            counts=[view.counts(matrix, engine) for engine in matrix.engines],
            legend=view.LEGEND,
            sentence=view.sentence(matrix),
            stale=stale(matrix),
            unexpected=unexpected(matrix),
            longest=_LONGEST_NAME,
            few=_fits(matrix),
            mutants=[mutant for mutant in recorded().mutants if shown.intersection(mutant.killers)],
            killed_by=killed_by,
            shown=shown,
        )
    )


def _fits(matrix: Matrix) -> bool:
    """Whether the table fits a desktop: its head then stays in sight while the page itself scrolls."""
    widths = [max(7.5, 1.8 + 0.62 * min(len(engine.column), _LONGEST_NAME)) for engine in matrix.engines]
    return sum(widths) <= _ROOM


def _environment() -> Environment:
    environment = Environment(
        loader=FileSystemLoader(_TEMPLATES),
        autoescape=True,
        finalize=_shown,
        undefined=StrictUndefined,
        trim_blocks=True,
        lstrip_blocks=True,
    )
    environment.filters.update(
        words=text.words, clip=text.clip, excerpt=text.excerpt, link=text.link, fragment=_fragment
    )
    return environment


def _shown(value: Any) -> Any:
    # Everything that the template prints passes here, so no text can be forgotten; autoescape comes after it.
    return value if isinstance(value, Markup) or not isinstance(value, str) else text.clean(value)


def _fragment(id: str) -> str:
    return quote(text.clean(id), safe="._-")


def _asset(name: str) -> str:
    """The text of a style sheet or script, as it will stand in the page: the policy's hash is over it."""
    return (_TEMPLATES / name).read_text(encoding="utf-8")


def _policy(style: str, script: str) -> str:
    return "; ".join(
        [
            "default-src 'none'",
            f"style-src {_digest(style)}",
            f"script-src {_digest(script)}",
            "base-uri 'none'",
            "form-action 'none'",
        ]
    )


def _digest(content: str) -> Markup:
    raw = hashlib.sha256(content.encode()).digest()
    return Markup(f"'sha256-{base64.b64encode(raw).decode()}'")
