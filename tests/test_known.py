"""`known`: drafts of known failures, marks on stale entries, and a file that otherwise stays as it was written."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import msgspec
import pytest
from click.testing import CliRunner, Result
from hypothesis import given
from hypothesis import strategies as st

from autograd_conformance.cli import cli
from autograd_conformance.known_drafts import pattern
from conformance.known_failures import DRAFT, KnownFailure, KnownFailureError, load, read
from conformance.results import ResultRecord
from conformance.results_file import append
from conformance.verdicts import Outcome, Verdict
from reports.matrix import merge, save
from tests.reports.making import FAIL, PASS, RECORDS, result, results_file
from tests.support import CAUSE, ZOO, conform

VECTOR, CONJUGATE, TIES = (record.id for record in RECORDS)
# Comments, spacing and strings as people write them, none of which an edit may change.
FILE = f"""# Known of toy.

[cause.adding]  #reported twice
title = "It adds"
kind = "engine bug"
reason = "It adds one."
behaviours = [   # one each
    # The first.
    {{ cell = "{VECTOR}", message = "got 1" }},   # still in 2.0
]

# About ties.
[cause."ties"]
title = 'Ties'
kind = "convention"
reason = '''Two
lines.'''
message = 'got \\[1\\.'
versions = ">=1"
review_after = 2030-01-01
behaviours = [
  '{TIES}'  #no space
]
programs = [
    'forward: #numbers: *',
]
"""


class Toy:
    """A file of known failures of an engine from outside, and results of runs with it."""

    def __init__(self, folder: Path) -> None:
        self.folder, self.file = folder, folder / "toy.toml"
        self.file.write_text(FILE)

    def results(self, *cells: ResultRecord, name: str = "run", **changes: Any) -> Path:
        """A results file with these cells; the others pass, but those known fail as known."""
        rows = {
            VECTOR: result(VECTOR, FAIL, "got 1"),
            CONJUGATE: result(CONJUGATE),
            TIES: result(TIES, FAIL, "got [1."),
        }
        rows |= {cell.id: cell for cell in cells}
        made = results_file("toy", list(rows.values()), **{"known_failures": str(self.file), **changes})
        path = self.folder / f"{name}.jsonl"
        with path.open("w") as stream:
            for record in (made.header, *made.behaviours, *made.results, made.footer):
                append(stream, record)
        return path

    def known(self, *words: object) -> Result:
        return CliRunner().invoke(cli, ["known", *map(str, words)])


@pytest.fixture
def toy(tmp_path: Path) -> Toy:
    return Toy(tmp_path)


def of_engine(name: str, results: Path) -> Path:
    """The same results, of an engine with another name."""
    first, end, rest = results.read_bytes().partition(b"\n")
    header = msgspec.json.decode(first)
    header["engine"]["name"] = name
    results.write_bytes(msgspec.json.encode(header) + end + rest)
    return results


def test_entries_that_hold_change_nothing(toy: Toy) -> None:
    """No draft, no mark, and the file stays the same, byte for byte."""
    call = toy.known(toy.results(), "--write")
    assert (call.exit_code, call.output) == (0, f"# {toy.file}: 0 drafted, 0 stale\n")
    assert toy.file.read_text() == FILE


@pytest.mark.parametrize("verdict", [Verdict.FAIL, Verdict.DIFFERS, Verdict.CRASH, Verdict.TIMEOUT])
def test_an_unexpected_cell_is_drafted_at_the_end(verdict: Verdict, toy: Toy) -> None:
    """The draft holds for the cell, from the version that was run, and has no reason yet."""
    results = toy.results(result(CONJUGATE, verdict, "got [2.+1.j] (really?)\nat 0x7f12"), version="2.0+cpu")
    assert toy.file.read_text() == FILE
    assert "nothing is written" in toy.known(results).output
    assert toy.file.read_text() == FILE
    assert toy.known(results, "--write").exit_code == 0
    assert toy.file.read_text().startswith(FILE)
    draft = read(toy.file, drafts=True)[-1]
    assert (draft.cell, draft.verdict, draft.versions) == (CONJUGATE, verdict, ">=2.0")
    assert draft.cause.name == "draft"
    assert draft.reason.startswith(DRAFT)
    assert draft.holds(Outcome(verdict, message="got [2.+1.j] (really?)\nat 0x8a90"))
    # The dot and the brackets of a message are literal in the pattern.
    assert not draft.holds(Outcome(verdict, message="got [22+1.j] (really?)"))


def test_a_draft_is_an_error_until_it_has_a_reason(toy: Toy) -> None:
    """The line names file and cause, and what to do."""
    toy.known(toy.results(result(CONJUGATE, FAIL, "got 2")), "--write")
    with pytest.raises(KnownFailureError, match=r"toy\.toml: cause draft has no reason yet .*: write"):
        load(toy.file, "toy", "2.0")
    toy.file.write_text(toy.file.read_text().replace(DRAFT, "It is so"))
    assert load(toy.file, "toy", "2.0")[-1].reason.startswith("It is so: why")


def test_a_draft_is_moved_to_a_cause_by_its_line(toy: Toy) -> None:
    """What the line leaves out is then that cause's."""
    toy.known(toy.results(result(CONJUGATE, FAIL, "got 2")), "--write")
    text = toy.file.read_text()
    (line,) = [line for line in text.splitlines(keepends=True) if CONJUGATE in line]
    before = text.partition("\n[cause.draft]")[0]
    toy.file.write_text(before.replace("    # The first.\n", f"    # The first.\n{line}"))
    assert [(entry.cell, entry.reason) for entry in read(toy.file)][:2] == [
        (CONJUGATE, "It adds one."),
        (VECTOR, "It adds one."),
    ]


def test_later_drafts_join_those_that_are_open(toy: Toy) -> None:
    """Below the same cause, in the list of their part."""
    toy.known(toy.results(result(CONJUGATE, FAIL, "got 2")), "--write")
    later = result("kinks_and_ties.another", FAIL, "got 3")
    law = toy.results(result("derivatives.a_law[sin]", FAIL, "got 4"), name="laws", part="operations")
    toy.known(toy.results(later), law, "--write")
    text = toy.file.read_text()
    assert text.startswith(FILE)
    assert text.count("[cause.draft]") == 1
    drafts = [(entry.part, entry.cell) for entry in read(toy.file, drafts=True) if entry.cause.name == "draft"]
    assert drafts[:2] == [("behaviours", CONJUGATE), ("behaviours", later.id)]
    assert ("operations", "derivatives.a_law[sin]") in drafts[2:]


def test_a_cell_is_drafted_once(toy: Toy) -> None:
    """A second call, with the draft still open, changes nothing."""
    results = toy.results(result(CONJUGATE, FAIL, "got 2"))
    toy.known(results, "--write")
    once = toy.file.read_text()
    assert "0 drafted" in toy.known(results, "--write").output
    assert toy.file.read_text() == once


@pytest.mark.parametrize("verdict", [PASS, Verdict.ERROR, Verdict.ABSENT, Verdict.UNSUPPORTED])
def test_what_cannot_be_a_known_failure_is_not_drafted(verdict: Verdict, toy: Toy) -> None:
    """An error is to be fixed; what passes or is absent needs no entry."""
    assert "0 drafted" in toy.known(toy.results(result(CONJUGATE, verdict, "x"))).output


STALE = {
    "an unexpected pass": (result(VECTOR), "got pass"),
    "a changed message": (result(VECTOR, FAIL, "got 3"), "got fail (got 3)"),
    "a changed verdict": (result(VECTOR, Verdict.CRASH, "got 1"), "got crash (got 1)"),
}


@pytest.mark.parametrize("name", STALE)
def test_a_stale_entry_is_marked_and_nothing_else_is_changed(name: str, toy: Toy) -> None:
    """After its `behaviour` and the author's comment; the cell is not drafted a second time."""
    cell, phrase = STALE[name]
    call = toy.known(toy.results(cell), "--write")
    assert "# stale below cause adding: toy 2.0: " in call.output
    assert "0 drafted, 1 stale" in call.output
    (mark,) = [line for line in toy.file.read_text().splitlines() if "STALE" in line]
    line = f'    {{ cell = "{VECTOR}", message = "got 1" }},   # still in 2.0'
    assert mark.startswith(f"{line}; STALE: toy 2.0: {VECTOR}: known fail")
    assert phrase in mark
    assert toy.file.read_text().replace(mark, line) == FILE


def test_an_entry_without_a_cell_is_marked_after_a_complete_run_only(toy: Toy) -> None:
    """A partial run shows nothing about cells that it left out."""
    toy.file.write_text(FILE.replace(TIES, "kinks_and_ties.no_longer_there"))
    tied = result(TIES)
    assert "no such behaviour; remove the entry" in toy.known(toy.results(tied)).output
    assert "0 stale" in toy.known(toy.results(tied, complete=False)).output


def test_a_mark_is_removed_when_the_entry_holds_again(toy: Toy) -> None:
    """Until then it is replaced, not repeated."""
    for message in ("got 3", "got 4"):
        toy.known(toy.results(result(VECTOR, FAIL, message), result(TIES)), "--write")
    assert toy.file.read_text().count("STALE") == 2
    toy.known(toy.results(), "--write")
    assert toy.file.read_text() == FILE


def test_an_entry_of_other_versions_neither_counts_nor_is_stale(toy: Toy) -> None:
    """Below its range the cell has no entry, so it is drafted."""
    call = toy.known(toy.results(version="0.9"))
    assert "1 drafted, 0 stale" in call.output
    assert f'{{ cell = "{TIES}", message = ' in call.output


def test_two_versions_of_one_engine_share_a_draft(toy: Toy) -> None:
    """It begins with the older; where the message changed between them there are two."""
    # 1.9 before 1.10: as text they would be the other way round.
    older = toy.results(result(CONJUGATE, FAIL, "got 2"), version="1.9", name="older")
    same = toy.results(result(CONJUGATE, FAIL, "got 2"), version="1.10", name="same")
    other = toy.results(result(CONJUGATE, FAIL, "got 5"), version="1.11", name="other")
    assert toy.known(same, older).output.count('versions = ">=1.9"') == 1
    assert "2 drafted" in toy.known(same, other, older).output


def test_a_matrix_is_read_too(toy: Toy) -> None:
    """It does not say where an engine from outside has its file."""
    matrix = toy.folder / "matrix.json"
    save(merge([results_file("toy", [result(CONJUGATE, FAIL, "got 2")], [RECORDS[1]], complete=False)]), matrix)
    assert "1 drafted, 0 stale" in toy.known(matrix, "--file", toy.file).output
    call = toy.known(matrix)
    assert call.exit_code == 2
    assert "by --file, and in its adapter's attribute `known_failures`" in call.output


def test_a_file_is_made_where_one_is_named(toy: Toy) -> None:
    """With a comment on its purpose."""
    fresh = toy.folder / "fresh.toml"
    call = toy.known(
        toy.results(result(CONJUGATE, FAIL, "it's [2"), result(VECTOR), result(TIES)), "--file", fresh, "--write"
    )
    assert call.exit_code == 0
    assert fresh.read_text().startswith("# Known failures of this engine.")
    assert [known.message for known in read(fresh, drafts=True)] == [r"it's \[2"]


def test_line_ends_stay_as_they_are(toy: Toy) -> None:
    """A file from Windows stays one."""
    toy.file.write_bytes(FILE.replace("\n", "\r\n").encode())
    toy.known(toy.results(result(CONJUGATE, FAIL, "got 2")), "--write")
    content = toy.file.read_bytes()
    assert content.startswith(FILE.replace("\n", "\r\n").encode())
    assert content.count(b"\n") == content.count(b"\r\n")


def test_escape_sequences_reach_neither_terminal_nor_file(toy: Toy) -> None:
    """Messages come from engines, and are untrusted."""
    # Colour, a right-to-left override that hides what follows, and the bell.
    hostile = "\x1b[31mred\x1b[0m \u202e 'x' \x07"
    cells = result(CONJUGATE, FAIL, hostile), result(VECTOR, FAIL, hostile)
    output = toy.known(toy.results(*cells), "--write").output
    text = toy.file.read_text()
    assert "1 drafted, 1 stale" in output
    assert not {"\x1b", "\u202e", "\x07"} & {*output, *text}
    assert read(toy.file, drafts=True)[-1].holds(Outcome(FAIL, message=hostile))


def test_engines_of_one_package_share_a_file(toy: Toy) -> None:
    """The columns of JAX, or of PyTorch, are listed once; a name of the file has no parameters."""
    for name, file in {"jax:jit": "jax.toml", "torch_func": "torch.toml", "reference:x": "reference.toml"}.items():
        assert f"known/{file}: " in toy.known(of_engine(name, toy.results(known_failures=""))).output


def test_columns_that_behave_the_same_share_a_draft(toy: Toy) -> None:
    """A line names the columns that it is about, where the file has more than one."""
    cell = result(CONJUGATE, FAIL, "got 2")
    first = of_engine("toy:a", toy.results(cell, name="first"))
    second = of_engine("toy:b", toy.results(cell, name="second"))
    call = toy.known(first, second, "--file", toy.file)
    assert call.output.count('columns = ["toy:a", "toy:b"]') == 1
    assert "1 drafted, 0 stale" in call.output
    assert "columns =" not in toy.known(first, "--file", toy.file).output


BAD = {
    "not toml": ("[cause", "is not TOML"),
    "two cells on a line": (
        FILE.replace("'forward: #numbers: *',\n", "'a', 'b',\n"),
        "cannot be edited: write each cell on a line of its own",
    ),
    "a bad entry": (FILE.replace('"convention"', '"fial"', 1), "Invalid enum value 'fial'"),
}


@pytest.mark.parametrize("name", BAD)
def test_a_bad_file_is_an_error_and_stays(name: str, toy: Toy) -> None:
    """One line, exit status 2."""
    text, phrase = BAD[name]
    toy.file.write_text(text)
    call = toy.known(toy.results(result(CONJUGATE, FAIL, "got 2")), "--write")
    assert call.exit_code == 2
    assert phrase in call.output.splitlines()[-1]
    assert str(toy.file) in call.output.splitlines()[-1]
    assert toy.file.read_text() == text


def test_one_file_is_of_one_engine_package(toy: Toy) -> None:
    """`--file` with results of two engines is a mistake."""
    other = of_engine("other", toy.results(name="other"))
    call = toy.known(toy.results(), other, "--file", toy.file)
    assert (call.exit_code, "the results are of toy, other" in call.output) == (2, True)


@given(message=st.text(max_size=300), address=st.integers(0))
def test_a_pattern_finds_its_message(message: str, address: int) -> None:
    """For any message, and any address of an object in it."""
    shown = f"{message} at {address:#x}"
    known = KnownFailure("a.b", Verdict.FAIL, pattern(shown), CAUSE, "because")
    assert known.holds(Outcome(Verdict.FAIL, message=shown))


def test_from_a_failing_run_to_a_known_failure(tmp_path: Path) -> None:
    """All steps, with an adapter from outside: run, draft, run without a reason, write the reason, run."""
    (tmp_path / "known.toml").write_text("# mine\n")
    (tmp_path / "outside.py").write_text(
        "from pathlib import Path\nfrom tests.zoo import adapters as zoo\n"
        "class Broken(zoo.BreaksItsPromise):\n    known_failures = Path(__file__).parent / 'known.toml'\n"
    )
    out = tmp_path / "out"
    run = ("run", "--chapters", ZOO, "-o", out, "-e", "outside:Broken")
    first = conform(*run, output=out, cwd=tmp_path)
    assert first.status == 1
    drafted = conform("known", *(out / "results").glob("*.jsonl"), "--write", output=out)
    assert (drafted.status, "drafted, 0 stale" in drafted.out) == (0, True), drafted.err
    rejected = conform(*run, output=out, cwd=tmp_path)
    assert (rejected.status, "known.toml: cause draft has no reason" in rejected.err) == (2, True)
    text = (tmp_path / "known.toml").read_text()
    (tmp_path / "known.toml").write_text(text.replace(DRAFT, "It is broken on purpose"))
    last = conform(*run, output=out, cwd=tmp_path)
    assert (last.status, last.verdicts) == (0, first.verdicts), last.out
