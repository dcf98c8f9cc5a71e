"""Every binding statement of a documentation is carried by behaviours, or left out for one of few reasons."""

from __future__ import annotations

import re
from collections import Counter

import pytest

from conformance import collecting
from workshop import accounts
from workshop.accounts import Entry
from workshop.accounts.__main__ import INDEX, index, settled

BEHAVIOURS = collecting.load_all()
WRITTEN = accounts.cells(BEHAVIOURS)
ENTRIES = accounts.load_all()
REASONS = {
    "not about differentiation",
    "cannot be observed",
    "needs a GPU",
    "needs several machines",
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
    assert entry.status in {"existing", "planned", "out"}
    assert bool(entry.behaviours) != bool(entry.reason)
    assert (entry.status == "out") == bool(entry.reason)
    assert not entry.reason or entry.reason in REASONS


@pytest.mark.parametrize("entry", ENTRIES, ids=_title)
def test_its_behaviours_are_written_or_planned(entry: Entry) -> None:
    """What is said to exist is written; what is planned has the name of a behaviour, and is not all written yet."""
    missing = set(entry.behaviours) - WRITTEN
    assert (entry.status == "planned") == bool(missing), "python -m workshop.accounts --settle marks what was written"
    for name in missing:
        assert re.fullmatch(r"[a-z_]+\.[a-z0-9_]+(\[[a-z0-9_]+\])?", name)


def test_no_entry_is_listed_twice() -> None:
    """Each entry stands in its account once, and names a behaviour once."""
    titles = Counter(map(_title, ENTRIES))
    assert [title for title, times in titles.items() if times > 1] == []
    assert [entry.id for entry in ENTRIES if len(set(entry.behaviours)) < len(entry.behaviours)] == []


@pytest.mark.parametrize(("account", "count"), COUNTS.items())
def test_all_entries_are_there(account: str, count: int) -> None:
    """An account has as many entries as its documentation makes binding statements."""
    assert sum(entry.account == account for entry in ENTRIES) == count


def test_the_index_is_up_to_date() -> None:
    """The page of the documentation is what the accounts and the chapters say now."""
    assert INDEX.read_text("utf-8") == index(BEHAVIOURS, ENTRIES), "run python -m workshop.accounts"


def test_settling_marks_what_was_written() -> None:
    """Of two planned entries, the one whose behaviours are all written is marked as existing."""
    planned = "- id: {0}\n  claim: c\n  behaviours: [leaves.{0}]\n  status: planned\n"
    text = "# two\n\n" + planned.format("written") + planned.format("missing")
    statuses = [entry.status for entry in accounts.parse("x", settled(text, {"leaves.written"}))]
    assert statuses == ["existing", "planned"]


def test_nothing_is_planned() -> None:
    """Every behaviour that an account names is written."""
    assert [_title(entry) for entry in ENTRIES if entry.status == "planned"] == []
