"""A new behaviour touches the files of its chapter, and none that every other addition touches too."""

from __future__ import annotations

import shutil
import subprocess
import sys
from pathlib import Path

import pytest

from tests.support import ROOT, from_here
from tests.test_layers import OURS

ID = "detaching.detach_of_a_leaf_has_no_gradient"
BEHAVIOUR = '''

@behaviour(MUST, torch("torch.Tensor.detach"))
def detach_of_a_leaf_has_no_gradient(ad):
    """detach() of a leaf with a gradient returns a tensor whose .grad is None."""
    x = ad.leaf([1.0, 2.0])
    ad.backward(ad.np.sum(x))
    equal(ad.gradient_of(ad.detach(x)), None)
'''
# The documented steps after the function is written: docs/adding-a-behaviour.md.
STEPS = (
    ("cite", ID, "torch.Tensor.detach", "rule", "Returns a new Tensor, detached from the current graph."),
    ("refresh", "--behaviour", ID),
)


def texts(folder: Path) -> dict[str, bytes]:
    """The files of a folder that are no cache, by their path."""
    paths = (path for path in folder.rglob("*") if path.is_file() and "__pycache__" not in path.parts)
    return {path.relative_to(folder).as_posix(): path.read_bytes() for path in paths}


@pytest.fixture
def copy(tmp_path: Path) -> Path:
    """A copy of the checkout, without its tests."""
    ignored = shutil.ignore_patterns("__pycache__", "conformance-report")
    for name in sorted({*OURS, "docs"} - {"tests"}):
        shutil.copytree(ROOT / name, tmp_path / name, ignore=ignored)
    shutil.copy(ROOT / "pyproject.toml", tmp_path)
    return tmp_path


def test_a_behaviour_touches_at_most_four_files(copy: Path) -> None:
    """The chapter, its evidence and its record of mutants: not a page, a count or a list that others edit as well."""
    before = texts(copy)
    with (copy / "conformance/chapters/detaching.py").open("a", encoding="utf-8") as chapter:
        chapter.write(BEHAVIOUR)
    for step in STEPS:
        command = [sys.executable, "-m", "workshop", *step]
        done = subprocess.run(
            command, cwd=copy, env=from_here(PYTHONPATH=str(copy)), capture_output=True, text=True, check=False
        )
        assert done.returncode == 0, done.stdout + done.stderr
    after = texts(copy)
    # A schema that is out of date is written, too; another test names it.
    touched = {name for name in after if after[name] != before.get(name) and not name.endswith(".schema.json")}
    assert touched == {
        "conformance/chapters/detaching.py",
        "conformance/evidence/detaching.json",
        "conformance/mutants/detaching.json",
    }
    assert before.keys() == after.keys()
