"""Which behaviours are meant by words on a command line."""

from __future__ import annotations

import difflib
from collections.abc import Sequence
from pathlib import Path

from conformance.behaviour import Behaviour
from conformance.collecting import CHAPTERS, load_all, select

__all__ = ["SelectionError", "behaviours_of", "cells_of", "suite"]


class SelectionError(Exception):
    """No behaviour is meant by a word; the message names it and what comes close."""


def suite(chapters: Path | None) -> list[Behaviour]:
    """The suite's behaviours, or those of a folder of the user's own. Raises SelectionError if there are none."""
    folder = (chapters or CHAPTERS).resolve()
    if declared := load_all(folder):
        return declared
    raise SelectionError(f"{chapters}: has no behaviours; a chapter is a Python file in a folder called 'chapters'")


def behaviours_of(words: Sequence[str], chapters: Path | None) -> list[Behaviour]:
    """The behaviours that the words name: all of them where there are no words."""
    declared = suite(chapters)
    wanted = {cell.partition("[")[0] for cell in cells_of(words, declared)}
    return [behaviour for behaviour in declared if behaviour.id in wanted]


def cells_of(words: Sequence[str], declared: Sequence[Behaviour]) -> list[str]:
    """The cells that the words name, each once, in the order of the suite. Raises SelectionError."""
    every = [cell for behaviour in declared for cell in behaviour.ids()]
    if not words:
        return every
    chosen = {cell for word in words for cell in _cells(word, declared)}
    return [cell for cell in every if cell in chosen]


def _cells(word: str, declared: Sequence[Behaviour]) -> list[str]:
    cells = select(declared, word)
    if cells:
        return cells
    names = {name for behaviour in declared for name in (behaviour.id, behaviour.chapter, behaviour.name)}
    near = difflib.get_close_matches(word, sorted(names), n=1)
    hint = f"did you mean {near[0]!r}?" if near else "`autograd-conformance list` shows them all"
    raise SelectionError(f"unknown behaviour {word!r}; {hint}")
