"""`known`: drafts of known failures, from results to a file that a run accepts."""

from __future__ import annotations

from pathlib import Path

import msgspec
import pytest
from hypothesis import given
from hypothesis import strategies as st

from autograd_conformance.known_drafts import pattern
from conformance.known_causes import KnownFailure
from conformance.known_failures import DRAFT, KnownFailureError, load, read
from conformance.results_file import append
from conformance.verdicts import Outcome, Verdict
from reports.matrix import encode
from tests.known_toy import CONJUGATE, FILE, TIES, Toy, of_engine
from tests.matrices import merge
from tests.reports.making import FAIL, PASS, RECORDS, result, results_file
from tests.reports.making_operations import RECORDS as LAW_RECORDS
from tests.reports.making_operations import REVERSE
from tests.support import CAUSE, ZOO, conform


@pytest.fixture
def toy(tmp_path: Path) -> Toy:
    return Toy(tmp_path)


def test_entries_that_hold_change_nothing(toy: Toy) -> None:
    """No draft, no mark, and the file stays the same, byte for byte."""
    call = toy.known(toy.results(), "--write")
    assert (call.exit_code, call.output) == (0, f"# {toy.file}: 0 drafted, 0 stale\n")
    assert toy.file.read_text() == FILE


@pytest.mark.parametrize("verdict", [Verdict.FAIL, Verdict.DIFFERS, Verdict.CRASH, Verdict.TIMEOUT])
def test_an_unexpected_cell_is_drafted_at_the_end(verdict: Verdict, toy: Toy) -> None:
    """The draft holds for the cell, from the version that was run, and has no reason yet."""
    # The local part of a version is that of a build, which no range names.
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
    # The address of an object is another in each run.
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


def test_an_entry_of_other_versions_neither_counts_nor_is_stale(toy: Toy) -> None:
    """Below its range the cell has no entry, so it is drafted."""
    # The entry of the ties is for versions from 1 on.
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


def test_a_signature_of_programs_is_drafted_with_its_example(toy: Toy) -> None:
    """In the list of programs; one that is listed, and was not seen, is neither drafted nor stale."""
    row = result("forward[writes:17]", FAIL, "got 2")
    seen = [
        msgspec.structs.replace(row, signature="forward: numbers: write.multiply"),
        msgspec.structs.replace(row, id="reverse[tape:3]", signature="forward: #numbers: known"),
    ]
    file = results_file("toy", seen, known_failures=str(toy.file), part="programs", complete=False)
    path = toy.folder / "programs.jsonl"
    with path.open("w") as stream:
        for record in (file.header, *file.results, file.footer):
            append(stream, record)
    call = toy.known(path, "--write")
    assert "1 drafted, 0 stale" in call.output
    draft = read(toy.file, drafts=True)[-1]
    assert (draft.part, draft.cell, draft.example) == ("programs", "forward: numbers: write.multiply", "writes:17")


def test_a_matrix_is_read_too(toy: Toy) -> None:
    """It does not say where an engine from outside has its file."""
    matrix = toy.folder / "matrix.json"
    # Of a complete run the entries of other cells would be stale.
    file = results_file("toy", [result(CONJUGATE, FAIL, "got 2")], [RECORDS[1]], complete=False)
    matrix.write_bytes(encode(merge([file])))
    assert "1 drafted, 0 stale" in toy.known(matrix, "--file", toy.file).output
    call = toy.known(matrix)
    assert call.exit_code == 2
    assert "by --file, and in its adapter's attribute `known_failures`" in call.output


def test_cells_of_a_section_are_drafted_below_its_part(toy: Toy) -> None:
    """A law that fails on an operation is no behaviour."""
    section = toy.folder / "operations.json"
    cells = [result(f"{REVERSE}[det]", FAIL, "got 2")]
    file = results_file("toy", cells, LAW_RECORDS[1:2], complete=False, part="operations")
    section.write_bytes(encode(merge([file])))
    assert toy.known(section, "--file", toy.file, "--write").exit_code == 0
    draft = read(toy.file, drafts=True)[-1]
    assert (draft.part, draft.cell) == ("operations", f"{REVERSE}[det]")


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


def test_one_file_is_of_one_engine_package(toy: Toy) -> None:
    """`--file` with results of two engines is a mistake."""
    other = of_engine("other", toy.results(name="other"))
    call = toy.known(toy.results(), other, "--file", toy.file)
    assert (call.exit_code, "the results are of toy, other" in call.output) == (2, True)


@given(message=st.text(max_size=300), address=st.integers(0))
def test_a_pattern_matches_its_message(message: str, address: int) -> None:
    """For any message, and any address of an object in it."""
    shown = f"{message} at {address:#x}"
    known = KnownFailure("a.b", Verdict.FAIL, pattern(shown), CAUSE, "because")
    assert known.holds(Outcome(Verdict.FAIL, message=shown))


def test_from_a_failing_run_to_a_known_failure(tmp_path: Path) -> None:
    """All steps, with an adapter from outside: run, draft, run without a reason, write the reason, run."""
    # A file that an adapter names has to be there, if only as an empty one.
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
