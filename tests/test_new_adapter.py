"""A new adapter's skeleton: complete, clean, running at once, and never written over what is there."""

from __future__ import annotations

import ast
import shutil
import subprocess
import sys
from importlib.metadata import version
from pathlib import Path

import pytest

from conformance.protocol import unwritten, vocabulary
from tests.support import ROOT, Call, conform

LIKES = ("tape", "transforms")


@pytest.fixture(scope="module", params=LIKES)
def skeleton(request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A skeleton of each family, as the command writes it."""
    folder = tmp_path_factory.mktemp(request.param) / "toy"
    call = conform("new-adapter", "toy", "--like", request.param, "--output", folder, output=folder)
    assert call.status == 0, call.err
    assert str(folder) in call.out
    return folder


def run(folder: Path, *words: str) -> Call:
    """Run behaviours on the skeleton, from its folder."""
    out = folder / "out"
    return conform("run", "--engine", "with_toy:ToyAdapter", *words, "--output", out, output=out, cwd=folder)


def verbs_of(package: Path) -> dict[tuple[str, str], ast.FunctionDef]:
    """Every method of the package, by class and name."""
    trees = [ast.parse(path.read_text("utf-8")) for path in package.glob("*.py")]
    classes = [node for tree in trees for node in tree.body if isinstance(node, ast.ClassDef)]
    return {(kind.name, one.name): one for kind in classes for one in kind.body if isinstance(one, ast.FunctionDef)}


def test_every_verb_stands_with_its_arguments_and_meaning(skeleton: Path) -> None:
    """Each verb of the protocol is a method of its group, with the same arguments, defaults and docstring."""
    written = verbs_of(skeleton / "with_toy")
    for verb in vocabulary().values():
        method = written[verb.group, verb.name.rpartition(".")[2]]
        arguments = [*method.args.args, *filter(None, [method.args.vararg, method.args.kwarg])]
        arguments += method.args.kwonlyargs
        assert sorted(one.arg for one in arguments) == sorted(["self", *verb.signature.parameters]), verb.name
        keywords = [one.name for one in verb.signature.parameters.values() if one.kind is one.KEYWORD_ONLY]
        assert [one.arg for one in method.args.kwonlyargs] == keywords, verb.name
        defaults = [ast.unparse(node) for node in (*method.args.defaults, *method.args.kw_defaults) if node]
        wanted = [one.default for one in verb.signature.parameters.values() if one.default is not one.empty]
        assert [eval(text) for text in defaults] == wanted, verb.name
        assert ast.get_docstring(method) == verb.doc


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
    mypy = [sys.executable, "-m", "mypy", "--strict", "--cache-dir", str(skeleton / "cache"), "with_toy"]
    environment = {"MYPYPATH": str(ROOT), "PYTHONPATH": str(ROOT)}
    done = subprocess.run(mypy, cwd=skeleton, env=environment, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stdout + done.stderr


def test_the_skeleton_runs_at_once(skeleton: Path) -> None:
    """Its own test passes, which is a smoke test; a run has unsupported and absent cells, and nothing that fails."""
    pytest_run = [sys.executable, "-m", "pytest", "-q", "-p", "no:cacheprovider", "test_with_toy.py"]
    done = subprocess.run(pytest_run, cwd=skeleton, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stdout
    call = run(skeleton, "holomorphy", "leaves", "ties")
    assert call.status == 0, call.out + call.err
    assert set(call.verdicts.values()) <= {"unsupported", "absent"}


def test_a_verb_that_is_written_is_supported(skeleton: Path) -> None:
    """To write a verb is to give it a body and to take its mark off."""
    cell = "conversions.several_elements_are_no_number"
    assert run(skeleton, cell).verdicts == {cell.partition(".")[2]: "unsupported"}
    memory = skeleton / "with_toy" / "memory.py"
    before = memory.read_text("utf-8")
    head, mark, tail = before.partition("    @unwritten\n    def number_of(")
    memory.write_text(
        head + "    def number_of(" + tail.replace("raise NotImplementedError", "return x.item()", 1), "utf-8"
    )
    assert mark
    assert run(skeleton, cell).verdicts == {cell.partition(".")[2]: "pass"}
    memory.write_text(before, "utf-8")


def test_nothing_is_overwritten(skeleton: Path) -> None:
    """A folder that holds one of the files is refused in one line, and stays as it is; any other is written to."""
    before = {path: path.read_bytes() for path in skeleton.rglob("*.*") if path.is_file()}
    call = conform("new-adapter", "toy", "--output", skeleton, output=skeleton)
    assert (call.status, call.err.count("\n")) == (2, 1)
    assert f"{skeleton / 'README.md'}: is there already" in call.err
    assert {path: path.read_bytes() for path in before} == before
    other = conform("new-adapter", "other", "--output", skeleton / "with_toy", output=skeleton)
    assert (other.status, (skeleton / "with_toy" / "with_other").is_dir()) == (0, True)
    shutil.rmtree(skeleton / "with_toy" / "with_other")


BAD = {
    "upper_case": (("Toy",), "'Toy'"),
    "dashes": (("my-toy",), "'my-toy'"),
    "a_path": (("../toy",), "'../toy'"),
    "a_keyword": (("class",), "'class': is a word of Python's"),
    "too_long": (("x" * 300,), "File name too long; give another --output"),
    "taken": (("reference",), "is taken"),
    "module": (("toy", "--module", "no module"), "'no module'"),
    "family": (("toy", "--like", "graph"), "'graph'"),
}


@pytest.mark.parametrize("name", BAD)
def test_a_bad_plan_is_refused(name: str, tmp_path: Path) -> None:
    """One line names what cannot be, and nothing is written."""
    words, phrase = BAD[name]
    call = conform("new-adapter", *words, output=tmp_path, cwd=tmp_path)
    assert (call.status, call.out, call.err.count("autograd-conformance: error: ")) == (2, "", 1), call.err
    assert phrase in call.err
    assert list(tmp_path.iterdir()) == []


def test_the_engine_is_imported_and_asked_for_its_version(tmp_path: Path) -> None:
    """With a module, the skeleton names the distribution that brings it, and the version that is here."""
    folder = tmp_path / "toy"
    assert conform("new-adapter", "toy", "--module", "click", "--output", folder, output=folder).status == 0
    assert f"click=={version('click')}" in (folder / "pyproject.toml").read_text("utf-8")
    smoke = conform("smoke", "-e", "with_toy:ToyAdapter", "--json", output=folder, cwd=folder)
    assert (smoke.status, f'"version": "{version("click")}"' in smoke.out) == (0, True), smoke.err


def test_a_missing_engine_is_told(tmp_path: Path) -> None:
    """The skeleton is written where the engine is not installed, with a word about it."""
    call = conform("new-adapter", "toy", "--module", "no_such_engine", "--output", tmp_path / "toy", output=tmp_path)
    assert (call.status, "no_such_engine is not installed here" in call.out) == (0, True)
    smoke = conform("smoke", "-e", "with_toy:ToyAdapter", output=tmp_path, cwd=tmp_path / "toy")
    assert (smoke.status, smoke.err.count("\n")) == (2, 1)
    assert "no_such_engine" in smoke.err


def test_an_unwritten_verb_is_not_there() -> None:
    """The mark makes a method that no adapter has, and that says its name."""

    class Marked:
        @unwritten
        def grad(self) -> None: ...

    assert not hasattr(Marked(), "grad")
    with pytest.raises(AttributeError, match=r"ad\.grad is not written yet"):
        Marked().grad()


def test_an_engine_without_a_distribution_is_spoken_to(tmp_path: Path) -> None:
    """A module that lies about, and was never installed, says its version itself, or has none."""
    (tmp_path / "loose.py").write_text("__version__ = '3.1'\n")
    conform("new-adapter", "toy", "--module", "loose", "--output", tmp_path, output=tmp_path, cwd=tmp_path)
    smoke = conform("smoke", "-e", "with_toy:ToyAdapter", "--json", output=tmp_path, cwd=tmp_path)
    assert (smoke.status, '"version": "3.1"' in smoke.out) == (0, True), smoke.err
