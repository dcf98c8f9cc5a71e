"""Every entry of the founding documents is carried by a behaviour that cites its document, or says why by none."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest
import yaml

from conformance import collection

ENTRIES: list[dict[str, Any]] = yaml.safe_load(Path(__file__).with_name("founding_entries.yaml").read_text("utf-8"))
BEHAVIOURS = {behaviour.id: behaviour for behaviour in collection.load_all()}


def _documents(behaviour: Any) -> set[str]:
    return {citation.page for citation in behaviour.citations if citation.source == "document"}


def _title(entry: dict[str, Any]) -> str:
    return f"{entry['document']}: {entry['entry']}"


@pytest.mark.parametrize("entry", ENTRIES, ids=_title)
def test_an_entry_is_carried(entry: dict[str, Any]) -> None:
    """An entry lists behaviours that exist and cite its document, or has a reason for none."""
    assert set(entry) <= {"document", "entry", "behaviours", "reason", "note"}
    assert bool(entry.get("behaviours")) != bool(entry.get("reason"))
    for name in entry.get("behaviours", ()):
        assert name in BEHAVIOURS
        # Checked in both directions, here and below, so that the list and the chapters cannot drift apart.
        assert entry["document"] in _documents(BEHAVIOURS[name])


def test_every_citation_of_a_document_is_listed() -> None:
    """A behaviour that cites a founding document is listed at one of its entries."""
    listed = {(entry["document"], name) for entry in ENTRIES for name in entry.get("behaviours", ())}
    cited = {(page, name) for name, behaviour in BEHAVIOURS.items() for page in _documents(behaviour)}
    assert sorted(cited - listed) == []


def test_no_entry_is_listed_twice() -> None:
    """Each entry is in the list once."""
    titles = [_title(entry) for entry in ENTRIES]
    assert len(titles) == len(set(titles))


def test_all_documents_are_carried() -> None:
    """The five documents have eighty entries or more; a list cut short would pass every other test."""
    assert {entry["document"] for entry in ENTRIES} == {"000", "001", "002", "003", "004"}
    assert len(ENTRIES) >= 80
