"""The engine prints what PyTorch prints, for every small program in `programs/`; each exception has its reason."""

from __future__ import annotations

import difflib
import importlib.util
import json
import os
import subprocess
import sys
from pathlib import Path

import pytest

from .program_differences import DIFFERENCES

ROOT = Path(__file__).parents[2]
PROGRAMS = Path(__file__).parent / "programs"
SUBJECTS = sorted(p.stem for p in PROGRAMS.glob("*.py") if p.stem not in ("run_all", "telling"))
Printed = dict[str, list[str]]


def _run_all(*interpreter: str) -> dict[str, str]:
    """What the programs of each subject print, all run in one process."""
    paths = [str(PROGRAMS / f"{subject}.py") for subject in SUBJECTS]
    command = [sys.executable, *interpreter, str(PROGRAMS / "run_all.py"), *paths]
    environment = {**os.environ, "PYTHONIOENCODING": "utf-8", "PYTHONPATH": str(PROGRAMS), "OMP_NUM_THREADS": "1"}
    done = subprocess.run(
        command, cwd=ROOT, env=environment, capture_output=True, encoding="utf-8", timeout=300, check=False
    )
    assert done.returncode == 0, done.stderr
    results = json.loads(done.stdout)
    for output, problem in results.values():
        assert not problem, output + problem
    return {Path(path).stem: output for path, (output, _) in results.items()}


def _by_program(output: str) -> Printed:
    """The printed lines under each program's headline."""
    parts = [part.splitlines() for part in ("\n" + output).split("\n-- ")[1:]]
    return {lines[0]: lines[1:] for lines in parts}


@pytest.fixture(scope="module")
def on_torch() -> dict[str, str]:
    """What PyTorch prints."""
    if importlib.util.find_spec("torch") is None:
        pytest.skip("torch is not installed")
    return _run_all()


@pytest.fixture(scope="module")
def on_the_engine() -> dict[str, str]:
    """What the reference engine prints."""
    return _run_all("-m", "reference_engine")


def _changes(ours: list[str], theirs: list[str]) -> tuple[tuple[str, ...], tuple[str, ...]]:
    """The lines that only PyTorch prints, and those that only the engine prints."""
    lines = list(difflib.ndiff(theirs, ours))
    return tuple(x[2:] for x in lines if x.startswith("- ")), tuple(x[2:] for x in lines if x.startswith("+ "))


@pytest.mark.parametrize("subject", SUBJECTS)
def test_the_engine_prints_what_torch_prints(
    subject: str, on_torch: dict[str, str], on_the_engine: dict[str, str]
) -> None:
    """Line by line, except where `DIFFERENCES` says what each of the two prints, and why."""
    theirs, ours = _by_program(on_torch[subject]), _by_program(on_the_engine[subject])
    assert list(theirs) == list(ours)
    found = {name: _changes(ours[name], theirs[name]) for name in theirs if ours[name] != theirs[name]}
    listed = {d.program: (d.torch, d.engine) for d in DIFFERENCES if d.subject == subject}
    assert found == listed


def test_every_difference_has_a_reason_and_a_program(on_the_engine: dict[str, str]) -> None:
    """The table names programs that exist, each once, and says why."""
    named = [(d.subject, d.program) for d in DIFFERENCES]
    assert len(named) == len(set(named))
    for d in DIFFERENCES:
        assert d.program in _by_program(on_the_engine[d.subject])
        assert d.reason.endswith(".")


def test_there_are_many_programs(on_the_engine: dict[str, str]) -> None:
    """Each subject of PyTorch's own tests of autograd has several."""
    assert sum(len(_by_program(output)) for output in on_the_engine.values()) >= 250
