"""Which mutant is noticed by which behaviour: the record of the last cross, as it is shipped.

A mutant is an engine with one thing changed (`workshop/mutants`). The record is written by `python -m workshop.mutants
--write`; a behaviour that notices no mutant would pass whatever an engine did.
"""

from __future__ import annotations

from collections.abc import Iterable
from functools import cache
from importlib.resources import files

import msgspec

__all__ = ["SCHEMA", "Kills", "MutantRecord", "killed_by", "recorded"]

SCHEMA = "autograd-conformance/kills/1"


class MutantRecord(msgspec.Struct, frozen=True):
    """A mutant: of which engine, what is wrong, which mistake that models, how many cells notice, and some of them."""

    name: str
    engine: str
    what: str
    models: str
    noticed: int
    killers: list[str]


class Kills(msgspec.Struct, frozen=True):
    """All mutants that are noticed."""

    schema: str
    mutants: list[MutantRecord]


@cache
def recorded() -> Kills:
    """The record that was shipped."""
    return msgspec.json.decode(files("conformance").joinpath("kills.json").read_bytes(), type=Kills)


def killed_by(cell: str, among: Iterable[MutantRecord]) -> list[MutantRecord]:
    """The mutants recorded as noticed by a cell, those first that the fewest notice."""
    return sorted((m for m in among if cell in m.killers), key=lambda m: (m.noticed, m.name))
