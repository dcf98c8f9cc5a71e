"""Every binding statement of a documentation is carried by behaviours, or left out for one of few reasons."""

from __future__ import annotations

from collections import Counter

import pytest

from conformance import collecting
from workshop import accounts
from workshop.accounts import Entry
from workshop.accounts.command import index

BEHAVIOURS = collecting.load_all()
WRITTEN = {name for behaviour in BEHAVIOURS for name in (behaviour.id, *behaviour.ids())}
ENTRIES = accounts.load_all()
# A closed list: with free words any statement could be left out.
REASONS = {
    "not about differentiation",
    "cannot be observed",
    "needs a GPU",
    "needs several machines",
    "no page says so",
}
# How many binding statements each documentation makes: a list cut short would pass every other test.
COUNTS = {"torch": 476, "jax": 286}


def _title(entry: Entry) -> str:
    return f"{entry.account}:{entry.id}"


@pytest.mark.parametrize("entry", ENTRIES, ids=_title)
def test_an_entry_is_carried(entry: Entry) -> None:
    """An entry says what it claims, and has behaviours or a reason for none; it runs on both models, or alone."""
    assert entry.claim
    assert not (entry.both and entry.alone)
    # Exactly one of both: what is carried needs no reason, and nothing is left out without one.
    assert bool(entry.behaviours) != bool(entry.reason)
    assert not entry.reason or entry.reason in REASONS


@pytest.mark.parametrize("entry", ENTRIES, ids=_title)
def test_its_behaviours_are_written(entry: Entry) -> None:
    """Each is the id of a behaviour, or of a case."""
    assert set(entry.behaviours) - WRITTEN == set()


def test_no_entry_is_listed_twice() -> None:
    """Each entry is once in its account, and names a behaviour once."""
    titles = Counter(map(_title, ENTRIES))
    assert [title for title, times in titles.items() if times > 1] == []
    assert [entry.id for entry in ENTRIES if len(set(entry.behaviours)) < len(entry.behaviours)] == []


@pytest.mark.parametrize(("account", "count"), COUNTS.items())
def test_all_entries_are_there(account: str, count: int) -> None:
    """An account has as many entries as its documentation makes binding statements."""
    assert sum(entry.account == account for entry in ENTRIES) == count


def test_the_index_has_every_behaviour_and_every_entry() -> None:
    """A line per behaviour with its entries; what is left out comes last, with its reason."""
    lines = list(index(WRITTEN, ENTRIES))
    assert {line.partition(":")[0] for line in lines} == {one.id for one in BEHAVIOURS} | {"left out"}
    assert all(any(entry.id in line for line in lines) for entry in ENTRIES)
    assert all(line.startswith("hooks.") for line in index(WRITTEN, ENTRIES, ["hooks"]))
