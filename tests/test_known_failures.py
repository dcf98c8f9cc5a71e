"""Known failures are strict both ways, and never change a published cell."""

from __future__ import annotations

from pathlib import Path

import pytest

from conformance.known_failures import KnownFailureError, find, load, stale
from conformance.verdicts import Outcome, Verdict
from tests.support import ROOT, ZOO, Call, conform

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
CAUSE = """
[cause.copying]
title = "detach copies"
class = "engine bug"
reason = "detach adds one."
issues = ["https://example.org/issues/1", "https://example.org/issues/2"]
searched = ["detach", "detach adds one", "got 4 expected 3"]
searched_on = 2026-11-22
live_in = ["1.0", "1.5"]
fixed_in = "2.0"
versions = ">=1,<2"
review_after = 2030-01-01
"""
CAUSED = """
[[known]]
behaviour = "errands.detaching_keeps_the_numbers"
verdict = "fail"
message = "got"
cause = "copying"
"""
CELL = "errands.detaching_keeps_the_numbers"
FAIL = Outcome(Verdict.FAIL, message="got [4.0], expected [3.0]")


def entries(tmp_path: Path, text: str = ENTRY, version: str = "1.5") -> list:
    path = tmp_path / "toy.toml"
    path.write_text(text)
    return load(path, version)


def test_a_listed_cell_is_known(tmp_path: Path) -> None:
    """Verdict and message match: reason and upstream issue are published, nothing is stale."""
    known = find(entries(tmp_path), CELL, FAIL)
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
def test_a_cell_that_is_not_as_listed_is_stale(name: str, tmp_path: Path) -> None:
    """The line names cell, the listed outcome and the one that it got."""
    outcome, phrase = STALE[name]
    assert find(entries(tmp_path), CELL, outcome) is None
    (line,) = stale(entries(tmp_path), {CELL: outcome}, complete=True)
    assert phrase in line
    assert CELL in line


def test_an_entry_without_a_cell_is_stale_in_a_complete_run(tmp_path: Path) -> None:
    """A misspelt or removed behaviour does not hide in the file; a partial run cannot tell."""
    assert "no such behaviour" in stale(entries(tmp_path), {}, complete=True)[0]
    assert stale(entries(tmp_path), {}, complete=False) == []


def test_an_entry_concerns_its_versions_only(tmp_path: Path) -> None:
    """Outside of its range an entry does not apply."""
    assert len(entries(tmp_path, version="1.9.1+cpu")) == 1
    assert entries(tmp_path, version="2.0") == []


BAD = {
    "not toml": ("[[known", "is not TOML"),
    "another table": ("[[knwon]]\n", "expected [[known]] tables"),
    "a missing key": ('[[known]]\nbehaviour = "a.b"\n', "needs behaviour, verdict, message, and a cause"),
    "an unknown key": (ENTRY + 'why = "so"\n', "may have versions"),
    "a bad pattern": (ENTRY.replace("got \\[", "got ["), "unterminated character set"),
    "a bad verdict": (ENTRY.replace('"fail"', '"bad"'), "'bad' is not a valid Verdict"),
    "an error known": (ENTRY.replace('"fail"', '"error"'), "error cannot be a known failure"),
    "a bad range": (ENTRY.replace(">=1,<2", "soon"), "Invalid specifier"),
    "no reason": (ENTRY.replace("detach adds one", " "), "has no reason yet (got ''): write in a sentence"),
    "a draft": (ENTRY.replace("detach adds one", "TODO: why?"), "has no reason yet (got 'TODO: why?')"),
    "a word for a date": (ENTRY.replace("2030-01-01", '"soon"'), "review_after is 'soon': expected a date"),
    # As text: TOML has its own type for dates, which has no such day.
    "no such day": (ENTRY.replace("2030-01-01", '"2030-02-30"'), "day is out of range for month"),
    "a time": (ENTRY.replace("2030-01-01", "2030-01-01T12:00:00"), "expected a date, as 2027-01-31"),
    "entries that are none": ("known = [1]", "entry 1: needs behaviour"),
    "an unknown cause": (CAUSED, "names the cause 'copying', but there is no [cause.copying]"),
    "a list as cause": (CAUSED.replace('"copying"', "[1]"), "names the cause [1]"),
    "a cause of no class": (CAUSE.replace("engine bug", "odd") + CAUSED, "cause copying: Invalid enum value 'odd'"),
    "a cause with an unknown key": (CAUSE + "who = 1\n" + CAUSED, "cause copying: Object contains unknown field"),
    "a cause that is none": ("cause = 1\n" + CAUSED, "expected [cause.NAME] tables"),
    "two shared files": ('causes = ["a.toml"]\n' + CAUSED, "`causes` is the name of one file"),
    "a shared file that is lost": ('causes = "lost-toy.toml"\n' + CAUSED, "lost-toy.toml: cannot be read"),
    "a number": (ENTRY.replace('"detach adds one"', "3"), "every value is a string"),
}


@pytest.mark.parametrize("name", BAD)
def test_a_bad_file_raises_an_error_with_file_and_entry(name: str, tmp_path: Path) -> None:
    """One line: the file, the entry, what is wrong."""
    text, phrase = BAD[name]
    with pytest.raises(KnownFailureError) as caught:
        entries(tmp_path, text)
    assert phrase in str(caught.value)
    assert "toy.toml" in str(caught.value)
    assert "\n" not in str(caught.value)


def test_an_entry_has_from_its_cause_what_it_leaves_out(tmp_path: Path) -> None:
    """Reason, first issue, versions and date of review; what the entry says itself is its own."""
    (entry,) = entries(tmp_path, CAUSE + CAUSED)
    assert (entry.reason, entry.upstream) == ("detach adds one. Fixed in 2.0.", "https://example.org/issues/1")
    assert (entry.versions, entry.review_after, entry.cause) == (">=1,<2", "2030-01-01", "copying")
    (other,) = entries(tmp_path, CAUSE + CAUSED + 'versions = ""\nreason = "otherwise"\n', "3.0")
    assert (other.reason, other.upstream) == ("otherwise", "https://example.org/issues/1")


def test_files_share_causes(tmp_path: Path) -> None:
    """A file can name another one beside it, whose causes its entries use too."""
    (tmp_path / "shared.toml").write_text(CAUSE)
    (entry,) = entries(tmp_path, f'causes = "shared.toml"\n{CAUSED}')
    assert entry.reason == "detach adds one. Fixed in 2.0."


RANGES = {
    ">=1,<2": ("1.0", "1.9.1+cpu", "2.0"),  # in, in, out
    "==1.5.*": ("1.5", "1.5.3", "1.6"),
    ">1": ("1.1", "2.0.dev20270101", "1.0"),
    "<2": ("1.9", "0.1", "2.0"),
    "!=1.5": ("1.4", "1.6", "1.5+cu118"),
    "~=1.4": ("1.4", "1.9", "2.0"),
    # Without a range, an engine need not have a version that can be compared.
    "": ("1.0", "not a version", None),
}


@pytest.mark.parametrize("versions", RANGES)
def test_a_range_holds_the_versions_that_it_says(versions: str, tmp_path: Path) -> None:
    """PEP 440: a local part does not count, a development version does."""
    text = ENTRY.replace(">=1,<2", versions)
    first, second, other = RANGES[versions]
    assert len(entries(tmp_path, text, first)) == len(entries(tmp_path, text, second)) == 1
    assert other is None or entries(tmp_path, text, other) == []


def test_a_range_needs_an_engine_with_a_version(tmp_path: Path) -> None:
    """One line says what the engine's version was, and what to do."""
    with pytest.raises(
        KnownFailureError, match=r"toy\.toml: has entries with a range .* 'here', which is not a version"
    ):
        entries(tmp_path, version="here")


def test_a_pattern_is_found_anywhere_in_the_message(tmp_path: Path) -> None:
    """It is a regular expression, searched for: not a whole line, and not plain text."""
    (entry,) = entries(tmp_path, ENTRY.replace("got \\[4\\.0\\]", "^got .[0-9.]+., exp|was raised"))
    assert entry.holds(FAIL)
    assert entry.holds(Outcome(Verdict.FAIL, message="it\nwas raised"))
    assert not entry.holds(Outcome(Verdict.FAIL, message="we got [4.0], expected"))


def test_an_entry_of_a_behaviour_is_about_all_its_cases(tmp_path: Path) -> None:
    """One case that came out as known is enough; an entry of a case is about that one only."""
    whole = entries(tmp_path)
    outcomes = {f"{CELL}[a]": FAIL, f"{CELL}[b]": Outcome(Verdict.PASS)}
    assert stale(whole, outcomes, complete=True) == []
    assert find(whole, f"{CELL}[a]", FAIL) is not None
    one = entries(tmp_path, ENTRY.replace(CELL, f"{CELL}[b]"))
    assert find(one, f"{CELL}[a]", FAIL) is None
    assert len(stale(one, outcomes, complete=True)) == 1


@pytest.mark.parametrize("path", sorted((ROOT / "conformance/known").glob("*.toml")), ids=lambda path: path.stem)
def test_the_files_of_the_suite_can_be_read(path: Path) -> None:
    """Every entry names a reason."""
    assert all(entry.reason for entry in load(path, "0"))


OUTSIDE = """
from pathlib import Path
from tests.zoo import adapters as zoo

class Broken(zoo.BreaksItsPromise):
    known_failures = Path(__file__).parent / "known.toml"
class Mended(zoo.Healthy):
    known_failures = Path(__file__).parent / "known.toml"
class Lost(zoo.BreaksItsPromise):
    known_failures = Path(__file__).parent / "unknown.toml"
"""


def run_outside(folder: Path, adapter: str, known: str) -> Call:
    """A run with an adapter that is not the suite's, which brings a file of known failures."""
    (folder / "known.toml").write_text(known)
    (folder / "outside.py").write_text(OUTSIDE)
    out = folder / "out"
    words = ("run", "--chapters", ZOO, "--output", out, "--engine", f"outside:{adapter}")
    return conform(*words, output=out, cwd=folder)


def test_an_adapter_brings_its_own_file(tmp_path: Path) -> None:
    """A known fail keeps its verdict, is marked known, and does not fail the run; a stale entry does."""
    broken = run_outside(tmp_path, "Broken", ENTRY)
    assert (broken.status, broken.verdicts["detaching_keeps_the_numbers"]) == (0, "fail"), broken.err
    assert "2030-01-01" not in broken.out
    mended = run_outside(tmp_path, "Mended", ENTRY)
    assert (mended.status, "known fail" in mended.out.replace("\n", " ")) == (1, True), mended.out


def test_a_run_names_the_entries_whose_review_is_due(tmp_path: Path) -> None:
    """A line in the output and in the summary, and no failure."""
    call = run_outside(tmp_path, "Broken", ENTRY.replace("2030-01-01", "2020-01-01"))
    line = f"{CELL} of outside:Broken (2020-01-01)"
    assert (call.status, line in call.out.replace("\n", " ")) == (0, True), call.out
    assert "## Known failures to review" in (tmp_path / "out/summary.md").read_text()
    lost = run_outside(tmp_path, "Lost", ENTRY)
    assert (lost.status, lost.err.count("\n")) == (2, 1)
    assert "unknown.toml: no such file, but the adapter's `known_failures` names it" in lost.err


def test_an_entry_with_a_star_is_about_many_cells(tmp_path: Path) -> None:
    """It lists those that come out so; it is stale if none does, which only a complete run can tell."""
    path = tmp_path / "toy.toml"
    path.write_text(ENTRY.replace("errands.detaching_keeps_the_numbers", "errands.*[one]"))
    entries = load(path, "1.0")
    failed, passed = Outcome(Verdict.FAIL, message="got [4.0]"), Outcome(Verdict.PASS)
    assert find(entries, "errands.copying[one]", failed) is not None
    assert find(entries, "errands.copying[two]", failed) is None
    assert stale(entries, {"errands.copying[one]": passed, "errands.adding[one]": failed}, complete=True) == []
    assert stale(entries, {"errands.copying[one]": passed}, complete=False) == []
    assert len(stale(entries, {"errands.copying[one]": passed}, complete=True)) == 1
