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
    [("told/said/says/tells/tell", 9.8), ("found", 24.4), ("one", 41.9)],
    ids=["told", "found", "one"],
)
def test_words_are_the_field_s(words: str, most: float) -> None:
    """Words of our own idiom stay below a bound per 1,000 lines."""
    assert style.per_thousand(style.WORDS[words], style.counted()) <= most


def test_docstrings_name_a_thing_or_an_act() -> None:
    """Few docstrings begin with What, How, Those or Who."""
    assert style.docstrings_beginning_with(style.CLAUSE, style.counted()) <= 8.2


def test_comments_are_there() -> None:
    """Outside chapters and tables, comments have a lower bound per 100 lines."""
    assert style.comments_per_hundred(style.outside_tables()) >= 2.0


def test_the_readme_lists_every_tool() -> None:
    """The table of workshop/README.md has a row for each command."""
    text = (style.ROOT / "workshop" / "README.md").read_text("utf-8")
    rows = [line.split("|")[1] for line in text.splitlines() if line.startswith("| `")]
    assert {re.findall(r"`([\w-]+)", row)[0] for row in rows} == {*COMMANDS, "scripts"}
