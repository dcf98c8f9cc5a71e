"""The bench compares times of the same work: a run whose outcomes differ from its bare checks has no ratio."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from conformance import collection, known_failures
from conformance.collection import CHAPTERS
from conformance.known_causes import KnownFailure
from conformance.verdicts import Verdict
from tests.support import CAUSE, conform
from workshop.bench import bare, suite


def test_bare_checks_and_a_run_come_to_the_same_outcomes(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """And the bench has a line where they do not."""
    behaviours = [
        behaviour for path in collection.chapter_files(CHAPTERS / "accumulation") for behaviour in collection.load(path)
    ]
    monkeypatch.setattr(collection, "load_all", lambda folder: behaviours)
    conform("run", "--engine", "reference", "accumulation", "--output", tmp_path / "run", output=tmp_path)
    outcomes = bare.outcomes("reference")
    written = tmp_path / "bare.json"
    written.write_text(json.dumps(outcomes))
    suite.same_work(written, tmp_path / "run")()
    outcomes[min(outcomes)] = ("fail", None)
    written.write_text(json.dumps(outcomes))
    with pytest.raises(AssertionError, match="differ in 1 cells"):
        suite.same_work(written, tmp_path / "run")()


def test_bare_checks_leave_out_what_is_known_to_end_the_process(monkeypatch: pytest.MonkeyPatch) -> None:
    """By the known failures of the adapter, for its version."""
    behaviours = collection.load(CHAPTERS / "gradients.py")
    monkeypatch.setattr(collection, "load_all", lambda folder: behaviours)
    deadly = KnownFailure(behaviours[0].id, Verdict.CRASH, "SIGSEGV", CAUSE, "A test says so.")
    monkeypatch.setattr(known_failures, "load", lambda path, engine, version: [deadly])
    expected = {cell for behaviour in behaviours[1:] for cell in behaviour.ids()}
    assert set(bare.outcomes("reference")) == expected


@pytest.mark.parametrize(
    ("alone", "fine"),
    [("crash", True), ("timeout", True), ("pass", False)],
)
def test_only_a_cell_that_ends_its_process_may_be_in_the_run_alone(alone: str, fine: bool) -> None:
    rows = {"a.b": ["pass", None], "a.c": [alone, None]}
    if fine:
        suite.difference({"a.b": ["pass", None]}, rows)
    else:
        with pytest.raises(AssertionError, match=r"a\.c"):
            suite.difference({"a.b": ["pass", None]}, rows)
