"""Templates of pages. Every text that they print passes a function that makes it harmless, so none can be forgotten."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any

from jinja2 import Environment, FileSystemLoader, StrictUndefined
from markupsafe import Markup

TEMPLATES = Path(__file__).parent / "templates"


def environment(harmless: Callable[[str], str], **filters: Callable[..., Any]) -> Environment:
    """Templates whose texts pass `harmless`; markup, which filters and macros return, stays as it is."""
    made = Environment(
        loader=FileSystemLoader(TEMPLATES),
        # What `harmless` returns is escaped for HTML, unless it is markup: in macros that is so only with this.
        autoescape=True,
        finalize=lambda value: harmless(value) if isinstance(value, str) and not isinstance(value, Markup) else value,
        undefined=StrictUndefined,  # a misspelt variable is an error, and not an empty text
        trim_blocks=True,
        lstrip_blocks=True,
    )
    made.filters.update(filters)
    return made
