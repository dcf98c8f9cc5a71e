"""The record of kills: read from and written to `conformance/mutants`, one file per chapter, one line per cell."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Collection, Iterable, Mapping
from pathlib import Path

from conformance import mutants
from workshop.chapter_files import write_files

RECORD = Path(mutants.__file__).parent

Record = Mapping[str, list[str]]


def key_of(name: str) -> str:
    """A mutant's short name in the record: of a generated one fault and place, and a digest of the text changed.

    The digest, unlike a number, stays the same when code around the place comes and goes.
    """
    # Names of mutants written by hand have no colon and blank, and are short.
    head, generated, text = name.partition(": ")
    # Six digits are enough, as they only distinguish changes of the same family in the same function.
    return f"{head} {hashlib.sha256(text.encode()).hexdigest()[:6]}" if generated else head


def renewed(
    before: Record,
    killers: Mapping[str, list[str]],
    run: Collection[tuple[str, str]],
    known: Collection[str],
    cells: Iterable[str],
) -> dict[str, list[str]]:
    """The record with the kills of a session; recorded kills that still hold stay as they are.

    `killers` are the cells that killed each mutant, by key; `run` the pairs that were run; `known` the keys of all
    mutants that there are.
    """
    kept = {
        cell: [k for k in before.get(cell, ()) if k in known and ((k, cell) not in run or cell in killers.get(k, ()))]
        for cell in cells
    }
    killed = {key for keys in kept.values() for key in keys}
    for key, killing in killers.items():
        if killing and key not in killed:
            # A single cell is proof enough, and the shortest list keeps lines of the record short.
            kept[min(killing, key=lambda cell: len(kept[cell]))].append(key)
        for cell in killing:
            # The other direction: each of these cells needs a mutant that it kills, and may have others already.
            kept[cell] = kept[cell] or [key]
    return {cell: sorted(keys) for cell, keys in kept.items() if keys}


def kept(before: Record, known: Collection[str], cells: Collection[str]) -> Record:
    """The record of the cells and mutants that there still are."""
    named = {cell: [key for key in keys if key in known] for cell, keys in before.items() if cell in cells}
    return {cell: keys for cell, keys in named.items() if keys}


def texts(record: Record) -> dict[str, str]:
    """The files by name, sorted, so that neither order nor length of the suite shows in a difference."""
    chapters: dict[str, list[str]] = {}
    for cell in sorted(record):
        chapter, _, name = cell.partition(".")
        chapters.setdefault(chapter, []).append(f"{json.dumps(name)}: {json.dumps(record[cell])}")
    return {f"{chapter}.json": "{\n" + ",\n".join(lines) + "\n}\n" for chapter, lines in chapters.items()}


def write(record: Record) -> list[str]:
    """Write the files that change. Returns their paths."""
    changed = write_files(RECORD, texts(record))
    # The same process reads the files again.
    mutants.recorded.cache_clear()
    return changed
