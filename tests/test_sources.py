"""Cited sentences, looked for in an installed library: in a toy in its place, and in what is there."""

from __future__ import annotations

import shutil
from importlib.resources import files
from importlib.util import find_spec
from pathlib import Path

import pytest
from click.testing import CliRunner, Result

from conformance import contents, evidence
from conformance.collection import load_all
from tests.support import ROOT
from workshop.__main__ import workshop
from workshop.documentation import cite, scope, sources

# The toy lacks jax.hessian, and its version 9.0 is later than the last for which that is cited.
CHAPTER = '''
from conformance.behaviour import MUST, behaviour, jax

@behaviour(MUST, jax("jax.grad"))
def a_claim(ad):
    """A claim."""

@behaviour(MUST, jax("jax.vjp"), jax("autodiff_cookbook", "Gradients"))
def another_claim(ad):
    """Another claim."""

@behaviour(MUST, jax("jax.hessian", until="8.5"))
def an_old_claim(ad):
    """A claim about a name that went."""
'''
# Prints while it is imported, as libraries do; two names of an object share a line.
TOY = '''
print("libraries may print")
__version__ = "9.0"

def grad(f):
    """Returns the ``derivative``
    of f. It is a function."""

def vjp(f):
    """Gives the pullback of f."""

jacrev = jacobian = lambda f: f
'''
SENTENCE = "Returns the derivative of f."


class Toy:
    """A library called jax, a suite of three behaviours that cite it, and files to be kept."""

    def __init__(self, folder: Path) -> None:
        self.module, self.data, self.record = folder / "path/jax/__init__.py", folder / "data", folder / "evidence"
        self.write(TOY)
        self.data.mkdir()
        self.record.mkdir()
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

    def cites(self, sentence: str = SENTENCE, kind: str = "rule") -> Result:
        return self.call("cite", "claims.a_claim", "jax.grad", kind, sentence)


@pytest.fixture
def toy(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Toy:
    """The toy, in the place of the installed library and of the suite's record."""
    made = Toy(tmp_path)
    monkeypatch.setenv("PYTHONPATH", f"{made.module.parent.parent}:{ROOT}")
    monkeypatch.setattr(scope, "DATA", made.data)
    monkeypatch.setattr(
        contents, "files", lambda package: made.record if package == evidence.__name__ else files(package)
    )
    monkeypatch.setattr(cite, "RECORD", made.record)
    for module in (cite, sources):
        monkeypatch.setattr(module, "behaviours_and_laws", lambda: load_all(tmp_path / "chapters"))
    evidence.recorded.cache_clear()
    yield made
    # First, so that what is read next is the suite's own record.
    monkeypatch.undo()
    evidence.recorded.cache_clear()


def test_a_sentence_is_read_in_the_installed_library(toy: Toy) -> None:
    """Case, markup and line breaks do not count; the sentence itself is not stored."""
    call = toy.cites()
    assert (call.exit_code, "claims.a_claim is must; its evidence carries must" in call.output) == (0, True)
    done = toy.call("sources", "jax")
    assert (done.exit_code, "jax 9.0: the sentences of 1 of 1 citations are there" in done.output) == (0, True)
    assert "without a sentence, so that they promise nothing (`unstated`): 2" in done.output
    assert "cited for other versions only: 1" in done.output
    written = (toy.record / "claims.json").read_text()
    assert '"words":"Returns the derivative of f"' in written
    assert "function" not in written


def test_a_sentence_that_changed_has_drifted(toy: Toy) -> None:
    """Until its new wording is cited beside the old."""
    toy.cites()
    toy.write(TOY.replace("Returns", "Gives"))
    drifted = toy.call("sources", "jax")
    assert drifted.exit_code == 1
    assert "drifted: claims.a_claim: jax jax.grad: no sentence 'Returns the derivative of f ...'" in drifted.output
    toy.cites("Gives the derivative of f.")
    assert toy.call("sources", "jax").exit_code == 0
    # Both wordings are recorded now, and either will do.
    toy.write(TOY)
    assert toy.call("sources", "jax").exit_code == 0


@pytest.mark.parametrize("text", ["Returns the derivative", "Returns the derivative of g", "the derivative of f"])
def test_a_part_of_the_sentence_is_not_enough(toy: Toy, text: str) -> None:
    """Every word counts."""
    toy.cites()
    toy.write(TOY.replace("Returns the ``derivative``\n    of f", text))
    assert toy.call("sources", "jax").exit_code == 1


def test_a_name_that_does_not_exist_is_a_fault(toy: Toy) -> None:
    """Unless it is cited for other versions only."""
    toy.write(TOY.replace("def vjp", "def pullback"))
    call = toy.call("sources", "jax")
    assert (call.exit_code, "no such name: claims.another_claim: jax jax.vjp" in call.output) == (1, True)
    assert "jax.hessian" not in call.output
    # A version for which jax.hessian is cited: now it is missing.
    toy.write(TOY.replace("9.0", "8.5.1"))
    assert "no such name: claims.an_old_claim: jax jax.hessian" in toy.call("sources", "jax").output


def test_prose_is_looked_up_in_a_checkout(toy: Toy, tmp_path: Path) -> None:
    """Without a checkout it is counted as not looked at."""
    cited = ("cite", "claims.another_claim", "autodiff_cookbook", "rule", "The cookbook says that.", "--version", "9.0")
    assert toy.call(*cited).exit_code == 0
    assert "prose, not in the library: 1" in toy.call("sources", "jax").output
    page = tmp_path / "docs/autodiff_cookbook.md"
    page.parent.mkdir()
    page.write_text("# Gradients\nThe *cookbook* says\nthat.")
    assert "1 of 1 citations" in toy.call("sources", "jax", "--pages", str(page.parent)).output
    page.write_text("Another text.")
    assert "drifted: claims.another_claim" in toy.call("sources", "jax", "--pages", str(page.parent)).output


def test_public_names_that_came_and_went_are_listed(toy: Toy) -> None:
    """The stored list is read anew by --names; names of an object share a line."""
    assert "public names that the stored list does not have" in toy.call("sources", "jax").output
    toy.call("sources", "jax", "--names")
    assert 'jax.jacobian" = ["jax.jacrev"]' in (toy.data / "names/jax.toml").read_text()
    assert scope.public_names("jax").names == {"jax.grad": [], "jax.jacobian": ["jax.jacrev"], "jax.vjp": []}
    toy.write(TOY.replace("def vjp", "def jvp").replace("jacrev = ", ""))
    output = toy.call("sources", "jax").output
    assert "public names that the stored list does not have (--names): 1: jax.jvp" in output
    assert "public names that are no longer there: 1: jax.vjp" in output
    assert "jax.jacobian" not in output


BAD = {
    "an unknown library": (("sources", "jaxx"), "unknown library 'jaxx'; scope.toml knows torch, jax"),
    "a library that is not there": (("sources", "torch"), "library 'torch' cannot be read"),
    "a folder without pages": (("sources", "jax", "--pages", "."), "has no page that is cited"),
    "an unknown behaviour": (("cite", "claims.none", "jax.grad", "rule", SENTENCE), "no behaviour is called"),
    "a page that is not cited": (
        ("cite", "claims.a_claim", "jax.vjp", "rule", SENTENCE),
        "does not name a single citation",
    ),
    "an unknown kind": (("cite", "claims.a_claim", "jax.grad", "fact", SENTENCE), "'fact' is not one of"),
    "too short a sentence": (("cite", "claims.a_claim", "jax.grad", "rule", "of f"), "too short to be found again"),
}


@pytest.mark.parametrize("name", BAD)
def test_the_error_of_a_bad_call_is_clear(name: str, toy: Toy, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Exit status 2, and nothing is written."""
    # So that torch is missing also where it is installed.
    (toy.module.parent.parent / "torch.py").write_text("raise ImportError('broken')\n")
    (tmp_path / "empty").mkdir()
    monkeypatch.chdir(tmp_path / "empty")
    words, phrase = BAD[name]
    call = toy.call(*words)
    assert (call.exit_code, phrase in call.output, "Traceback" in call.output) == (2, True, False), call.output
    assert list(toy.record.iterdir()) == []


@pytest.mark.parametrize("name", sorted(scope.libraries()))
def test_the_citations_hold_in_the_library_that_is_installed(name: str) -> None:
    """Every name exists, and every sentence is there."""
    if find_spec(name) is None:
        pytest.skip(f"{name} is not installed here")
    call = CliRunner().invoke(workshop, ["sources", name])
    assert (call.exit_code, call.stderr) == (0, ""), call.stdout
    assert f"{name} " in call.stdout.splitlines()[0]
