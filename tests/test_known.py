"""`known`: drafts of known failures, from results to a file that a run accepts."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import msgspec
import pytest
from hypothesis import given
from hypothesis import strategies as st

from autograd_conformance.known_drafts import pattern
from conformance.known_causes import KnownFailure
from conformance.known_failures import read
from conformance.results import KnownRecord
from conformance.results_file import append
from conformance.verdicts import Outcome, Verdict
from tests.known_toy import CONJUGATE, FILE, Toy, of_engine
from tests.reports.making import FAIL, PASS, result, results_file
from tests.support import CAUSE, ZOO, conform

HEAD = '[cause.new]\ntitle = "New"\nkind = "error"\nreason = "It is so."\n'


@pytest.fixture
def toy(tmp_path: Path) -> Toy:
    return Toy(tmp_path)


def drafts(toy: Toy, *words: object) -> list[KnownFailure]:
    """The entries of a cause with the printed lines below it."""
    toy.file.write_text(HEAD + toy.known(*words).output)
    return read(toy.file)


def test_cells_that_are_known_or_pass_are_not_drafted(toy: Toy) -> None:
    """The output is a comment, and the file stays the same."""
    call = toy.known(toy.results())
    assert (call.exit_code, call.output) == (0, f"# {toy.file}: 0 drafted\n")
    assert toy.file.read_text() == FILE


@pytest.mark.parametrize("verdict", [Verdict.FAIL, Verdict.DIFFERS, Verdict.CRASH, Verdict.TIMEOUT])
def test_an_unexpected_cell_is_drafted(verdict: Verdict, toy: Toy) -> None:
    """The line can be copied below a cause; it holds for the cell, from the version that was run."""
    # The local part of a version is that of a build, which no range names.
    results = toy.results(result(CONJUGATE, verdict, "got [2.+1.j] (really?)\nat 0x7f12"), version="2.0+cpu")
    (draft,) = drafts(toy, results)
    assert (draft.cell, draft.verdict, draft.versions) == (CONJUGATE, verdict, ">=2.0")
    # The address of an object is another in each run.
    assert draft.holds(Outcome(verdict, message="got [2.+1.j] (really?)\nat 0x8a90"))
    # The dot and the brackets of a message are literal in the pattern.
    assert not draft.holds(Outcome(verdict, message="got [22+1.j] (really?)"))


@pytest.mark.parametrize("verdict", [PASS, Verdict.ERROR, Verdict.ABSENT, Verdict.UNSUPPORTED])
def test_what_cannot_be_a_known_failure_is_not_drafted(verdict: Verdict, toy: Toy) -> None:
    """An error is to be fixed; what passes or is absent needs no entry."""
    assert "0 drafted" in toy.known(toy.results(result(CONJUGATE, verdict, "x"))).output


@pytest.mark.parametrize("message", ["it's [2", 'say "no" \\d', "\x1b[31mred\x07\x7f", ""])
def test_any_message_makes_a_line_that_holds(message: str, toy: Toy) -> None:
    """Quotes, backslashes and escape sequences reach the file as text, and none reaches the terminal."""
    results = toy.results(result(CONJUGATE, FAIL, message))
    output = toy.known(results).output
    assert not {"\x1b", "\x07", "\x7f"} & set(output)
    (draft,) = drafts(toy, results)
    assert draft.holds(Outcome(FAIL, message=message))


def test_two_versions_of_one_engine_share_a_draft(toy: Toy) -> None:
    """It begins with the older; where the message changed between them there are two."""
    # 1.9 before 1.10: as text they would be the other way round.
    older = toy.results(result(CONJUGATE, FAIL, "got 2"), version="1.9", name="older")
    same = toy.results(result(CONJUGATE, FAIL, "got 2"), version="1.10", name="same")
    other = toy.results(result(CONJUGATE, FAIL, "got 5"), version="1.11", name="other")
    assert [draft.versions for draft in drafts(toy, same, older)] == [">=1.9"]
    assert [draft.versions for draft in drafts(toy, same, other, older)] == [">=1.9", ">=1.11"]


def test_a_signature_of_programs_is_drafted_with_its_example(toy: Toy) -> None:
    """In the list of programs, once; a known one is not drafted."""
    row = result("forward[writes:17]", FAIL, "got 2")
    replace: Any = msgspec.structs.replace
    seen = [
        replace(row, signature="forward: numbers: write.multiply"),
        replace(row, id="forward[tape:9]", message="got 3", signature="forward: numbers: write.multiply"),
        replace(row, id="reverse[tape:3]", signature="forward: #numbers: known"),
    ]
    file = results_file("toy", seen, known_failures=str(toy.file), part="programs", complete=False)
    footer = replace(file.footer, known={"forward: #numbers: known": KnownRecord("It is so.", "", "")})
    path = toy.folder / "programs.jsonl"
    with path.open("w") as stream:
        for record in (file.header, *file.results, footer):
            append(stream, record)
    (draft,) = drafts(toy, path)
    assert (draft.part, draft.cell, draft.example) == ("programs", "forward: numbers: write.multiply", "writes:17")


def test_cells_of_a_section_are_drafted_below_its_part(toy: Toy) -> None:
    """A law that fails on an operation is no behaviour."""
    (draft,) = drafts(toy, toy.results(result(CONJUGATE, FAIL, "got 2"), part="operations"))
    assert (draft.part, draft.cell) == ("operations", CONJUGATE)


def test_engines_of_one_package_share_a_file(toy: Toy) -> None:
    """The columns of JAX, or of PyTorch, are listed once; a name of the file has no parameters."""
    for name, file in {"jax:jit": "jax.toml", "torch_func": "torch.toml", "reference:x": "reference.toml"}.items():
        assert f"known/{file}: " in toy.known(of_engine(name, toy.results(known_failures=""))).output


def test_columns_that_behave_the_same_share_a_draft(toy: Toy) -> None:
    """A line names the columns that it is about."""
    cell = result(CONJUGATE, FAIL, "got 2")
    first = of_engine("toy:a", toy.results(cell, name="first"))
    second = of_engine("toy:b", toy.results(cell, name="second"))
    assert [draft.columns for draft in drafts(toy, first, second)] == [("toy:a", "toy:b")]


@given(message=st.text(max_size=300), address=st.integers(0))
def test_a_pattern_matches_its_message(message: str, address: int) -> None:
    """For any message, and any address of an object in it."""
    shown = f"{message} at {address:#x}"
    known = KnownFailure("a.b", Verdict.FAIL, pattern(shown), CAUSE, "because")
    assert known.holds(Outcome(Verdict.FAIL, message=shown))


def test_from_a_failing_run_to_a_known_failure(tmp_path: Path) -> None:
    """All steps, with an adapter from outside: run, draft, write the cause, run."""
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
    drafted = conform("known", *(out / "results").glob("*.jsonl"), output=out)
    assert drafted.status == 0, drafted.err
    (tmp_path / "known.toml").write_text(HEAD + drafted.out)
    last = conform(*run, output=out, cwd=tmp_path)
    assert (last.status, last.verdicts) == (0, first.verdicts), last.out
