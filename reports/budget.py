"""Markdown pages within a maximum size, such as that of a GitHub comment."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import TypeVar

Item = TypeVar("Item")

# GitHub rejects comments of more than 65,536 characters; the rest is for the text that an action puts around the page.
COMMENT = 60_000

# Rows per table, tried in this order until the page fits. Longer tables are not read in a comment.
ROWS = (25, 10, 3, 1, 0)


def fitting(page: Callable[[int], str], limit: int = COMMENT) -> str:
    """The page with the most rows per table that fit the limit; truncated if it is too long even without rows."""
    for rows in ROWS:
        text = page(rows)
        if len(text) <= limit:
            return text
    return text[: text.rfind("\n", 0, limit) + 1]  # at a line: half a table row would be markup


def left_out(items: Sequence[Item], rows: int, what: str) -> tuple[Sequence[Item], list[str]]:
    """The first `rows` items, and a line that counts the others, if there are any."""
    shown = items[:rows]
    missing = len(items) - len(shown)
    if not missing:
        return shown, []
    return shown, [f"{'And' if shown else ''} {missing:,} {'more ' if shown else ''}{what}.".strip()]
