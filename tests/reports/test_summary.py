"""summary.md, junit.xml, and what is unexpected."""

from __future__ import annotations

from xml.etree import ElementTree

import pytest

from conformance.results import KnownRecord
from conformance.verdicts import Verdict
from reports import junit, markdown, text
from reports.unexpected import exit_status, overdue, stale, unexpected, unexpected_differences
from tests.reports.making import assert_gold, one_cell, six_cells, with_engine

REASON = KnownRecord("because", "", "")


def parsed(xml: str) -> ElementTree.Element:
    """The root of a document, which must be well-formed."""
    return ElementTree.fromstring(xml.encode())


def test_the_summary_is_as_it_was_last_looked_at() -> None:
    """Six cells, by hand."""
    assert_gold("summary.md", markdown.render(six_cells()))


def test_the_junit_file_is_as_it_was_last_looked_at() -> None:
    """Six cells, by hand."""
    assert_gold("junit.xml", junit.render(six_cells()))


@pytest.mark.parametrize(
    ("hostile", "shown"),
    [
        ("a | b", r"a \| b"),
        ("`x`", r"\`x\`"),
        ("<script>", "&lt;script&gt;"),
        ("[x](javascript:y)", r"\[x\](javascript:y)"),
        ("&lt;", "&amp;lt;"),
        ("@someone", "&#64;someone"),
        ("two\nlines", "two lines"),
        ("https://x.org www.x.org", "https&#58;//x.org www&#46;x.org"),
        ("\x1b]0;title\x07\x1b[31mred", "red"),
        ("\\|", r"\\\|"),
    ],
)
def test_hostile_text_is_no_markdown(hostile: str, shown: str) -> None:
    """No cell, link, mention, code or HTML can come from an engine."""
    assert markdown.escape(hostile) == shown


def test_a_code_span_cannot_be_left() -> None:
    """Backticks become quotes; a bar would end the cell even within code."""
    assert markdown.code("a`|`b\n") == r"`a'\|'b`"


def test_no_row_of_the_summary_is_broken_by_a_message() -> None:
    """Every line of a table has the same number of bars."""
    summary = markdown.render(one_cell(message="a | b\n| c | `d` |", convention="x|y"))
    # GitHub ends a table at the first line with another number of bars.
    table = summary[summary.index("| behaviour | engine |") :].split("\n\n")[0].splitlines()
    assert {line.replace(r"\|", "").count("|") for line in table} == {6}


@pytest.mark.parametrize("verdict", Verdict)
@pytest.mark.parametrize("known", [None, REASON], ids=["unexpected", "known"])
def test_what_fails_is_what_was_unexpected(verdict: Verdict, known: KnownRecord | None) -> None:
    """Exit status, list of unexpected cells and JUnit agree; a difference is listed, no more."""
    matrix = one_cell(verdict=verdict, known=known)
    bad = known is None and verdict.value in {"fail", "crash", "timeout", "error"}
    suite = parsed(junit.render(matrix))[0]
    assert exit_status(matrix) == len(unexpected(matrix)) == bad
    assert int(suite.get("failures", "")) + int(suite.get("errors", "")) == bad
    assert int(suite.get("skipped", "")) == (not bad and verdict is not Verdict.PASS)
    assert len(unexpected_differences(matrix)) == (verdict is Verdict.DIFFERS and known is None)


def test_a_stale_known_failure_is_a_failure() -> None:
    """It makes the exit status 1, and a failure in JUnit."""
    matrix = with_engine(one_cell(verdict=Verdict.PASS), stale=["entry <1>: passes now"])
    suite = parsed(junit.render(matrix))[0]
    assert stale(matrix) == [("torch", "entry <1>: passes now")]
    assert exit_status(matrix) == 1
    assert suite.get("failures") == "1"


def test_junit_is_well_formed_for_any_message() -> None:
    """Characters that XML forbids are made visible or replaced, and markup stays text."""
    # Control characters, lone surrogates, what XML has no form for, and a character beyond 16 bits.
    every = "".join(map(chr, [*range(0x20), 0x7F, 0x85, 0xD800, 0xDFFF, 0xFFFE, 0xFFFF, 0x1F600])) + "]]><x a='\"&"
    matrix = with_engine(one_cell(message=every, known=KnownRecord(every, every, every)), version=every, stale=[every])
    suite = parsed(junit.render(matrix))[0]
    assert "]]><x a='\"&" in (suite.findtext("testcase/skipped") or "")


def test_text_is_cleaned_of_what_cannot_be_seen() -> None:
    """Terminal sequences go, control characters become visible, direction marks are replaced; the rest stays."""
    assert text.clean("\x1b[1;31mred\x1b[0m\x1b]8;;http://x\x1b\\link\x1b(B") == "redlink␛(B"
    assert text.clean("a\x00b\tc\r\nd\re\u202ef") == "a␀b\tc\nd\ne\ufffdf"
    assert text.clean("∂²ℒ/∂x² déjà 👍🏽") == "∂²ℒ/∂x² déjà 👍🏽"


def test_an_excerpt_is_one_short_line() -> None:
    """The first line that is not blank."""
    assert text.excerpt("\n\n  first   line \n second") == "first line"
    assert text.excerpt("x" * 500) == "x" * 159 + "…"
    assert text.excerpt("") == ""


def test_hostile_megabytes_are_cleaned_in_linear_time() -> None:
    """Openings of sequences that never close are each looked at once."""
    # A search from each opening to the end of the text would take minutes here.
    assert text.clean("\x1b]" * 500_000).startswith("␛]")


@pytest.mark.parametrize(
    ("day", "due"), [("2025-11-19", True), ("2025-11-20", False), ("2026-06-01", False), ("", False)]
)
def test_a_review_is_due_from_the_day_after(day: str, due: bool) -> None:
    """The day of the run counts (here 2025-11-20), so a report made later is the same."""
    matrix = one_cell(known=KnownRecord("because", "", day))
    assert [cell.behaviour for cell in overdue(matrix)] == [matrix.cells[0].behaviour] * due
    assert ("## Known failures to review" in markdown.render(matrix)) is due
    assert exit_status(matrix) == 0
