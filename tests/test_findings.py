"""Findings: each cause has a native program that runs, and a page in which the most harmful come first."""

from __future__ import annotations

import re
from datetime import date
from importlib.util import find_spec
from pathlib import Path

import pytest
from click.testing import CliRunner

from conformance import known_failures
from conformance.collection import load_all
from conformance.known_failures import KNOWN, script_of
from conformance.verdicts import CauseKind
from tests.support import ROOT
from workshop.findings import HEADINGS, files, findings, index, pages, run_programs
from workshop.provenance import searches

FILES = files()
SCRIPTS = sorted((KNOWN / "scripts").glob("*/*.py"))
# Known by its outcome alone: the same calls in a plain script leave no level open.
NOT_REDUCED = {"compiled_dual_level_is_left_open"}


@pytest.mark.parametrize("path", FILES, ids=lambda path: path.stem)
def test_a_cause_that_is_no_convention_can_be_tried_and_was_searched_for(path: Path) -> None:
    """It has a program, versions in which that was seen, and three searches of the tracker.

    Of a documented limitation the error itself names what is not implemented: nothing else need be shown. A search of
    the engine's history does not count.
    """
    made = searches(path.stem)
    for name, cause in known_failures.causes_of(path).items():
        assert cause.live_in or cause.kind is CauseKind.CONVENTION, name
        if cause.kind not in (CauseKind.CONVENTION, CauseKind.LIMITATION):
            assert script_of(name, path).exists() != (name in NOT_REDUCED), name
            queries = [query for its in made.get(name, {}).values() for query in its]
            assert sum(not query.startswith("git log") for query in queries) >= 3, name


@pytest.mark.parametrize("path", FILES, ids=lambda path: path.stem)
def test_searches_and_programs_are_of_causes_with_cells(path: Path) -> None:
    """A cause without a cell, a program or searches without a cause were left over."""
    causes = known_failures.causes_of(path)
    assert {script.stem for script in SCRIPTS if script.parent.name == path.stem} <= set(causes)
    assert set(searches(path.stem)) <= set(causes)
    assert set(causes) == {entry.cause.name for entry in known_failures.read(path)}


@pytest.mark.parametrize("path", FILES, ids=lambda path: path.stem)
def test_searches_are_sorted_and_dated(path: Path) -> None:
    """By causes, so that two branches rarely edit the same place."""
    made = searches(path.stem)
    assert list(made) == sorted(made)
    assert all(date.fromisoformat(day) for its in made.values() for day in its)


@pytest.mark.parametrize("path", SCRIPTS, ids=lambda path: path.stem)
def test_a_native_program_is_short_and_plain(path: Path) -> None:
    """It needs the engine and nothing of the suite, and fails by an assertion, an error of the engine, or a crash."""
    text = path.read_text("utf-8")
    assert len(text.splitlines()) <= 32
    engine = "" if path.parent.name == "reference" else "reference_engine|"
    assert not re.search(rf"\b(conformance|adapters|{engine}(?<!autograd\.)numpy as np|sys\.exit)\b", text)


# Those of PyTorch take longest. Each part imports the engine once more.
PARTS = [("torch", 0, 2), ("torch", 1, 2), ("jax", 0, 1), ("hips_autograd", 0, 1)]


@pytest.mark.parametrize(("engine", "part", "parts"), PARTS)
def test_native_programs_end_as_is_noted(engine: str, part: int, parts: int) -> None:
    """On the version that is installed: live where the entries apply, fixed elsewhere. None is left out."""
    if find_spec(engine.removeprefix("hips_")) is None:
        pytest.skip("not installed")
    lines = list(run_programs(engine, part, parts))
    count = sum(script.parent.name == engine for script in SCRIPTS)
    assert len(lines) == len(range(part, count, parts))
    assert [line for line, as_noted in lines if not as_noted] == []


def test_an_engine_that_is_not_installed_has_nothing_to_try() -> None:
    """Its programs would show nothing."""
    assert list(run_programs("reference")) == []


def test_the_most_harmful_causes_come_first() -> None:
    """In the order of the kinds; a page shows the programs, and where and when they fail."""
    page = pages(load_all())["torch"]
    order = [page.index(f"## {heading}\n") for heading in HEADINGS.values() if f"## {heading}\n" in page]
    assert order == sorted(order)
    assert len(order) > 2
    silent = page[: order[1]]
    assert "y.mul_(y)" in silent
    assert "Live in 2.13.0, 2.15.0." in silent
    assert "No issue was found on 2026-11-23 for the queries" in silent
    assert "(torch: fail, torch_func: fail" in silent


def test_conventions_are_no_findings() -> None:
    """Cells that only differ have nothing to mend."""
    page = pages(load_all())["torch"]
    causes = known_failures.causes_of(KNOWN / "torch.toml").values()
    titles = [cause.title for cause in causes if cause.kind is CauseKind.CONVENTION]
    assert not [title for title in titles if f"### {title}\n" in page or f"[{title}]" in index()]


def test_a_page_has_signatures_of_programs() -> None:
    """Below their cause, with the column."""
    assert "- `forward_is_differences: numbers: write.multiply:itself` (torch: fail" in pages([])["torch"]


def test_the_index_leads_to_programs_and_issues() -> None:
    """A row for each cause but limitations, which are documented; the most harmful kind of all engines first."""
    lines = [line for line in index().splitlines() if line.startswith("| ")][1:]
    causes = [cause for path in FILES for cause in known_failures.causes_of(path).values()]
    listed = HEADINGS.keys() - {CauseKind.LIMITATION}
    assert len(lines) == sum(cause.kind in listed for cause in causes)
    kinds = [kind.value for kind in CauseKind if kind in listed]
    assert list(dict.fromkeys(line.split(" | ")[0].removeprefix("| ") for line in lines)) == kinds
    links = [link for line in lines for link in re.findall(r"\]\((\.\./[^)]*)\)", line)]
    assert len(links) > 200
    assert all((ROOT / "docs" / link).exists() for link in links)
    assert any("[pytorch#194903](https://github.com/pytorch/pytorch/issues/194903)" in line for line in lines)


def test_the_command_writes_all_pages(tmp_path: Path) -> None:
    """One for each engine, and one of real bugs."""
    call = CliRunner().invoke(findings, [str(tmp_path / "new")])
    assert (call.exit_code, "5 pages in" in call.output) == (0, True), call.output
    assert "| bug | shown by |" in (tmp_path / "new/bugs.md").read_text("utf-8")


def test_an_engine_without_findings_is_an_error() -> None:
    """One line that names those that have some."""
    call = CliRunner().invoke(findings, ["--run", "--engine", "numpy"])
    assert (call.exit_code, "findings are in" in call.output) == (2, True)
