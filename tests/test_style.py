"""The project keeps to its budgets of lines and words, and the workshop's README lists every tool."""

from __future__ import annotations

import re

import pytest

from workshop import style
from workshop.__main__ import COMMANDS


def test_files_and_functions_keep_to_their_budgets() -> None:
    """No file is longer than 300 lines, no function than 40."""
    assert [*style.long_files(), *style.long_functions()] == []


@pytest.mark.parametrize(
    ("words", "most"),
    [("told/said/says/tells/tell", 2.0), ("found", 2.0), ("one", 12.0)],
    ids=["told", "found", "one"],
)
def test_words_are_the_field_s(words: str, most: float) -> None:
    """Words of our own idiom stay below a bound per 1,000 lines."""
    assert style.per_thousand(style.WORDS[words], style.counted()) <= most


def test_docstrings_name_a_thing_or_an_act() -> None:
    """Few docstrings begin with What, How, Those or Who."""
    assert style.docstrings_beginning_with(style.CLAUSE, style.counted()) <= 1.0


def test_comments_are_there() -> None:
    """Outside chapters and tables, comments have a lower bound per 100 lines."""
    assert style.comments_per_hundred(style.outside_tables()) >= 3.0


def test_the_workshop_has_one_type_of_mutant() -> None:
    """Every other class of mutants is a kind of it, and opened by its `change`."""
    classes = [
        (source.name, match[1], match[2] or "")
        for source in style.sources()
        if source.name.startswith("workshop/")
        for match in re.finditer(r"^class (\w*Mutant)(?:\((\w+)\))?:", source.text, re.MULTILINE)
    ]
    assert ("workshop/mutant.py", "Mutant", "") in classes
    assert [entry for entry in classes if entry[1] != "Mutant" and entry[2] not in ("Mutant", "NamedTuple")] == []


def test_the_readme_lists_every_tool() -> None:
    """The table of workshop/README.md has a row for each command."""
    text = (style.ROOT / "workshop" / "README.md").read_text("utf-8").partition("## ")[0]
    rows = [line.split("|")[1] for line in text.splitlines() if line.startswith("| `")]
    assert {re.findall(r"`([\w-]+)", row)[0] for row in rows} == {*COMMANDS}
