"""The mutants that each behaviour kills, as recorded: a small file per chapter, from cell to mutants.

A mutant is an engine with a single mistake; a behaviour that fails on none of them would check nothing.
`python -m workshop refresh` writes the files, which hold no more than the proof needs: every cell with a mutant that it
kills, every mutant at a cell that kills it.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from functools import cache

from conformance.contents import recorded_by_id


@cache
def recorded() -> Mapping[str, list[str]]:
    """All files as one table, from cell to the keys of mutants."""
    return recorded_by_id(__name__, list[str])


def killed_by(cells: Iterable[str]) -> list[str]:
    """The mutants recorded as killed by any of these cells, in words, each once."""
    return list(dict.fromkeys(described(key) for cell in cells for key in recorded().get(cell, ())))


def described(key: str) -> str:
    """The key of a mutant as a reader wants it: `reference: wrong sign in rules.elementary`."""
    engine, _, rest = key.partition(":")
    fault, _, place = rest.partition(" ")
    where = place.rpartition(" ")[0]  # without the digest of the text
    return f"{engine}: {fault.replace('_', ' ')}" + (f" in {where}" if where else "")
