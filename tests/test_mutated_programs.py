"""Mutated programs: a changed check finds what the check itself does not, and finds nothing where nothing is wrong."""

from __future__ import annotations

import re
from dataclasses import replace
from typing import Any

import pytest

from adapters.with_reference import ReferenceAdapter
from conformance.behaviour import Behaviour
from conformance.collecting import cells
from conformance.known_causes import CauseClass, causes_in, script_of
from conformance.known_failures import KnownFailure, file_of, read
from conformance.programs.mutated.calls import Mutation
from conformance.programs.mutated.judging import MUTATORS, MutationFinding, Seed, tried
from conformance.programs.mutated.numbering import Numbering, entries, explained, findings
from conformance.protocol.types import Argnums, Array, Program
from conformance.sources import tomllib
from conformance.verdicts import Verdict

ADDING_UP = "gradients.each_input_has_its_own_gradient"
CHECKS = {
    name: cells()[name]
    for name in (ADDING_UP, "accumulation.a_second_backward_adds_to_the_first", "higher_order.gradients_nest")
}


class LosesClones(ReferenceAdapter):
    """Its copies are constants to derivatives."""

    def clone(self, x: Array) -> Array:
        return x.detach().clone()


class LosesTheGradientThroughAView(ReferenceAdapter):
    """A reshaped array is a constant to derivatives."""

    @property
    def np(self) -> Any:
        return _WithoutHistory(super().np)


class _WithoutHistory:
    def __init__(self, operations: Any) -> None:
        self._operations = operations

    def __getattr__(self, name: str) -> Any:
        if name == "reshape":
            return lambda x, shape: self._operations.reshape(x.detach(), shape)
        return getattr(self._operations, name)


class DoublesUnderCheckpoint(ReferenceAdapter):
    """What is computed again gives twice its gradient."""

    def checkpoint(self, program: Program, *options: Any, **more: Any) -> Program:
        inner = super().checkpoint(program, *options, **more)

        def doubled(*args: Any) -> Any:
            output = inner(*args)
            return 2 * output - output.detach()

        return doubled


class TakesTheFirstArgument(ReferenceAdapter):
    """Differentiates by argument 0, also if another is asked for."""

    def grad(self, program: Program, argnums: Argnums = 0) -> Program:
        return super().grad(program, argnums if isinstance(argnums, tuple) else 0)


class WritesUnseen(ReferenceAdapter):
    """What is written in place is not recorded, if it is written by a number."""

    def detach_(self, x: Array) -> Array:
        return x


def _findings(adapter: ReferenceAdapter, name: str, neutral: bool = True) -> list[MutationFinding]:
    behaviour, case = cells()[name]
    seed = Seed(behaviour, case, adapter, ReferenceAdapter())
    assert seed.outcome.verdict is Verdict.PASS
    chosen = [change for change in seed.changes if MUTATORS[change.mutator].neutral == neutral]
    return [found for change in chosen if (found := seed.tried((change,)))]


@pytest.mark.parametrize(
    ("adapter", "name", "mutator"),
    [
        (LosesClones, "accumulation.uses_of_one_array_add_up", "argument_clone"),
        (LosesTheGradientThroughAView, "accumulation.a_second_backward_adds_to_the_first", "argument_reshaped"),
        (DoublesUnderCheckpoint, "accumulation.uses_of_one_array_add_up", "program_checkpointed"),
        (TakesTheFirstArgument, "accumulation.uses_of_one_array_add_up", "unused_in_front_of_grad"),
    ],
)
def test_a_mutated_check_finds_what_the_check_does_not(
    adapter: type[ReferenceAdapter], name: str, mutator: str
) -> None:
    """The check passes on an engine that is wrong in a feature which it does not use; with that feature added, not."""
    found = _findings(adapter(), name)
    assert mutator in {change.mutator for one in found for change in one.changes}
    assert all(one.id.startswith(f"{name}#") and one.got and one.expected for one in found)


def test_another_engine_judges_other_numbers() -> None:
    """What is detached in place on one engine only is seen where a change adds it."""
    name = "accumulation.a_second_backward_adds_to_the_first"
    found = _findings(WritesUnseen(), name, neutral=False)
    assert {one.changes[0].mutator for one in found} >= {"result_detached"}


@pytest.mark.parametrize("name", ["accumulation.uses_of_one_array_add_up", *CHECKS])
def test_a_sound_engine_has_no_findings(name: str) -> None:
    """Neutral changes are neutral, and an engine agrees with itself."""
    adapter = ReferenceAdapter()
    behaviour, case = cells()[name]
    assert len(Seed(behaviour, case, adapter, adapter).changes) > 30
    assert _findings(adapter, name) == _findings(adapter, name, neutral=False) == []


def test_the_same_number_is_the_same_mutation() -> None:
    """Numbers do not depend on the range in which they are tried, and are single changes before pairs."""
    one, other = (Numbering(LosesClones(), None, CHECKS) for _ in range(2))
    last = 3 * max(len(one.seed(place).changes) for place in range(3)) + 30
    whole = list(one.findings(0, last))
    assert whole
    assert whole == [*other.findings(0, 100), *other.findings(100, last)]
    assert {len(found.changes) for found in whole} == {1, 2}
    assert one.singles() == sum(len(one.changes(number)) == 1 for number in range(last))


def test_an_id_names_its_changes() -> None:
    """A finding is tried again by its changes."""
    behaviour, case = cells()["accumulation.uses_of_one_array_add_up"]
    change = Mutation("program_checkpointed", 1)
    found = tried(DoublesUnderCheckpoint(), None, behaviour, case, (change,))
    assert found is not None
    assert found.id == "accumulation.uses_of_one_array_add_up#program_checkpointed@1"
    assert found.signature.startswith("program_checkpointed: ")
    assert tried(ReferenceAdapter(), None, behaviour, case, (change,)) is None


def test_a_check_that_fails_is_no_seed() -> None:
    """A check that fails, or that is known to fail and might crash, is not changed."""
    behaviour, case = cells()[ADDING_UP]

    def fails(ad: Any) -> None:
        raise RuntimeError("fails")

    failing = Behaviour("chapter", "fails", behaviour.level, "It fails.", behaviour.citations, fails)
    assert Seed(failing, None, ReferenceAdapter()).changes == ()
    assert Seed(behaviour, case, ReferenceAdapter(), known=True).changes == ()


def test_an_engine_is_given_by_name() -> None:
    """As a farm does; a range without findings has none."""
    assert list(findings("reference", 0, 3)) == []


@pytest.mark.parametrize("name", ["torch", "jax"])
def test_known_findings_have_causes_and_programs(name: str) -> None:
    """Each entry names a mutator that there is, and a cause with a native program; a cause has an entry."""
    path = file_of(name, "programs")
    listed = read(path)
    assert listed
    for entry in listed:
        pattern = entry.behaviour.partition("#")[2].partition("@")[0].replace("*", ".*")
        assert any(re.fullmatch(pattern, mutator) for mutator in MUTATORS), entry.behaviour
        assert entry.told is not None
        assert entry.told.searched or entry.told.kind is CauseClass.CONVENTION
        assert script_of(path, entry.cause).exists()
    own = causes_in(tomllib.loads(path.read_text("utf-8")))
    assert own.keys() <= {entry.cause for entry in listed}


def test_a_finding_is_known_by_its_id_and_what_it_got() -> None:
    """An entry with stars lists findings of many checks; another outcome is new."""
    entry = KnownFailure("*#program_checkpointed@*", Verdict.FAIL, "got .*12", "It is known.")
    finding = _findings(DoublesUnderCheckpoint(), "accumulation.uses_of_one_array_add_up")[0]
    assert explained(finding, [entry]) is None
    assert explained(finding, [replace(entry, message="got ")]) is not None
    assert explained(finding, [replace(entry, behaviour="*#program_batched@*", message="got ")]) is None
    assert entries(ReferenceAdapter()) == []
