"""Every statement of a documentation is carried by the suite, or left out: a binding one for one of few reasons."""

from __future__ import annotations

from collections import Counter
from pathlib import Path

import pytest

from conformance import collection, laws
from conformance.programs.forms import FORMS
from conformance.programs.oracles import ORACLES
from workshop import accounts
from workshop.accounts import Entry
from workshop.accounts.command import index

BEHAVIOURS = collection.load_all()
WRITTEN = {name for behaviour in BEHAVIOURS for name in (behaviour.id, *behaviour.ids())}
ENTRIES = accounts.load_all()
LAWS = {name for law in collection.load_all(laws.LAWS) for name in (law.id, *law.ids())}
# A closed list: with free words any binding statement could be left out.
REASONS = {
    "not about differentiation",
    "cannot be observed",
    "needs a GPU",
    "needs several machines",
    "no page says so",
}
# The least number of statements of each documentation at each level: a list cut short would pass every other test.
LEAST = {
    **{("torch", "must"): 476, ("torch", "should"): 220, ("torch", "may"): 124},
    **{("jax", "must"): 286, ("jax", "should"): 171, ("jax", "may"): 123},
}


def _title(entry: Entry) -> str:
    return f"{entry.account}:{entry.id}"


@pytest.mark.parametrize("entry", ENTRIES, ids=_title)
def test_an_entry_is_carried(entry: Entry) -> None:
    """An entry has a claim, and what carries it or a reason for nothing; it runs on both models, or alone."""
    assert entry.claim
    assert not (entry.both and entry.alone)
    # Exactly one of both: what is carried needs no reason, and nothing is left out without one.
    assert bool(entry.carried_by) != bool(entry.reason)
    assert not entry.reason or entry.level != "must" or entry.reason in REASONS


@pytest.mark.parametrize("entry", ENTRIES, ids=_title)
def test_what_carries_it_is_written(entry: Entry) -> None:
    """Behaviours and laws are given by their ids, or that of a case; programs by an oracle or a form."""
    assert set(entry.behaviours) - WRITTEN == set()
    assert set(entry.laws) - LAWS == set()
    assert set(entry.programs) - set(ORACLES) - set(FORMS) == set()


def test_no_entry_is_listed_twice() -> None:
    """Each entry is once in its account, and names a behaviour once."""
    titles = Counter(map(_title, ENTRIES))
    assert [title for title, times in titles.items() if times > 1] == []
    assert [entry.id for entry in ENTRIES if len(set(entry.behaviours)) < len(entry.behaviours)] == []


def test_all_entries_are_there() -> None:
    """An account has at least as many entries of a level as its documentation makes statements."""
    assert Counter((entry.account, entry.level) for entry in ENTRIES) >= Counter(LEAST)


@pytest.mark.parametrize(
    "path", sorted(accounts.FOLDER.glob("*/*.yaml")), ids=lambda path: f"{path.parent.name}-{path.stem}"
)
def test_an_entry_is_in_the_file_of_its_subject(path: Path) -> None:
    """The file is named after the beginning of the ids, so that an entry has a single place."""
    assert {entry.id.partition(".")[0] for entry in accounts.load(path)} == {path.stem}


def test_the_index_has_every_behaviour_and_every_entry() -> None:
    """A line per behaviour with its entries, then what laws and programs carry; what is left out comes last."""
    lines = list(index(WRITTEN, ENTRIES))
    assert {line.partition(":")[0] for line in lines} == {
        *(behaviour.id for behaviour in BEHAVIOURS),
        *("by laws", "by programs", "left out"),
    }
    assert all(any(entry.id in line for line in lines) for entry in ENTRIES)
    assert all(line.startswith("hooks.") for line in index(WRITTEN, ENTRIES, ["hooks"]))
