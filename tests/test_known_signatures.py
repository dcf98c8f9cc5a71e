"""Known signatures: files of what programs find, their causes, and which findings they explain."""

from __future__ import annotations

from pathlib import Path

import pytest
from conformance.programs.known import known_signatures, read_known

from conformance.known_failures import KnownFailureError
from conformance.programs.case import Difference
from conformance.programs.program import Body, Input, Program, Step
from conformance.programs.shrinking.signatures import explains
from conformance.programs.trying import FoundDifference
from workshop import findings

CAUSES = """
[cause.square]
title = "The square in place"
class = "silent wrong value"
reason = "The tangent is computed from what was overwritten."
issues = ["https://example.org/1"]
versions = ">=2"
"""
ENTRY = """
[[known]]
signature = "forward_is_reverse: numbers: write.multiply:itself"
cause = "square"
example = "writes:17"
"""


def written(folder: Path, text: str, name: str = "torch.toml") -> Path:
    path = folder / name
    path.write_text(text, encoding="utf-8")
    return path


def test_an_entry_has_what_its_cause_says(tmp_path: Path) -> None:
    """Reason, issue and versions come from the cause, also from one of a file beside it."""
    written(tmp_path, CAUSES, "shared.toml")
    (one,) = read_known(written(tmp_path, f'causes = "shared.toml"\n{ENTRY}'))
    assert one.signature == "forward_is_reverse: numbers: write.multiply:itself"
    assert one.example == "writes:17"
    assert one.listed.reason == "The tangent is computed from what was overwritten."
    assert one.listed.record().upstream == "https://example.org/1"
    assert one.listed.record().title == "The square in place"


def test_entries_are_of_versions(tmp_path: Path) -> None:
    """An entry for later versions does not concern an earlier one; no file is no entry."""
    path = written(tmp_path, CAUSES + ENTRY)
    assert len(known_signatures(path, "2.13.0")) == 1
    assert known_signatures(path, "1.9") == []
    assert known_signatures(tmp_path / "none.toml", "1.9") == []


@pytest.mark.parametrize(
    ("text", "says"),
    [
        ("known = 3", "Expected `array`, got `int`"),
        ("[[known]]\nsignature = 'a'\nverdict = 'fail'\nreason = 'b'", "unknown field `verdict`"),
        ("[[known]]\nreason = 'b'", "missing required field `signature`"),
        ("[[known]]\nsignature = ' '\nreason = 'b'", "entry 1 ( ): has no signature"),
        ("[[known]]\nsignature = 'a'", "entry 1 (a): needs a cause or a reason"),
        ("[[known]]\nsignature = 'a'\ncause = 'b'", "names the cause 'b', but there is no [cause.b]"),
        ("[[known]]\nsignature = 'a'\nreason = 'b'\nexample = 'writes'", "write KIND:SEED"),
        ("[[known]]\nsignature = 'a'\nreason = 'b'\nversions = 'new'", "Invalid specifier: 'new'"),
        ("[cause.a]\ntitle = 'b'", "cause a: Object missing required field `class`"),
        ("[[known", "is not TOML"),
    ],
)
def test_a_wrong_file_is_one_line_that_names_it(tmp_path: Path, text: str, says: str) -> None:
    """The file, the entry, and what is wrong with it."""
    path = written(tmp_path, text)
    with pytest.raises(KnownFailureError) as error:
        read_known(path)
    assert str(error.value).startswith(str(path))
    assert says in str(error.value)
    assert "\n" not in str(error.value)


def test_a_star_matches_any_letters() -> None:
    """In an error's message, which may have brackets; and in what a program consists of."""
    program = Program("writes", (Input((), (1.0,)),), Body(1, (Step("write.multiply", (0, 0)),), (1,)))
    raised = FoundDifference(
        "runs", Difference("raises RuntimeError", "RuntimeError: no rule for [3] of 'x'", "no error")
    )
    assert explains("raises RuntimeError: no rule for * of *", raised, program)
    assert explains("raises RuntimeError: no *", raised, program)
    assert not explains("raises RuntimeError: some *", raised, program)
    numbers = FoundDifference("forward_is_reverse", Difference("numbers", "1", "2"))
    assert explains("forward_is_reverse: numbers: write.*:itself", numbers, program)
    assert not explains("forward_is_reverse: numbers: write.*:itself np.sin", numbers, program)
    assert explains("*_reverse: *: write.*", numbers, program)
    assert not explains("*_reverse: *NaN: write.*", numbers, program)


def test_findings_have_causes_of_programs(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """The page of an engine has the cause and the signature."""
    (tmp_path / "programs").mkdir()
    written(tmp_path / "programs", CAUSES + ENTRY)
    monkeypatch.setattr(findings, "KNOWN", tmp_path)
    page = findings.pages([])["torch"]
    assert "### The square in place" in page
    assert "- `forward_is_reverse: numbers: write.multiply:itself` (torch: fail)" in page
