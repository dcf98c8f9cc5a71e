"""Generated programs notice wrong engines and nothing else; real bugs that are combinations are rediscovered."""

from __future__ import annotations

from typing import Any

import pytest
from click.testing import CliRunner

from conformance.programs import trying
from workshop.programs import record
from workshop.programs.bugs import BUGS
from workshop.programs.command import population, programs
from workshop.programs.program_kills import searched

# Of those that few programs show: on a tape, and of functions.
FAST = (
    "reference:a write is not counted",
    "reference:the base does not see what is written to a view",
    "tape:a hook is called twice",
    "lost:running sums, forward mode",
    "aliased:an operation of a view, reverse mode",
)


def test_there_are_more_than_a_hundred_mutants_of_many_families() -> None:
    """Null mutants are not counted."""
    every = population()
    assert sum(not one.null for one in every.values()) > 100
    families = {"one mode", "nesting", "aliasing", "versions", "hooks", "retain_grad", "modes", "detach", "writes"}
    assert {one.family for one in every.values()} > families


@pytest.mark.parametrize("name", FAST)
def test_a_mutant_is_found(name: str) -> None:
    """Within a hundred programs, and with a signature."""
    pytest.importorskip("torch")
    found = searched(population()[name], 100)
    assert found.seed >= 0
    assert found.signature


def test_a_mutant_is_not_found_without_the_oracle(monkeypatch: pytest.MonkeyPatch) -> None:
    """It is the comparison with the other engine that finds it."""
    pytest.importorskip("torch")
    mutant = population()["reference:a write is not counted"]
    number = searched(mutant, 100).programs
    monkeypatch.setattr(trying, "unlike", lambda got, expected: None)
    assert not searched(mutant, number).signature


@pytest.mark.parametrize("name", [name for name, one in population().items() if one.null])
def test_a_null_mutant_is_not_found(name: str) -> None:
    """In a few programs of each kind."""
    pytest.importorskip("torch")
    assert not searched(population()[name], 12).signature


def test_the_record_is_of_mutants_that_there_are() -> None:
    """Each line has the family and the engine of the mutant of its name."""
    every, recorded = population(), record.read()
    assert {name: (one.family, one.engine) for name, one in recorded.items()} == {
        name: (every[name].family, every[name].engine) for name in recorded
    }


def test_an_unknown_mutant_is_one_line() -> None:
    """With status 2."""
    told = CliRunner().invoke(programs, ["mutants", "no such"])
    assert told.exit_code == 2
    assert "no mutant is named 'no such'" in told.output


def test_too_few_mutants_that_are_found_are_a_finding(monkeypatch: pytest.MonkeyPatch) -> None:
    """With status 1."""
    pytest.importorskip("torch")
    name = "tape:a hook is called twice"
    every = population()
    monkeypatch.setattr("workshop.programs.command.population", lambda: {name: every[name]})
    told: Any = CliRunner().invoke(programs, ["mutants", "-n", "1"])
    assert told.exit_code == 1
    assert "0 of 1 mutants are found" in told.output


def test_each_bug_has_a_mutant_a_range_of_seeds_or_a_reason() -> None:
    """Mutants are there under these names."""
    for one in BUGS:
        assert sum(map(bool, (one.mutant, one.engine, one.reason))) == 1, one.id
        assert not one.mutant or one.mutant in population(), one.id
    assert len({one.id for one in BUGS}) == len(BUGS)
