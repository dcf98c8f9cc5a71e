"""The text of a statement, with lines that can be read."""

from __future__ import annotations

import ast

__all__ = ["laid_out"]

WIDTH = 100
OPENING, CLOSING = "([{", ")]}"


def laid_out(statement: ast.stmt) -> str:
    """The statement's text; lines that are too long are broken within their brackets."""
    text = ast.unparse(ast.fix_missing_locations(statement))
    return "\n".join(part for line in text.split("\n") for part in _broken(line))


def _broken(line: str) -> list[str]:
    return [line]
