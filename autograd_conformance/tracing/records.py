"""What `trace`, `coverage` and `citations` print as JSON, beside the records of behaviours."""

from __future__ import annotations

from collections.abc import Sequence

import msgspec

from autograd_conformance.tracing.coverage import Row
from autograd_conformance.tracing.drift import Drift
from autograd_conformance.tracing.index import Page
from autograd_conformance.tracing.scope import Found, Library

__all__ = [
    "DriftRecord",
    "LibraryRecord",
    "NameRecord",
    "PageRecord",
    "drift_record",
    "library_record",
    "page_record",
]


class CitingRecord(msgspec.Struct):
    """A behaviour that cites a page, and where on it."""

    id: str
    level: str
    statement: str
    section: str


class PageRecord(msgspec.Struct, tag="page", tag_field="kind"):
    """A page, and what cites it."""

    source: str
    page: str
    address: str
    behaviours: list[CitingRecord]


class NameRecord(msgspec.Struct, tag="name", tag_field="kind"):
    """A public name, with its other names, that no behaviour cites."""

    names: list[str]


def page_record(page: Page) -> PageRecord:
    """A page as data: one line per citation."""
    citing = [
        CitingRecord(one.behaviour.id, one.behaviour.level.value, one.behaviour.statement, one.citation.section)
        for one in page.cited
    ]
    return PageRecord(page.source, page.name, page.address, citing)


class PublicNameRecord(msgspec.Struct):
    """A public name, and the behaviours that cite it; `kind` is cited, gap, or out of scope, and then there is why."""

    name: str
    others: list[str]
    kind: str
    behaviours: list[str]
    why_not: str


class LibraryRecord(msgspec.Struct):
    """A library, in the version in which its names were last read."""

    library: str
    version: str
    names: list[PublicNameRecord]


class ChangedRecord(msgspec.Struct):
    """A docstring that is not what it was in the version in which it was read."""

    name: str
    read_in: str


class DriftRecord(msgspec.Struct):
    """What the citations of a library came to, beside the one that is installed. The first two lists are faults."""

    library: str
    version: str
    missing: list[str]
    not_compared: list[str]
    changed: list[ChangedRecord]
    same: list[str]
    undocumented: list[str]
    of_other_versions: list[str]
    unchecked_pages: list[str]
    new_names: list[str]
    gone_names: list[str]


def library_record(library: Library, found: Found, its: Sequence[Row]) -> LibraryRecord:
    """A table of the coverage as data."""
    names = [
        PublicNameRecord(row.name, list(row.others), row.kind, [one.id for one in row.behaviours], row.why_not)
        for row in its
    ]
    return LibraryRecord(library.name, found.version, names)


def drift_record(library: str, drift: Drift) -> DriftRecord:
    """A comparison as data."""
    changed = [ChangedRecord(name, reading.version) for name, reading in drift.changed.items()]
    rest = {name: getattr(drift, name) for name in DriftRecord.__struct_fields__ if name not in ("library", "changed")}
    return DriftRecord(library=library, changed=changed, **rest)
