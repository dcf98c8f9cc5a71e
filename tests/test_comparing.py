"""diff: two versions of an engine, as text, Markdown and a page."""

from __future__ import annotations

from pathlib import Path

import pytest

from reports.matrix import encode
from tests.matrices import merge
from tests.reports.making import FAIL, TIES, result, results_file
from tests.support import conform


@pytest.fixture
def versions(tmp_path: Path) -> Path:
    """A matrix of an engine in two versions, the later of which is worse."""
    worse = result(TIES.id, FAIL, "got [1. 0.]\n[bold]and more[/bold]")
    files = [results_file("torch", [row], [TIES], version=v) for v, row in (("1.0", result(TIES.id)), ("2.0", worse))]
    (tmp_path / "matrix.json").write_bytes(encode(merge(files)))
    return tmp_path / "matrix.json"


def test_diff_of_two_versions_names_what_regressed(versions: Path, tmp_path: Path) -> None:
    """Exit status 1 in this direction, 0 in the other; the message as it was."""
    call = conform("diff", "torch@1.0", "torch@2.0", "--in", versions, output=tmp_path)
    assert (call.status, call.err) == (1, "")
    assert "pass -> fail torch@2.0 kinks_and_ties.ties_share" in call.out
    assert "[bold]and more[/bold]" in call.out
    back = conform("diff", "torch@2.0", "torch@1.0", "--in", versions, output=tmp_path)
    assert (back.status, "fail -> pass torch@1.0" in back.out) == (0, True)
    quiet = conform("diff", "torch@2.0", "torch@1.0", "--in", versions, "-q", output=tmp_path)
    assert (quiet.status, quiet.out) == (0, "")


def test_diff_writes_markdown_and_a_page(versions: Path, tmp_path: Path) -> None:
    """The page is the later report, with its changes."""
    page = tmp_path / "deep" / "changes.html"
    words = ("diff", "torch@1.0", "torch@2.0", "--in", versions, "--format", "markdown", "--html", page)
    call = conform(*words, output=tmp_path)
    assert call.status == 1
    assert call.out.startswith("# What changed\n")
    assert "1 cell has changed" in page.read_text()


def test_diff_of_a_matrix_with_itself_is_empty(versions: Path, tmp_path: Path) -> None:
    """Nothing changed, and a line has that."""
    call = conform("diff", versions, versions, output=tmp_path)
    assert (call.status, "No cell changed." in call.out) == (0, True)
