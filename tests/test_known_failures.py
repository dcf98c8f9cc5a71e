"""Known failures are strict both ways, and never change a published cell."""

from __future__ import annotations

import re
from pathlib import Path

import pytest
from packaging.specifiers import SpecifierSet

from conformance.known_causes import PARTS, KnownFailure
from conformance.known_failures import KNOWN, KnownFailureError, causes_of, file_of, find, load, read, stale
from conformance.programs.generator.kinds import KINDS
from conformance.verdicts import CauseKind, Outcome, Verdict
from tests.support import ZOO, Call, conform

CAUSE = """
[cause.copying]
title = "detach copies"
kind = "error"
reason = "detach adds one"
issues = ["https://example.org/issues/1", "https://example.org/issues/2"]
live_in = ["1.0", "1.5"]
versions = ">=1,<2"
review_after = 2030-01-01
"""
ENTRY = f"""{CAUSE}message = 'got \\[4\\.0\\]'
behaviours = [
    "errands.detaching_keeps_the_numbers",
]
"""
CELL = "errands.detaching_keeps_the_numbers"
FAIL = Outcome(Verdict.FAIL, message="got [4.0], expected [3.0]")


def entries(
    tmp_path: Path, text: str = ENTRY, version: str = "1.5", engine: str = "toy", part: str = ""
) -> list[KnownFailure]:
    path = tmp_path / "toy.toml"
    path.write_text(text)
    return load(path, engine, version, part)


def with_lines(*lines: str, part: str = "behaviours") -> str:
    """A file with these lines below its cause."""
    return f"{CAUSE}{part} = [\n" + "".join(f"    {line},\n" for line in lines) + "]\n"


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
    """The line names the cell, the listed outcome and the outcome of the run."""
    outcome, phrase = STALE[name]
    assert find(entries(tmp_path), CELL, outcome) is None
    (line,) = stale(entries(tmp_path), {CELL: outcome}, complete=True)
    assert phrase in line
    assert CELL in line


def test_an_entry_without_a_cell_is_stale_in_a_complete_run(tmp_path: Path) -> None:
    """A misspelt or removed behaviour does not hide in the file; a partial run cannot judge it."""
    assert "no such behaviour" in stale(entries(tmp_path), {}, complete=True)[0]
    assert stale(entries(tmp_path), {}, complete=False) == []


def test_an_entry_concerns_its_versions_only(tmp_path: Path) -> None:
    """Outside of its range an entry does not apply."""
    assert len(entries(tmp_path, version="1.9.1+cpu")) == 1
    assert entries(tmp_path, version="2.0") == []


BAD = {
    "not toml": ("[cause", "is not TOML"),
    "another table": ("[cuase.copying]\n", "expected [cause.NAME] tables"),
    "the form of earlier versions": ("[[known]]\nreason = 'b'", "expected [cause.NAME] tables, and nothing else"),
    "causes that are none": ("cause = 1\n", "expected [cause.NAME] tables"),
    "a missing key": ("[cause.a]\ntitle = 'b'", "cause a: Object missing required field `kind`"),
    "an unknown key": (CAUSE + 'why = "so"\n', "cause copying: Object contains unknown field `why`"),
    "a cause of no class": (ENTRY.replace("error", "odd"), "cause copying: Invalid enum value 'odd'"),
    "lines that are no list": (CAUSE + "behaviours = 3\n", "Expected `array`, got `int` - at `$.behaviours`"),
    "a line that is none": (with_lines("1"), "cause copying: Expected `str | object`, got `int`"),
    "a line without a cell": (with_lines("{ message = 'a' }"), "Object missing required field `cell`"),
    "a line with an unknown key": (with_lines("{ cell = 'a', why = 'b' }"), "unknown field `why`"),
    "an empty cell": (with_lines("{ cell = ' ', message = 'a' }"), "' ' needs an id or a pattern of ids"),
    "no message": (with_lines("'a.b'"), "'a.b' needs a message, or a pattern of it"),
    "a bad pattern": (ENTRY.replace("got \\[", "got ["), "unterminated character set"),
    "a bad verdict": (CAUSE + "verdict = 'bad'\n", "Invalid enum value 'bad'"),
    "an error known": (ENTRY + "verdict = 'error'\n", "needs another verdict than error, which is to be repaired"),
    "a bad range": (ENTRY.replace(">=1,<2", "soon"), "Invalid specifier"),
    "no reason": (ENTRY.replace("detach adds one", " "), "needs a reason: a sentence"),
    "a word for a date": (ENTRY.replace("2030-01-01", '"soon"'), "Invalid RFC3339 encoded date"),
    # As text: TOML has its own type for dates, which has no such day.
    "no such day": (ENTRY.replace("2030-01-01", '"2030-02-30"'), "Invalid RFC3339 encoded date"),
    "a time": (ENTRY.replace("2030-01-01", "2030-01-01T12:00:00"), "Expected `date | null`, got `datetime`"),
    "a number": (ENTRY.replace('"detach adds one"', "3"), "Expected `str`, got `int` - at `$.reason`"),
    "an example without a seed": (
        with_lines("{ cell = 'a', example = 'writes' }", part="programs"),
        "'a' needs an example such as writes:17",
    ),
}


@pytest.mark.parametrize("name", BAD)
def test_a_bad_file_raises_an_error_with_file_and_cause(name: str, tmp_path: Path) -> None:
    """One line: the file, the cause, what is wrong."""
    text, phrase = BAD[name]
    with pytest.raises(KnownFailureError) as caught:
        entries(tmp_path, text)
    assert phrase in str(caught.value)
    assert "toy.toml" in str(caught.value)
    assert "\n" not in str(caught.value)


def test_a_line_has_from_its_cause_what_it_leaves_out(tmp_path: Path) -> None:
    """Reason, issues, versions and date of review; a field of the line itself wins."""
    fixed = CAUSE + "fixed_in = '2.0'\nmessage = 'got'\n"
    lines = f"behaviours = [\n    '{CELL}',\n    {{ cell = 'a.b', versions = '', reason = 'Otherwise.' }},\n]\n"
    entry, other = entries(tmp_path, fixed.replace('"detach adds one"', '"detach adds one."') + lines)
    record = entry.record()
    assert (record.reason, record.upstream) == ("detach adds one. Fixed in 2.0.", "https://example.org/issues/1")
    assert (entry.versions, record.review_after, record.cause) == (">=1,<2", "2030-01-01", "copying")
    assert (record.title, record.kind, len(record.issues)) == ("detach copies", CauseKind.ERROR, 2)
    assert (other.reason, other.versions, other.record().upstream) == ("Otherwise.", "", record.upstream)


def test_lines_are_of_columns(tmp_path: Path) -> None:
    """A file serves several columns: those that the line names, or else its cause; where none are named, all."""
    text = with_lines("{ cell = 'a.b', message = 'c' }", "{ cell = 'c.d', message = 'e', columns = ['toy:jit'] }")
    assert [entry.cell for entry in entries(tmp_path, text)] == ["a.b"]
    assert [entry.cell for entry in entries(tmp_path, text, engine="toy:jit")] == ["a.b", "c.d"]
    named = text.replace("behaviours", "columns = ['toy']\nbehaviours")
    assert [entry.cell for entry in entries(tmp_path, named, engine="toy:jit")] == ["c.d"]


def test_a_run_is_about_the_lines_of_its_part(tmp_path: Path) -> None:
    """So that signatures of programs are not stale in a run of behaviours, and the other way round."""
    signature = "{ cell = 'forward: numbers: *', example = 'writes:17' }"
    text = ENTRY + with_lines(signature, part="programs").replace(CAUSE, "").replace("'got", "'")
    assert [entry.cell for entry in entries(tmp_path, text)] == [CELL]
    (entry,) = entries(tmp_path, text, part="programs")
    assert (entry.cell, entry.example, entry.verdict) == ("forward: numbers: *", "writes:17", Verdict.FAIL)
    assert entries(tmp_path, text, part="operations") == []
    # An engine of the suite has a file only if something is known.
    assert load(tmp_path / "none.toml", "toy", "1.9") == []


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
def test_a_range_holds_its_versions(versions: str, tmp_path: Path) -> None:
    """PEP 440: a local part does not count, a development version does."""
    text = ENTRY.replace(">=1,<2", versions)
    first, second, other = RANGES[versions]
    assert len(entries(tmp_path, text, first)) == len(entries(tmp_path, text, second)) == 1
    assert other is None or entries(tmp_path, text, other) == []


def test_a_range_needs_an_engine_with_a_version(tmp_path: Path) -> None:
    """The error has the engine's version and a remedy, in a line."""
    with pytest.raises(
        KnownFailureError, match=r"toy\.toml: has entries with a range .* 'here', which is not a version"
    ):
        entries(tmp_path, version="here")


def test_a_pattern_matches_anywhere_in_the_message(tmp_path: Path) -> None:
    """It is a regular expression, searched for: not a whole line, and not plain text."""
    (entry,) = entries(tmp_path, ENTRY.replace("got \\[4\\.0\\]", "^got .[0-9.]+., exp|was raised"))
    assert entry.holds(FAIL)
    assert entry.holds(Outcome(Verdict.FAIL, message="it\nwas raised"))
    assert not entry.holds(Outcome(Verdict.FAIL, message="we got [4.0], expected"))


def test_an_entry_of_a_behaviour_is_about_all_its_cases(tmp_path: Path) -> None:
    """A case that came out as known is enough; an entry of a case is about that case only."""
    whole = entries(tmp_path)
    outcomes = {f"{CELL}[a]": FAIL, f"{CELL}[b]": Outcome(Verdict.PASS)}
    assert stale(whole, outcomes, complete=True) == []
    assert find(whole, f"{CELL}[a]", FAIL) is not None
    of_a_case = entries(tmp_path, ENTRY.replace(CELL, f"{CELL}[b]"))
    assert find(of_a_case, f"{CELL}[a]", FAIL) is None
    assert len(stale(of_a_case, outcomes, complete=True)) == 1


FILES = sorted(KNOWN.glob("*.toml"))
COMPILED = {"torch:compile", "torch:compile,backend=eager", "torch:functionalize", "torch_func:compile"}
COLUMNS = {"hips_autograd", "jax", "jax:jit", "reference", "torch", "torch_func", *COMPILED}


@pytest.mark.parametrize("path", FILES, ids=lambda path: path.stem)
def test_the_files_of_the_suite_can_be_read(path: Path) -> None:
    """Columns are those of the file, examples of kinds of programs; no engine-wide cause is a wrong number."""
    for entry in read(path):
        assert {*entry.columns} <= COLUMNS, entry
        assert not (entry.engine_wide and entry.cause.kind in (CauseKind.SILENT, CauseKind.NAN)), entry
        assert {file_of(column) for column in entry.columns or [path.stem]} == {path}
        assert entry.example.partition(":")[0] in {"", *KINDS}


@pytest.mark.parametrize("path", FILES, ids=lambda path: path.stem)
def test_a_cause_has_its_versions_and_its_kind(path: Path) -> None:
    """It applies where it was seen, and not where it is fixed; a NaN is not silent."""
    for cause in causes_of(path).values():
        expected = dict.fromkeys(cause.live_in, True) | dict.fromkeys(filter(None, [cause.fixed_in]), False)
        assert {version: SpecifierSet(cause.versions).contains(version) for version in expected} == expected, cause.name
        assert cause.kind is not CauseKind.SILENT or "NaN" not in cause.title, cause.name


@pytest.mark.parametrize("path", FILES, ids=lambda path: path.stem)
def test_the_files_of_the_suite_are_sorted(path: Path) -> None:
    """By causes, and below a cause by cells, each on its line: so that two branches rarely edit the same place."""
    causes = causes_of(path)
    assert list(causes) == sorted(causes)
    text = path.read_text("utf-8")
    for cause in causes.values():
        for part in PARTS:
            cells = [line if isinstance(line, str) else line.cell for line in getattr(cause, part)]
            assert cells == sorted(cells), (cause.name, part)
    lines = re.findall(r'^    (?:"|\{ cell = ).*,$', text, re.M)
    assert len(lines) == len(read(path)) + sum(len(its.issues) for its in causes.values() if len(its.issues) > 2)


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
    words = ("run", "--chapters", ZOO, "--output", folder / "out", "--engine", f"outside:{adapter}")
    return conform(*words, output=folder / "out", cwd=folder)


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
    """It lists those that come out so; it is stale if none does, which only a complete run can judge."""
    starred = entries(tmp_path, ENTRY.replace(CELL, "errands.*[one]"))
    failed, passed = Outcome(Verdict.FAIL, message="got [4.0]"), Outcome(Verdict.PASS)
    assert find(starred, "errands.copying[one]", failed) is not None
    assert find(starred, "errands.copying[two]", failed) is None
    assert stale(starred, {"errands.copying[one]": passed, "errands.adding[one]": failed}, complete=True) == []
    assert stale(starred, {"errands.copying[one]": passed}, complete=False) == []
    assert len(stale(starred, {"errands.copying[one]": passed}, complete=True)) == 1
