"""Generated programs kill wrong engines and nothing else."""

from __future__ import annotations

from typing import Any

import pytest
from click.testing import CliRunner

from conformance.programs import program_trial
from workshop import mutant_record
from workshop.programs.command import RECORD, SECTION, groups, population, programs
from workshop.programs.program_kills import search

# Mutants that few programs kill: on a tape, and of functions.
FAST = (
    "reference:a write is not counted",
    "reference:the base does not see what is written to a view",
    "tape:a hook is called twice",
    "lost:running sums, forward mode",
    "aliased:an operation of a view, reverse mode",
)


def test_there_are_more_than_a_hundred_mutants_of_many_families() -> None:
    """Equal mutants are not counted."""
    every = population()
    assert sum(not mutant.equal for mutant in every.values()) > 100
    families = {"one mode", "nesting", "aliasing", "versions", "hooks", "retain_grad", "modes", "detach", "writes"}
    assert {mutant.family for mutant in every.values()} > families


@pytest.mark.parametrize("name", FAST)
def test_a_mutant_is_killed(name: str) -> None:
    """Within a hundred programs, and with a signature."""
    pytest.importorskip("torch")
    kill = search(population()[name], 100)
    assert kill.seed >= 0
    assert kill.signature


def test_a_mutant_survives_without_the_oracle(monkeypatch: pytest.MonkeyPatch) -> None:
    """It is the comparison with the other engine that kills it."""
    pytest.importorskip("torch")
    mutant = population()["reference:a write is not counted"]
    # As many as kill it while the oracle is there.
    number = search(mutant, 100).programs
    monkeypatch.setattr(program_trial, "unlike", lambda got, expected: None)
    assert not search(mutant, number).signature


@pytest.mark.parametrize("name", [name for name, mutant in population().items() if mutant.equal])
def test_an_equal_mutant_survives(name: str) -> None:
    """In a few programs of each kind."""
    pytest.importorskip("torch")
    assert not search(population()[name], 12).signature


def test_the_record_is_of_the_mutants_that_there_are() -> None:
    """No family has changed since it was recorded, and of those that were run 95 in a hundred are killed."""
    every = {name: mutant for name, mutant in population().items() if not mutant.equal}
    recorded = mutant_record.read_outcomes(RECORD, SECTION, groups(population().values()))
    assert {every[name].family for name in recorded} == {mutant.family for mutant in every.values()}
    killed = [name for name, outcome in recorded.items() if outcome.letter == mutant_record.KILLED]
    # A chain: most of what was run is killed, and most was run.
    assert len(killed) >= 0.95 * len(recorded) >= 0.9 * len(every)


def test_an_unknown_mutant_is_one_line() -> None:
    """With status 2."""
    done = CliRunner().invoke(programs, ["mutants", "no such"])
    assert done.exit_code == 2
    assert "no mutant is named 'no such'" in done.output


def test_too_few_kills_are_a_finding(monkeypatch: pytest.MonkeyPatch) -> None:
    """With status 1."""
    pytest.importorskip("torch")
    name = "tape:a hook is called twice"
    every = population()
    monkeypatch.setattr("workshop.programs.command.population", lambda: {name: every[name]})
    done: Any = CliRunner().invoke(programs, ["mutants", "-n", "1"])
    assert done.exit_code == 1
    assert "0 of 1 mutants are killed" in done.output
