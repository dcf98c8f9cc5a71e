"""Pages that must not grow beyond what a place for them takes."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import TypeVar

__all__ = ["COMMENT", "ROWS", "fitting", "left_out"]

Item = TypeVar("Item")

# GitHub refuses a comment of more characters than 65,536; some are left to whoever writes around the page.
COMMENT = 60_000

# A table that is longer is not read in a comment. Where even so many do not fit, fewer are shown.
ROWS = (25, 10, 3, 1, 0)


def fitting(page: Callable[[int], str], limit: int = COMMENT) -> str:
    """The page with the most rows per table that keep it within the limit; cut, where not even none do."""
    for rows in ROWS:
        found = page(rows)
        if len(found) <= limit:
            return found
    return found[: found.rfind("\n", 0, limit) + 1]


def left_out(items: Sequence[Item], rows: int, what: str) -> tuple[Sequence[Item], list[str]]:
    """The first so many, and a line that counts the others, if there are any."""
    shown = items[:rows]
    missing = len(items) - len(shown)
    if not missing:
        return shown, []
    return shown, [f"{'And' if shown else ''} {missing:,} {'more ' if shown else ''}{what}.".strip()]
