"""What `trace` prints as JSON, beside the records of behaviours."""

from __future__ import annotations

import msgspec

from autograd_conformance.tracing.index import Page

__all__ = ["NameRecord", "PageRecord", "page_record"]


class CitingRecord(msgspec.Struct):
    """A behaviour that cites a page, and where on it."""

    id: str
    level: str
    statement: str
    section: str


class PageRecord(msgspec.Struct, tag="page", tag_field="kind"):
    """A page, and what cites it."""

    promiser: str
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
    return PageRecord(page.promiser, page.name, page.address, citing)
