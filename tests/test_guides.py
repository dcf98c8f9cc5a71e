"""Guides from an engine to another: their bands, their page, and the committed ones."""

from __future__ import annotations

import re
from pathlib import Path
from typing import Any

import msgspec
import pytest

from conformance.results import BehaviourRecord
from conformance.verdicts import Reason, Verdict, Witness
from reports.files import ReportError
from reports.guide import guide_between, render
from reports.model import Matrix
from tests.matrices import merge
from tests.reports.making import result, results_file
from workshop.ci_results import ci_results
from workshop.guides import FOLDER, guide_files

LACK = "Nothing is written in place. Instead: `x = x + 1` (source: https://docs.example.org/page_one.html)"
RAISED = Witness(error="TypeError", text="no")


def test_a_difference_is_in_its_band() -> None:
    """Other numbers, other conventions, an error that comes, an error that goes, and a feature that is missing."""
    made = guide_between(sample(), "torch", "jax")
    bands = (made.silent, made.raising, made.accepting)
    assert [[it.id for topic in band for it in topic.differences] for band in bands] == [
        ["a.number", "a.convention"],
        ["a.comes", "a.refuses"],
        ["a.goes"],
    ]
    (silent,), (raising,) = made.silent, made.raising
    assert [(it.start, it.end, it.cases) for it in silent.differences] == [("0.0", "nan", 2), ("up", "down", 1)]
    assert [(it.start, it.end) for it in raising.differences] == [("as stated", "TypeError: no"), ("done", "raises")]
    assert [(lack.reason, lack.rows) for lack in made.lacking] == [(LACK, 1)]
    assert made.alike == 1


def test_its_page_has_both_programs_beside_each_other() -> None:
    """Without the heading of a script; code and addresses of texts stay what they are."""
    page = render(guide_between(sample(), "torch", "jax"))
    assert "```python\nimport torch\n```" in page
    assert "```python\nimport jax\n```" in page
    assert "# seen" not in page
    assert "Instead: `x = x + 1` (source: <https://docs.example.org/page_one.html>)" in page
    assert "- The slope of \\*kinks\\* is `0`. `a.number` (2 cases)" in page


def test_a_column_that_is_missing_is_named() -> None:
    """With those that there are."""
    with pytest.raises(ReportError, match="no results of 'tinygrad'; there are those of torch, jax"):
        guide_between(sample(), "torch", "tinygrad")


def test_the_committed_guides_are_those_of_the_run() -> None:
    """Of the CI's matrix: `python -m workshop guides conformance-report/engines/*/results/*.jsonl` writes them.

    But for numbers that are wrong, or that an engine may choose: their digits depend on the machine.
    """
    columns = [ci_results(column) for column in ("torch", "torch_func", "jax")]
    if None in columns:
        pytest.skip("no results of these columns: CONFORMANCE_RAN names their folder in CI")
    made = guide_files([Path(results.path) for results in columns if results])
    kept = {path.name: path.read_text("utf-8") for path in FOLDER.iterdir()}
    assert {name: _without_digits(text) for name, text in kept.items()} == {
        name: _without_digits(text) for name, text in made.items()
    }


def _without_digits(text: str) -> str:
    return re.sub(r"-?\d+\.\d{5,}(e[+-]?\d+)?", "#", text)


# Of each row the outcome on torch, then on jax.
OUTCOMES: dict[str, tuple[dict[str, Any], dict[str, Any]]] = {
    "a.number[one]": ({}, {"verdict": Verdict.DIFFERS, "witness": Witness("nan", "0.0")}),
    "a.number[two]": ({}, {"verdict": Verdict.FAIL, "witness": Witness("1.0", "0.0")}),
    "a.convention": ({"convention": "up"}, {"convention": "down"}),
    "a.comes": ({}, {"verdict": Verdict.FAIL, "reason": Reason.RAISED, "witness": RAISED}),
    "a.refuses": ({"convention": "done"}, {"convention": "raises"}),
    "a.goes": ({"convention": "raises"}, {"convention": "zero"}),
    "a.lacks": ({}, {"verdict": Verdict.ABSENT, "message": LACK}),
    "a.same": ({}, {}),
}


def sample() -> Matrix:
    """A matrix of two engines with a row for each band, and scripts."""
    ids = dict.fromkeys(id.partition("[")[0] for id in OUTCOMES)
    records = [BehaviourRecord(id, "a", "must", "The slope of *kinks* is `0`.", [], []) for id in ids]
    files = [
        results_file(engine, [result(id, **outcomes[at]) for id, outcomes in OUTCOMES.items()], records)
        for at, engine in enumerate(("torch", "jax"))
    ]
    matrix = merge(files)
    scripts = {engine: f"# A heading\n# seen: pass\n\nimport {engine}\n" for engine in ("torch", "jax")}
    cells = [msgspec.structs.replace(cell, script=scripts[cell.engine]) for cell in matrix.cells]
    return msgspec.structs.replace(matrix, cells=cells)
