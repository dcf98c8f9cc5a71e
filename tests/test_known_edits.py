"""`known --write`: marks on stale entries and drafts, in a file that otherwise stays as it was written."""

from __future__ import annotations

from pathlib import Path

import pytest

from conformance.known_failures import read
from conformance.verdicts import Outcome
from tests.known_toy import CONJUGATE, FILE, TIES, VECTOR, Toy
from tests.reports.making import FAIL, result


@pytest.fixture
def toy(tmp_path: Path) -> Toy:
    return Toy(tmp_path)


def test_a_draft_is_moved_to_a_cause_by_its_line(toy: Toy) -> None:
    """The rest comes from the cause."""
    toy.known(toy.results(result(CONJUGATE, FAIL, "got 2")), "--write")
    text = toy.file.read_text()
    (line,) = [line for line in text.splitlines(keepends=True) if CONJUGATE in line]
    before = text.partition("\n[cause.draft]")[0]
    # As a person would move it: the line alone, above the first entry.
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
    # What people wrote is as it was, to the letter.
    assert text.startswith(FILE)
    assert text.count("[cause.draft]") == 1
    drafts = [(entry.part, entry.cell) for entry in read(toy.file, drafts=True) if entry.cause.name == "draft"]
    assert drafts[:2] == [("behaviours", CONJUGATE), ("behaviours", later.id)]
    assert ("operations", "derivatives.a_law[sin]") in drafts[2:]


def test_a_stale_entry_is_marked_and_nothing_else_is_changed(toy: Toy) -> None:
    """After its `behaviour` and the author's comment; the cell is not drafted a second time."""
    call = toy.known(toy.results(result(VECTOR, FAIL, "got 3")), "--write")
    assert "# stale below cause adding: toy 2.0: " in call.output
    assert "0 drafted, 1 stale" in call.output
    (mark,) = [line for line in toy.file.read_text().splitlines() if "STALE" in line]
    line = f'    {{ cell = "{VECTOR}", message = "got 1" }},   # still in 2.0'
    assert mark.startswith(f"{line}; STALE: toy 2.0: {VECTOR}: known fail")
    assert "got fail (got 3)" in mark
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


def test_a_file_that_cannot_be_edited_is_an_error_and_stays(toy: Toy) -> None:
    """One line, exit status 2; so are the errors of its reader."""
    text = FILE.replace("'forward: #numbers: *',\n", "'a', 'b',\n")
    toy.file.write_text(text)
    call = toy.known(toy.results(result(CONJUGATE, FAIL, "got 2")), "--write")
    assert call.exit_code == 2
    last = call.output.splitlines()[-1]
    assert f"{toy.file}: " in last
    assert "cannot be edited: write each cell on a line of its own" in last
    assert toy.file.read_text() == text
