"""Selection of behaviours by words on a command line."""

from __future__ import annotations

import difflib
from collections.abc import Iterable, Sequence
from pathlib import Path

from autograd_conformance.options import BadInput
from conformance.behaviour import Behaviour
from conformance.collection import CHAPTERS, load_all, select


class SelectionError(BadInput):
    """A word names no behaviour; the message gives the word and the nearest name."""


def suite(chapters: Path | None) -> list[Behaviour]:
    """The suite's behaviours, or those of the user's folder. Raises SelectionError if there are none."""
    folder = (chapters or CHAPTERS).resolve()
    if declared := load_all(folder):
        return declared
    raise SelectionError(f"{chapters}: has no behaviours; a chapter is a Python file in a folder called 'chapters'")


def behaviours_of(words: Sequence[str], chapters: Path | None) -> list[Behaviour]:
    """The behaviours that the words name; all if there are no words. Raises SelectionError."""
    declared = suite(chapters)
    wanted = {cell.partition("[")[0] for cell in cells_of(words, declared)}
    return [behaviour for behaviour in declared if behaviour.id in wanted]


def cells_of(words: Sequence[str], declared: Sequence[Behaviour]) -> list[str]:
    """The cells that the words name, each once, in the order of the suite. Raises SelectionError."""
    every = [cell for behaviour in declared for cell in behaviour.ids()]
    if not words:
        return every
    chosen = {cell for word in words for cell in _cells(word, declared)}
    # Not in the order of the words: the same cells are the same run.
    return [cell for cell in every if cell in chosen]


def _cells(word: str, declared: Sequence[Behaviour]) -> list[str]:
    if cells := select(declared, word):
        return cells
    # A function's name alone is no id, as two chapters may have it, but it hints at one.
    ids = {name: behaviour.id for behaviour in declared for name in (behaviour.name, behaviour.id)}
    ids |= {behaviour.chapter: behaviour.chapter for behaviour in declared}
    near = difflib.get_close_matches(word, sorted(ids), n=1)
    hint = f"did you mean {ids[near[0]]!r}?" if near else "`autograd-conformance list` prints all ids"
    raise SelectionError(f"unknown behaviour {word!r}; {hint}")


def named(words: Sequence[str], known: Iterable[str], what: str) -> Sequence[str]:
    """The words, if each is a known name. Raises SelectionError."""
    names = set(known)
    for word in words:
        if word not in names:
            # Without a cutoff: a name that is far still shows what names look like.
            near = difflib.get_close_matches(word, sorted(names), n=1, cutoff=0.0)
            raise SelectionError(f"unknown {what} {word!r}; did you mean {near[0]!r}?")
    return words
