"""Cited docstrings compared with an installed library: with a toy in its place, and with what is there."""

from __future__ import annotations

import shutil
from importlib.util import find_spec
from pathlib import Path

import pytest
from click.testing import CliRunner, Result

from conformance.collecting import load_all
from tests.support import ROOT
from workshop.__main__ import workshop
from workshop.documentation import drift, index, scope

# The toy lacks jax.hessian, and its version 9.0 is later than the last for which that is cited.
CHAPTER = '''
from conformance.behaviour import MUST, behaviour, jax

@behaviour(MUST, jax("jax.grad"))
def a_claim(ad):
    """A claim."""

@behaviour(MUST, jax("jax.vjp"), jax("autodiff_cookbook"))
def another_claim(ad):
    """Another claim."""

@behaviour(MUST, jax("jax.hessian", until="8.5"))
def an_old_claim(ad):
    """A claim about a name that went."""
'''
# Prints while it is imported, as libraries do; two names are one object, and so share a line.
TOY = '''
print("libraries may print")
__version__ = "9.0"

def grad(f):
    """The derivative
    of f."""

def vjp(f):
    """The pullback."""

jacrev = jacobian = lambda f: f
'''
PATHS = "read/jax.toml", "names/jax.toml"


class Toy:
    """A library called jax, a suite of three behaviours that cite it, and files to be kept."""

    def __init__(self, folder: Path) -> None:
        self.module, self.data = folder / "path/jax/__init__.py", folder / "data"
        self.write(TOY)
        self.data.mkdir()
        shutil.copy(scope.DATA / "scope.toml", self.data)
        (folder / "chapters").mkdir()
        (folder / "chapters/claims.py").write_text(CHAPTER)

    def write(self, text: str) -> None:
        self.module.parent.mkdir(parents=True, exist_ok=True)
        self.module.write_text(text)
        # Written twice within a second and with the same size, the old bytecode would be taken for current.
        shutil.rmtree(self.module.parent / "__pycache__", ignore_errors=True)

    def call(self, *words: str) -> Result:
        return CliRunner().invoke(workshop, list(words))


@pytest.fixture
def toy(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Toy:
    """The toy, in the place of the installed library."""
    made = Toy(tmp_path)
    monkeypatch.setenv("PYTHONPATH", f"{made.module.parent.parent}:{ROOT}")
    monkeypatch.setattr(scope, "DATA", made.data)
    monkeypatch.setattr(drift, "load_all", lambda: load_all(tmp_path / "chapters"))
    return made


def test_a_docstring_is_compared_with_the_one_that_was_recorded(toy: Toy) -> None:
    """Never compared is a fault; recorded, it is none; words that changed are drift, and drift is none."""
    first = toy.call("drift", "jax")
    assert (first.exit_code, first.output.count("never compared")) == (1, 2)
    assert "cited by claims.a_claim\n" in first.output
    recorded = toy.call("drift", "jax", "--record")
    assert (recorded.exit_code, "2 of 3 cited docstrings as recorded" in recorded.output) == (0, True)
    assert "pages, not checked: 1: autodiff_cookbook" in recorded.output
    toy.write(TOY.replace("The derivative", "The gradient").replace("9.0", "9.1"))
    drifted = toy.call("drift", "jax")
    assert drifted.exit_code == 0
    assert "drift: jax.grad is not what it was in 9.0; read it, then --accept jax.grad" in drifted.output
    assert "drift: jax.vjp" not in drifted.output


def test_the_way_in_which_lines_are_broken_is_no_drift(toy: Toy) -> None:
    """The digest is over the words."""
    toy.call("drift", "jax", "--record")
    toy.write(TOY.replace("The derivative\n    of f.", "The\n\n  derivative of\tf."))
    assert "drift" not in toy.call("drift", "jax").output


def test_a_changed_docstring_is_accepted_by_name(toy: Toy) -> None:
    """Only that name is noted, with the version in which it was read; the text itself is not."""
    toy.call("drift", "jax", "--record")
    toy.write(TOY.replace("The derivative", "The gradient").replace("pullback", "reverse").replace("9.0", "9.1"))
    accepted = toy.call("drift", "jax", "--accept", "jax.grad")
    assert (accepted.exit_code, "drift: jax.grad" in accepted.output, "drift: jax.vjp" in accepted.output) == (
        0,
        False,
        True,
    )
    readings = scope.readings("jax")
    assert (readings["jax.grad"].version, readings["jax.vjp"].version) == ("9.1", "9.0")
    assert "gradient" not in (toy.data / "read/jax.toml").read_text()


def test_recording_does_not_accept_drift(toy: Toy) -> None:
    """`--record` notes what is lacking, drops what nothing cites, and leaves a changed docstring as it was read."""
    toy.call("drift", "jax", "--record")
    before = scope.readings("jax")
    scope.save_readings("jax", {**before, "jax.gone": before["jax.grad"]})
    toy.write(TOY.replace("The derivative", "The gradient"))
    assert "drift: jax.grad" in toy.call("drift", "jax", "--record").output
    assert scope.readings("jax") == before


def test_a_name_that_does_not_exist_is_a_fault(toy: Toy) -> None:
    """Unless it is cited for other versions only."""
    toy.write(TOY.replace("def vjp", "def pullback"))
    call = toy.call("drift", "jax", "--record")
    assert (call.exit_code, "no such name: jax.vjp; mend the citation" in call.output) == (1, True)
    assert "cited for other versions only, and not in this one: 1: jax.hessian" in call.output
    # A version for which jax.hessian is cited: now it is missing.
    toy.write(TOY.replace("9.0", "8.5.1"))
    assert "no such name: jax.hessian" in toy.call("drift", "jax").output


def test_a_docstring_that_comes_or_goes_is_drift(toy: Toy) -> None:
    """None is recorded as none, and is not called checked."""
    toy.write(TOY.replace('"""The pullback."""', "pass"))
    assert "without a docstring, not checked: 1: jax.vjp" in toy.call("drift", "jax", "--record").output
    toy.write(TOY)
    assert "drift: jax.vjp" in toy.call("drift", "jax", "--accept", "jax.grad").output
    toy.call("drift", "jax", "--accept", "jax.vjp")
    toy.write(TOY.replace('"""The pullback."""', "pass"))
    assert "drift: jax.vjp" in toy.call("drift", "jax").output


def test_public_names_that_came_and_went_are_told(toy: Toy) -> None:
    """The stored list is read anew by --names; names of one object share a line."""
    assert "public names that the stored list does not have" in toy.call("drift", "jax").output
    toy.call("drift", "jax", "--names")
    assert 'jax.jacobian" = ["jax.jacrev"]' in (toy.data / "names/jax.toml").read_text()
    assert scope.found("jax").names == {"jax.grad": [], "jax.jacobian": ["jax.jacrev"], "jax.vjp": []}
    toy.write(TOY.replace("def vjp", "def jvp").replace("jacrev = ", ""))
    output = toy.call("drift", "jax").output
    assert "public names that the stored list does not have (--names): 1: jax.jvp" in output
    assert "public names that are no longer there: 1: jax.vjp" in output
    assert "jax.jacobian" not in output


BAD = {
    "an unknown library": (("drift", "jaxx"), "unknown library 'jaxx'; scope.toml knows torch, jax"),
    "a library that is not there": (("drift", "torch"), "library 'torch' cannot be asked"),
    "a name that is not cited": (("drift", "jax", "--accept", "jax.jacrev"), "cannot accept 'jax.jacrev'"),
    "a page that is no docstring": (("drift", "jax", "--accept", "autodiff_cookbook"), "cannot accept"),
}


@pytest.mark.parametrize("name", BAD)
def test_the_error_of_a_bad_call_is_one_line(name: str, toy: Toy) -> None:
    """Exit status 2, and nothing is written."""
    # So that torch is missing also where it is installed.
    (toy.module.parent.parent / "torch.py").write_text("raise ImportError('broken')\n")
    words, phrase = BAD[name]
    call = toy.call(*words)
    assert (call.exit_code, call.output.count("\n"), phrase in call.output) == (2, 1, True), call.output
    assert [path for path in PATHS if (toy.data / path).exists()] == []


@pytest.mark.parametrize("name", sorted(scope.libraries()))
def test_every_cited_docstring_has_been_compared(name: str) -> None:
    """And nothing is kept of names that no behaviour cites. Needs no engine: the stored version decides."""
    its, version = scope.library(name), scope.found(name).version
    names = drift.checked_names(its, index.cited(load_all()))
    current = {
        name
        for name, pages in names.items()
        if any(one.citation.covers(version) for page in pages for one in page.cited)
    }
    recorded = set(scope.readings(name))
    assert recorded - set(names) == set(), "run: python -m workshop refresh"
    assert current - recorded == set(), "run: python -m workshop refresh"


@pytest.mark.parametrize("name", sorted(scope.libraries()))
def test_the_citations_hold_in_the_library_that_is_installed(name: str) -> None:
    """Every name exists, and has been compared; drift between versions is no fault."""
    if find_spec(name) is None:
        pytest.skip(f"{name} is not installed here")
    call = CliRunner().invoke(workshop, ["drift", name])
    assert (call.exit_code, call.stderr) == (0, ""), call.stdout
    assert f"{name} " in call.stdout.splitlines()[0]
