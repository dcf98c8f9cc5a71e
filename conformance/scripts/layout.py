"""The text of a statement, with lines that can be read."""

from __future__ import annotations

import ast
import io
import tokenize
from collections.abc import Iterator

__all__ = ["laid_out"]

WIDTH = 100
INDENT = "    "
# Between these words stand names, and what separates them is no place to break a line.
_NAMES = {"lambda": ":", "for": "in"}


def laid_out(statement: ast.stmt) -> str:
    """The statement's text; lines that are too long are broken within their widest brackets."""
    text = ast.unparse(ast.fix_missing_locations(statement))
    return "\n".join(part for line in text.split("\n") for part in _broken(line))


def _broken(line: str) -> list[str]:
    widest = (
        max(_brackets(line), key=lambda places: places[-1] - places[0], default=None) if len(line) > WIDTH else None
    )
    if widest is None or widest[-1] - widest[0] < 2:
        return [line]
    margin = line[: len(line) - len(line.lstrip())]
    cuts = [place + 1 for place in widest[:-1]]
    parts = [line[start:end].strip() for start, end in zip(cuts, [*cuts[1:], widest[-1]], strict=True)]
    inner = [part for one in parts for part in _broken(f"{margin}{INDENT}{one}")]
    return [line[: cuts[0]], *inner, *_broken(margin + line[widest[-1] :])]


def _brackets(line: str) -> Iterator[list[int]]:
    """The places of each outermost pair of brackets: where it opens, its own commas, and where it closes."""
    depth, places, ends_with = 0, list[int](), ""  # what ends the names of a lambda, or of a loop
    for token in _tokens(line):
        if token.string in ("(", "[", "{"):
            depth += 1
            places = [token.start[1]] if depth == 1 else places
        elif token.string in (")", "]", "}"):
            depth -= 1
            if depth == 0:
                yield [*places, token.start[1]]
        elif depth == 1:
            ends_with = _NAMES.get(token.string, "" if token.string == ends_with else ends_with)
            if token.string == "," and not ends_with:
                places.append(token.start[1])


def _tokens(line: str) -> Iterator[tokenize.TokenInfo]:
    """The words and signs of a line; none of one that is a part of something longer."""
    try:
        found = list(tokenize.generate_tokens(io.StringIO(line.strip()).readline))
    except (tokenize.TokenError, IndentationError, SyntaxError):
        return
    offset = len(line) - len(line.lstrip())
    for token in found:
        if token.type in (tokenize.OP, tokenize.NAME):
            yield token._replace(start=(token.start[0], token.start[1] + offset))
