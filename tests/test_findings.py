"""Findings: each cause has a native program that runs, and a page in which the most harmful come first."""

from __future__ import annotations

import re
from importlib.util import find_spec
from pathlib import Path

import pytest
from click.testing import CliRunner

from conformance import known_failures
from conformance.collection import load_all
from conformance.known_causes import CauseClass, script_of
from workshop.findings import HEADINGS, KNOWN, entries, files, findings, pages, tried

FILES = files()
SCRIPTS = sorted((KNOWN / "scripts").glob("*.py"))


@pytest.mark.parametrize("path", FILES, ids=lambda path: f"{path.parent.name}-{path.stem}")
def test_a_cause_that_is_no_convention_can_be_tried_and_was_searched_for(path: Path) -> None:
    """It has a program, versions in which that was seen, and an issue or the queries that found none.

    Of a documented limitation the error itself says what is not implemented: nothing else need be shown.
    """
    shared = known_failures.shared_file(path)
    its = set(known_failures.causes_of(path)) - set(known_failures.causes_of(shared) if shared else ())
    for name in its:
        cause = known_failures.causes_of(path)[name]
        assert cause.live_in or cause.kind is CauseClass.CONVENTION, name
        if cause.kind not in (CauseClass.CONVENTION, CauseClass.LIMITATION):
            assert script_of(KNOWN / path.name, name).exists(), name
            assert cause.issues or cause.fixed_in or len(cause.searched) > 1, name


def test_every_program_shows_a_cause_that_an_entry_names() -> None:
    """A cause without a cell, or a program without a cause, was left over."""
    causes = {name for path in FILES for name in known_failures.causes_of(path)}
    assert {path.stem for path in SCRIPTS} <= causes
    assert causes == {entry.cause for path in FILES for entry in entries(path) if entry.cause}


@pytest.mark.parametrize("path", SCRIPTS, ids=lambda path: path.stem)
def test_a_native_program_is_short_and_plain(path: Path) -> None:
    """It needs the engine and nothing of the suite, and fails by an assertion, an error of the engine, or a crash."""
    text = path.read_text("utf-8")
    assert len(text.splitlines()) <= 32
    assert not re.search(r"\b(conformance|adapters|reference_engine|(?<!autograd\.)numpy as np|sys\.exit)\b", text)


# Their programs take minutes; those of PyTorch are tried in four processes.
PARTS = [("torch", 0, 4), ("torch", 1, 4), ("torch", 2, 4), ("torch", 3, 4), ("jax", 0, 2), ("jax", 1, 2)]


@pytest.mark.parametrize(("engine", "part", "parts"), [*PARTS, ("hips_autograd", 0, 1)])
def test_native_programs_end_as_is_noted(engine: str, part: int, parts: int) -> None:
    """On the version that is installed: live where the entries apply, fixed elsewhere. None is left out."""
    if find_spec(engine.removeprefix("hips_")) is None:
        pytest.skip("not installed")
    told = list(tried(engine, part, parts))
    page = {
        name: script_of(KNOWN / path.name, name)
        for path in FILES
        for name in known_failures.causes_of(path)
        if _is_on(path, engine)
    }
    count = sum(script.exists() for script in page.values())
    assert len(told) == len(range(part, count, parts))
    assert [line for line, fine in told if not fine] == []


def _is_on(path: Path, engine: str) -> bool:
    """Whether a file is on the page of an engine: its own, or one that shares its causes."""
    shared = known_failures.shared_file(path)
    return _is_on(shared, engine) if shared else path.stem in (engine, f"{engine}-operations")


def test_an_engine_that_is_not_installed_has_nothing_to_try() -> None:
    """Its programs would show nothing."""
    assert list(tried("reference")) == []


def test_the_most_harmful_causes_come_first() -> None:
    """In the order of the classes; a page shows the programs, and where and when they fail."""
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
    """What only differs has nothing to mend."""
    page = pages(load_all())["torch"]
    causes = known_failures.causes_of(KNOWN / "torch.toml").values()
    assert not [cause.title for cause in causes if cause.kind is CauseClass.CONVENTION and cause.title in page]


def test_an_engine_without_findings_is_an_error() -> None:
    """One line that names those that have some."""
    call = CliRunner().invoke(findings, ["numpy"])
    assert (call.exit_code, "findings are in" in call.output) == (2, True)
