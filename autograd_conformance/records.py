"""What `show` and `engines` print as JSON."""

from __future__ import annotations

from collections.abc import Mapping
from importlib.metadata import EntryPoint

import msgspec

from autograd_conformance.installed import missing_imports, source_of
from conformance.behaviour import Behaviour
from conformance.describe import behaviour_record
from conformance.mutants import killed_by
from conformance.results import BehaviourRecord

__all__ = ["EngineRecord", "ShownRecord", "engine_records", "shown_record"]


class ShownRecord(msgspec.Struct):
    """A behaviour with the code of its check, and mutants that it is known to notice, in words."""

    behaviour: BehaviourRecord
    mutants: list[str]


class EngineRecord(msgspec.Struct):
    """A registered adapter: its class, its source, and what it imports that is not installed here."""

    name: str
    adapter: str
    source: str
    missing: list[str]


def shown_record(declared: Behaviour) -> ShownRecord:
    """A behaviour as data."""
    return ShownRecord(behaviour_record(declared, declared.ids()), killed_by(declared.ids()))


def engine_records(found: Mapping[str, EntryPoint]) -> list[EngineRecord]:
    """The registered adapters as data; none is imported."""
    return [
        EngineRecord(name, point.value, str(source_of(point.module) or ""), missing_imports(point.module))
        for name, point in found.items()
    ]
