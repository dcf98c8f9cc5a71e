"""Columns of laws in the table of operations: modes and orders of derivatives, then other aspects, a mark each."""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import NamedTuple

from reports.model import MatrixBehaviour

# By the id of a law; the first that fits. A law of a chapter that is not here has an aspect named after its chapter.
_KNOWN = (
    ("R", "reverse mode", r"derivatives\.reverse_mode_gives_the_derivative$"),
    ("F", "forward mode", r"derivatives\.forward_mode_gives_the_derivative$"),
    ("2", "second order", r"derivatives\..*second_derivative"),
    ("3", "third order", r"derivatives\..*third_derivative"),
    ("E", "exact values", r"exact_values\."),
    ("V", "vmap", r".*vmap"),
    ("J", "jit and checkpoint", r"transforms\."),
    ("L", "layouts", r"layouts\."),
    ("C", "complex", r"complex_inputs\."),
    ("K", "kinks", r"kinks\."),
)


class Aspect(NamedTuple):
    """Laws that share a mark: its letter, what it is called, and the numbers of the laws."""

    letter: str
    title: str
    laws: list[int]


def aspects(laws: Sequence[MatrixBehaviour]) -> list[Aspect]:
    """The aspects of these laws, the orders and modes first, then others in the order of the laws."""
    # All known aspects first, for their order; those without laws are dropped at the end.
    by_title = {title: Aspect(letter, title, []) for letter, title, _ in _KNOWN}
    for number, law in enumerate(laws):
        title = next((title for _, title, pattern in _KNOWN if re.match(pattern, law.id)), _title(law).lower())
        if title not in by_title:
            by_title[title] = Aspect(_letter(title, {aspect.letter for aspect in by_title.values()}), title, [])
        by_title[title].laws.append(number)
    return [aspect for aspect in by_title.values() if aspect.laws]


def _title(law: MatrixBehaviour) -> str:
    return law.chapter_title or law.chapter.replace("_", " ")


def _letter(title: str, taken: set[str]) -> str:
    """A letter that is free, of the title if possible."""
    wanted = [letter for letter in title.upper() if letter.isalpha()] + [chr(number) for number in range(65, 91)]
    return next((letter for letter in wanted if letter not in taken), "·")
