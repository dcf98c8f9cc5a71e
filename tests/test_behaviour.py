"""A wrong declaration raises RegistrationError when it is registered, with what to do."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from conformance.behaviour import MUST, RegistrationError, behaviour, document, jax, torch, torch_func
from conformance.behaviour_records import behaviour_record
from conformance.collection import load, load_all, select

HEAD = "from conformance.behaviour import *\nfrom conformance.behaviour import Citation\n"
BACKWARD = 'torch("torch.Tensor.backward")'

# What is wrong with the source below HEAD, and a phrase of the error.
WRONG = {
    f"@behaviour(MUST, {BACKWARD})\ndef x(ad): pass": "needs a docstring: the statement it checks",
    "@behaviour(MUST)\ndef x(ad):\n    '''S.'''": "needs a citation",
    f"@behaviour('must', {BACKWARD})\ndef x(ad):\n    '''S.'''": "use MUST, SHOULD or MAY",
    f"@behaviour(MUST, {BACKWARD})\ndef x(engine):\n    '''S.'''": "named 'ad'",
    f"@behaviour(MUST, {BACKWARD})\ndef test_x(ad):\n    '''S.'''": "must not begin with 'test_'",
    f"@behaviour(MUST, {BACKWARD})\ndef x(ad, y):\n    '''S.'''": "give cases=",
    f"@behaviour(MUST, {BACKWARD}, cases={{'A b': (1,)}})\ndef x(ad, y):\n    '''S.'''": "use lower-case letters",
    f"@behaviour(MUST, {BACKWARD}, cases={{'a': (1, 2)}})\ndef x(ad, y):\n    '''S.'''": "a tuple of 1 values",
    f"@behaviour(MUST, a={BACKWARD})\ndef x(ad):\n    '''S.'''": "single convention 'a'",
    f"@behaviour(MUST, a={BACKWARD}, b={BACKWARD})\ndef x(ad):\n    '''S.'''": "cites torch for two conventions",
    f"@behaviour(MUST, {BACKWARD}, a={BACKWARD}, b=jax('jax.grad'))\ndef x(ad):\n    '''S.'''": "plain citations",
    f"@behaviour(MUST, {BACKWARD})\ndef x(ad):\n    '''S.'''\n" * 2: "is declared twice, at lines",
    "torch('torch.Tensor.backwards')": "cite one of: torch.Tensor.backward",
    "torch('torch.Tensor.backward', since='two')": "'two' is not a version",
}


@pytest.mark.parametrize("source", WRONG, ids=list(WRONG.values()))
def test_a_wrong_declaration_raises_an_error_with_a_remedy(source: str, tmp_path: Path) -> None:
    """The error names the behaviour or citation and what is missing."""
    chapter = tmp_path / "chapters" / "wrong.py"
    chapter.parent.mkdir()
    chapter.write_text(HEAD + source)
    with pytest.raises(RegistrationError) as caught:
        load(chapter)
    assert WRONG[source] in str(caught.value)


def test_a_behaviour_outside_a_chapter_raises_an_error() -> None:
    """The id begins with the chapter: there must be a chapter."""
    with pytest.raises(RegistrationError, match="below a folder named 'chapters'"):

        @behaviour(MUST, torch("torch.Tensor.backward"))
        def x(ad: object) -> None:
            """S."""


def test_a_chapter_that_becomes_a_folder_keeps_its_name(tmp_path: Path) -> None:
    """The id of a behaviour does not depend on the file within its chapter, and cannot be used twice there."""
    folder = tmp_path / "chapters" / "hooks"
    folder.mkdir(parents=True)
    text = HEAD + f"@behaviour(MUST, {BACKWARD}, cases={{'one': (1,)}}, was=('old.id',))\ndef x(ad, n):\n    '''S.'''\n"
    (folder / "early.py").write_text(text)
    (declared,) = load_all(tmp_path / "chapters")
    assert declared.ids() == ("hooks.x[one]",)
    assert select([declared], "old.id") == ["hooks.x[one]"]
    # The same name in another file of the chapter would be the same id.
    (folder / "late.py").write_text(text)
    with pytest.raises(RegistrationError, match=r"'hooks\.x' is declared twice"):
        load_all(tmp_path / "chapters")


@pytest.mark.parametrize(
    ("text", "pattern"),
    [
        ("\n1 / 0", r"a\.py, line 2: importing it raised ZeroDivisionError: division by zero$"),
        ("x = (", r"a\.py: importing it raised SyntaxError: .* line 1\)$"),
        ("import sys\nsys.exit(3)", r"a\.py, line 2: importing it raised SystemExit: 3$"),
    ],
)
def test_a_chapter_that_cannot_be_imported_is_named_with_the_line(text: str, pattern: str, tmp_path: Path) -> None:
    """In a line, which is that of the command."""
    (tmp_path / "chapters").mkdir()
    (tmp_path / "chapters" / "a.py").write_text(text)
    with pytest.raises(RegistrationError, match=pattern):
        load_all(tmp_path / "chapters")


def test_a_promise_holds_between_its_versions() -> None:
    """`since` and `until` include the versions that they name, patch releases too."""
    citation = torch("torch.Tensor.backward", since="2.0", until="2.3")
    covered = {version: citation.covers(version) for version in ("1.13.1", "2.0.0", "2.3.1+cpu", "2.4.0")}
    assert covered == {"1.13.1": False, "2.0.0": True, "2.3.1+cpu": True, "2.4.0": False}


def test_statements_are_different_sentences() -> None:
    """A statement is the text of the matrix: a sentence, and no two behaviours have the same."""
    statements = [declared.statement for declared in load_all()]
    assert [text for text in statements if not text.endswith(".")] == []
    # A small letter begins the name of a function or argument only, and that is no word of English.
    first = {text.split()[0].strip("`,:") for text in statements if text[0].islower()}
    assert {word for word in first if word in ("a", "an", "the", "of", "in", "to", "if", "for", "no", "each")} == set()
    assert len(set(statements)) == len(statements)


def test_every_source_is_cited() -> None:
    """No source that the suite's engines are held to is a word without meaning."""
    cited = {citation.source for declared in load_all() for citation in declared.citations}
    assert {torch.name, torch_func.name, jax.name, document.name} <= cited


def test_a_record_carries_the_source_of_the_check_and_earlier_ids(tmp_path: Path) -> None:
    """The source as in the file, decorator and comments included; empty if there is no file."""
    source = f"@behaviour(MUST, {BACKWARD}, was=('old.x',))\ndef x(ad):\n    '''S.'''\n    # why\n    ad.leaf(1.0)\n"
    (tmp_path / "chapters").mkdir()
    path = tmp_path / "chapters" / "made.py"
    path.write_text(HEAD + source)
    (declared,) = load(path)
    record = behaviour_record(declared)
    assert (record.check, record.was) == (source, ["old.x"])
    typed: dict[str, Any] = {}
    # A behaviour of an interactive session: its code has a file name, and no file.
    exec(compile(HEAD + source, "/no/chapters/typed.py", "exec"), typed)
    assert behaviour_record(typed["x"].__behaviour__).check == ""
