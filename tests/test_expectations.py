"""What is foreseen of an engine is held strictly both ways, and never changes a published cell."""

from __future__ import annotations

from pathlib import Path

import pytest

from conformance.expectations import ExpectationError, foreseen, load, stale
from conformance.verdicts import Outcome, Verdict
from tests.support import ROOT, conform

ENTRY = """
[[known]]
behaviour = "errands.detaching_keeps_the_numbers"
verdict = "fail"
message = 'got \\[4\\.0\\]'
reason = "detach adds one"
upstream = "https://example.org/issues/1"
versions = ">=1,<2"
review_after = 2030-01-01
"""
CELL = "errands.detaching_keeps_the_numbers"
FAIL = Outcome(Verdict.FAIL, message="got [4.0], expected [3.0]")


def entries(tmp_path: Path, text: str = ENTRY, version: str = "1.5") -> list:
    path = tmp_path / "toy.toml"
    path.write_text(text)
    return load(path, version)


def test_a_foreseen_cell_is_known(tmp_path: Path) -> None:
    """Verdict and message match: reason and upstream issue are published, nothing is stale."""
    known = foreseen(entries(tmp_path), CELL, FAIL)
    assert known is not None
    assert (known.reason, known.upstream, known.review_after) == (
        *("detach adds one", "https://example.org/issues/1"),
        "2030-01-01",
    )
    assert stale(entries(tmp_path), {CELL: FAIL}, complete=True) == []


STALE = {
    "an unexpected pass": (Outcome(Verdict.PASS), "got pass"),
    "a changed message": (Outcome(Verdict.FAIL, message="got [5.0]"), "got fail (got [5.0])"),
    "a changed verdict": (Outcome(Verdict.DIFFERS, message="got [4.0]"), "got differs"),
}


@pytest.mark.parametrize("name", STALE)
def test_a_cell_that_is_not_as_foreseen_is_stale(name: str, tmp_path: Path) -> None:
    """The line names cell, what was foreseen and what was got."""
    outcome, phrase = STALE[name]
    assert foreseen(entries(tmp_path), CELL, outcome) is None
    (line,) = stale(entries(tmp_path), {CELL: outcome}, complete=True)
    assert phrase in line
    assert CELL in line


def test_an_entry_without_a_cell_is_stale_in_a_complete_run(tmp_path: Path) -> None:
    """A misspelt or removed behaviour does not hide in the file; a partial run says nothing of it."""
    assert "no such behaviour" in stale(entries(tmp_path), {}, complete=True)[0]
    assert stale(entries(tmp_path), {}, complete=False) == []


def test_an_entry_concerns_its_versions_only(tmp_path: Path) -> None:
    """Outside of its range an entry is not there."""
    assert len(entries(tmp_path, version="1.9.1+cpu")) == 1
    assert entries(tmp_path, version="2.0") == []


BAD = {
    "not toml": ("[[known", "is not TOML"),
    "another table": ("[[knwon]]\n", "expected [[known]] tables"),
    "a missing key": ('[[known]]\nbehaviour = "a.b"\n', "needs behaviour, verdict, message, reason"),
    "an unknown key": (ENTRY + 'why = "so"\n', "may have versions"),
    "a bad pattern": (ENTRY.replace("got \\[", "got ["), "unterminated character set"),
    "a bad verdict": (ENTRY.replace('"fail"', '"bad"'), "'bad' is not a valid Verdict"),
    "an error foreseen": (ENTRY.replace('"fail"', '"error"'), "error cannot be foreseen"),
    "a bad range": (ENTRY.replace(">=1,<2", "soon"), "Invalid specifier"),
    "a number": (ENTRY.replace('"detach adds one"', "3"), "every value is a string"),
}


@pytest.mark.parametrize("name", BAD)
def test_a_bad_file_is_refused_with_file_and_entry(name: str, tmp_path: Path) -> None:
    """One line: the file, the entry, what is wrong."""
    text, phrase = BAD[name]
    with pytest.raises(ExpectationError) as refusal:
        entries(tmp_path, text)
    assert phrase in str(refusal.value)
    assert "toy.toml" in str(refusal.value)


@pytest.mark.parametrize("path", sorted((ROOT / "conformance/expectations").glob("*.toml")), ids=lambda path: path.stem)
def test_the_files_of_the_suite_can_be_read(path: Path) -> None:
    """Every entry names a reason."""
    assert all(entry.reason for entry in load(path, "0"))


def test_an_adapter_brings_its_own_file(tmp_path: Path) -> None:
    """A known fail keeps its verdict, is marked known, and does not fail the run; a stale entry does."""
    (tmp_path / "known.toml").write_text(ENTRY)
    (tmp_path / "outside.py").write_text(
        "from pathlib import Path\nfrom tests.zoo import adapters as zoo\n"
        "class Broken(zoo.BreaksItsPromise):\n    expectations = Path(__file__).parent / 'known.toml'\n"
        "class Mended(zoo.Healthy):\n    expectations = Path(__file__).parent / 'known.toml'\n"
    )
    run = ("run", "--chapters", ROOT / "tests/zoo/chapters", "--output", tmp_path / "out", "--engine")
    broken = conform(*run, "outside:Broken", output=tmp_path / "out", cwd=tmp_path)
    assert (broken.status, broken.verdicts["detaching_keeps_the_numbers"]) == (0, "fail"), broken.err
    mended = conform(*run, "outside:Mended", output=tmp_path / "out", cwd=tmp_path)
    assert (mended.status, "foreseen fail" in mended.out.replace("\n", " ")) == (1, True), mended.out
