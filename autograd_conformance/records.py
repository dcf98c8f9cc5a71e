"""What `show` and `engines` print as JSON."""

from __future__ import annotations

from collections.abc import Mapping
from importlib.metadata import EntryPoint

import msgspec

from autograd_conformance.installed import missing_imports, source_of
from conformance.behaviour import Behaviour
from conformance.describe import behaviour_record
from conformance.kills import MutantRecord, killed_by, recorded
from conformance.results import BehaviourRecord

__all__ = ["EngineRecord", "ShownRecord", "engine_records", "shown_record"]


class ShownRecord(msgspec.Struct):
    """A behaviour with the code of its check, and the mutants known to be noticed, first those that few notice."""

    behaviour: BehaviourRecord
    mutants: list[MutantRecord]


class EngineRecord(msgspec.Struct):
    """A registered adapter: its class, its source, and what it imports that is not installed here."""

    name: str
    adapter: str
    source: str
    missing: list[str]


def shown_record(declared: Behaviour) -> ShownRecord:
    """A behaviour as data."""
    mutants = recorded().mutants
    found = {m.name: m for cell in declared.ids() for m in killed_by(cell, mutants)}
    by_rarity = sorted(found.values(), key=lambda m: (m.noticed, m.name))
    return ShownRecord(behaviour_record(declared, declared.ids()), by_rarity)


def engine_records(found: Mapping[str, EntryPoint]) -> list[EngineRecord]:
    """The registered adapters as data; none is imported."""
    return [
        EngineRecord(name, point.value, str(source_of(point.module) or ""), missing_imports(point.module))
        for name, point in found.items()
    ]
