"""A new adapter's skeleton: small, clean, running at once, and never written over what is there."""

from __future__ import annotations

import subprocess
import sys
from importlib.metadata import version
from pathlib import Path

import pytest

from tests.support import ROOT, Call, conform

ENGINE = "toy_conformance:ToyAdapter"


@pytest.fixture(scope="module")
def skeleton(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A skeleton, as the command writes it."""
    folder = tmp_path_factory.mktemp("skeleton") / "toy"
    call = conform("adapter", "new", "toy", "--output", folder, output=folder)
    assert call.status == 0, call.err
    assert str(folder) in call.out
    return folder


def run(folder: Path, *words: str) -> Call:
    """Run behaviours on the skeleton, from its folder."""
    out = folder / "out"
    return conform("run", "--engine", ENGINE, *words, "--output", out, output=out, cwd=folder)


def test_a_skeleton_is_three_files_and_150_lines(skeleton: Path) -> None:
    """Additions to an adapter's skeleton are for readers in a hurry."""
    texts = [path.read_text("utf-8") for path in skeleton.iterdir() if path.is_file()]
    assert len(texts) <= 3
    assert sum(text.count("\n") for text in texts) <= 150


def test_the_skeleton_is_lint_clean_and_formatted(skeleton: Path) -> None:
    """Ruff has nothing to say, nor to move."""
    pytest.importorskip("ruff")
    for command in (["check"], ["format", "--check"]):
        ruff = [sys.executable, "-m", "ruff", *command, "--no-cache", "."]
        done = subprocess.run(ruff, cwd=skeleton, capture_output=True, text=True, check=False)
        assert done.returncode == 0, done.stdout + done.stderr


def test_the_skeleton_is_typed(skeleton: Path) -> None:
    """Mypy has nothing to say, in its strict mode."""
    pytest.importorskip("mypy")
    mypy = [sys.executable, "-m", "mypy", "--strict", "--cache-dir", str(skeleton / "cache"), "toy_conformance.py"]
    environment = {"MYPYPATH": str(ROOT), "PYTHONPATH": str(ROOT)}
    done = subprocess.run(mypy, cwd=skeleton, env=environment, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stdout + done.stderr


def test_the_skeleton_runs_at_once(skeleton: Path) -> None:
    """It is sane, and no behaviour fails: the derivative of its example engine is right."""
    check = conform("adapter", "check", ENGINE, output=skeleton, cwd=skeleton)
    assert (check.status, ", 0 problems" in check.out) == (0, True), check.out + check.err
    call = run(skeleton, "gradients.a_gradient_has_the_shape_of_its_input", "leaves", "holomorphy")
    assert call.status == 0, call.out + call.err
    assert (
        {"pass", "unsupported", "absent"} <= set(call.verdicts.values()) <= {"pass", "unsupported", "absent", "differs"}
    )


def test_a_verb_that_is_written_is_supported(skeleton: Path) -> None:
    """To write a verb is to add a method."""
    cell = "conversions.item_of_several_elements_raises_an_error"
    assert run(skeleton, cell).verdicts == {cell.partition(".")[2]: "unsupported"}
    adapter = skeleton / "toy_conformance.py"
    before = adapter.read_text("utf-8")
    adapter.write_text(before + "\n    def number_of(self, x: Array) -> Any:\n        return x.item()\n", "utf-8")
    assert run(skeleton, cell).verdicts == {cell.partition(".")[2]: "pass"}
    # The skeleton is shared by the tests of this module.
    adapter.write_text(before, "utf-8")


def test_nothing_is_overwritten(skeleton: Path) -> None:
    """A folder that holds one of the files is turned down in one line, and stays as it is; any other is written to."""
    before = {path: path.read_bytes() for path in skeleton.rglob("*.*") if path.is_file()}
    call = conform("adapter", "new", "toy", "--output", skeleton, output=skeleton)
    assert (call.status, call.err.count("\n")) == (2, 1)
    assert f"{skeleton / 'toy_conformance.py'}: is there already" in call.err
    assert {path: path.read_bytes() for path in before} == before
    (skeleton / "other").mkdir()
    (skeleton / "other" / "notes.txt").touch()
    other = conform("adapter", "new", "other", "--output", skeleton / "other", output=skeleton)
    assert (other.status, (skeleton / "other" / "other_conformance.py").is_file()) == (0, True)


BAD = {
    "upper_case": (("Toy",), "'Toy'"),
    "dashes": (("my-toy",), "'my-toy'"),
    "a_path": (("../toy",), "'../toy'"),
    "a_keyword": (("class",), "'class': is a word of Python's"),
    "too_long": (("x" * 300,), "File name too long; give another --output"),
    "taken": (("reference",), "is taken"),
    "module": (("toy", "--module", "no module"), "'no module'"),
}


@pytest.mark.parametrize("name", BAD)
def test_bad_names_are_one_line(name: str, tmp_path: Path) -> None:
    """One line names what cannot be, and nothing is written."""
    words, phrase = BAD[name]
    call = conform("adapter", "new", *words, output=tmp_path, cwd=tmp_path)
    assert (call.status, call.out, call.err.count("autograd-conformance: error: ")) == (2, "", 1), call.err
    assert phrase in call.err
    assert list(tmp_path.iterdir()) == []


def test_the_engine_is_imported_and_asked_for_its_version(tmp_path: Path) -> None:
    """With a module, the skeleton requires the distribution that brings it, and reads its version."""
    folder = tmp_path / "toy"
    # In the place of an engine, a distribution that is there wherever the suite is.
    assert conform("adapter", "new", "toy", "--module", "click", "--output", folder, output=folder).status == 0
    assert '"click"]' in (folder / "pyproject.toml").read_text("utf-8")
    check = conform("adapter", "check", ENGINE, "--json", output=folder, cwd=folder)
    assert (check.status, f'"version": "{version("click")}"' in check.out) == (0, True), check.err


def test_a_missing_engine_is_named(tmp_path: Path) -> None:
    """The skeleton is written where the engine is not installed, with a word about it."""
    words = ("toy", "--module", "no_such_engine", "--output", tmp_path / "toy")
    call = conform("adapter", "new", *words, output=tmp_path)
    assert (call.status, "no_such_engine is not installed here" in call.out) == (0, True)
    check = conform("adapter", "check", ENGINE, output=tmp_path, cwd=tmp_path / "toy")
    assert (check.status, check.err.count("\n")) == (2, 1)
    assert "no_such_engine" in check.err


def test_the_engine_is_located_without_importing_it(tmp_path: Path) -> None:
    """An engine's code runs in a process for it alone: of `loose.part`, `loose` is looked for and not imported."""
    (tmp_path / "loose").mkdir()
    (tmp_path / "loose" / "__init__.py").write_text("raise SystemExit('imported')\n")
    words = ("toy", "--module", "loose.part", "--output", tmp_path / "toy")
    call = conform("adapter", "new", *words, output=tmp_path, cwd=tmp_path)
    assert (call.status, "imported" in call.err, "not installed" in call.out) == (0, False, False), call.err


def test_an_engine_without_a_distribution_is_spoken_to(tmp_path: Path) -> None:
    """A module that lies about, and was never installed, has its version itself, or none."""
    (tmp_path / "loose.py").write_text("__version__ = '3.1'\n")
    conform("adapter", "new", "toy", "--module", "loose", "--output", tmp_path, output=tmp_path, cwd=tmp_path)
    check = conform("adapter", "check", ENGINE, "--json", output=tmp_path, cwd=tmp_path)
    assert (check.status, '"version": "3.1"' in check.out) == (0, True), check.err
