"""Mutated programs: a changed check finds what the check itself does not, and finds nothing where nothing is wrong."""

from __future__ import annotations

import re
from dataclasses import replace
from typing import Any

import pytest
from click.testing import CliRunner

from adapters.with_reference import ReferenceAdapter
from conformance.behaviour import Behaviour
from conformance.collection import cells
from conformance.known_causes import KnownFailure
from conformance.known_failures import file_of, read, script_of
from conformance.protocol.types import Argnums, Array, Program
from conformance.verdicts import Verdict
from tests.support import CAUSE
from workshop.mutated.calls import Mutation
from workshop.mutated.check import MUTATORS, CheckUnderMutation, MutationFinding
from workshop.mutated.command import changes_called, explain, findings, known_findings, mutated
from workshop.mutated.wrappers import has_closure

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
    """A computation that is repeated gives twice its gradient."""

    def checkpoint(self, program: Program, *options: Any, **more: Any) -> Program:
        inner = super().checkpoint(program, *options, **more)

        def doubled(*args: Any) -> Any:
            output = inner(*args)
            # The value stays, so that only derivatives show it.
            return 2 * output - output.detach()

        return doubled


class TakesTheFirstArgument(ReferenceAdapter):
    """Differentiates by argument 0, also if another is asked for."""

    def grad(self, program: Program, argnums: Argnums = 0) -> Program:
        return super().grad(program, argnums if isinstance(argnums, tuple) else 0)


def _findings(adapter: ReferenceAdapter, name: str) -> list[MutationFinding]:
    assert CheckUnderMutation(*cells()[name], adapter).outcome.verdict is Verdict.PASS
    return list(findings(adapter, [(name, None)]))


@pytest.mark.parametrize(
    ("adapter", "name", "mutator"),
    [
        (LosesClones, "accumulation.uses_of_one_array_add_up", "argument_clone"),
        (LosesTheGradientThroughAView, "accumulation.a_second_backward_adds_to_the_first", "argument_reshaped"),
        (DoublesUnderCheckpoint, "accumulation.uses_of_one_array_add_up", "program_checkpointed"),
        (TakesTheFirstArgument, "accumulation.uses_of_one_array_add_up", "unused_in_front_of_grad"),
    ],
)
def test_a_mutated_check_fails_where_the_check_passes(adapter: type[ReferenceAdapter], name: str, mutator: str) -> None:
    """The check passes on an engine that is wrong in a feature which it does not use; with that feature added, not."""
    seen = _findings(adapter(), name)
    assert mutator in {finding.change.mutator for finding in seen}
    assert all(finding.id.startswith(f"{name}#") and finding.got and finding.expected for finding in seen)


@pytest.mark.parametrize("name", ["accumulation.uses_of_one_array_add_up", *CHECKS])
def test_a_sound_engine_has_no_findings(name: str) -> None:
    """Changes are neutral, and there are many."""
    adapter = ReferenceAdapter()
    # Without changes nothing could be seen.
    assert len(CheckUnderMutation(*cells()[name], adapter).changes) > 15
    assert _findings(adapter, name) == []


def test_an_id_names_its_change() -> None:
    """A finding is reproduced from its id."""
    name = "accumulation.uses_of_one_array_add_up#program_checkpointed@1"
    wanted = changes_called(name)
    assert wanted == [("accumulation.uses_of_one_array_add_up", Mutation("program_checkpointed", 1))]
    (finding,) = findings(DoublesUnderCheckpoint(), wanted)
    assert finding.id == name
    assert list(findings(ReferenceAdapter(), wanted)) == []


def test_a_check_that_fails_is_not_changed() -> None:
    """A check that fails, or that is known to fail and might crash, is not changed."""
    behaviour, case = cells()[ADDING_UP]

    def fails(ad: Any) -> None:
        raise RuntimeError("fails")

    failing = Behaviour("chapter", "fails", behaviour.level, "It fails.", behaviour.citations, fails)
    assert CheckUnderMutation(failing, None, ReferenceAdapter()).changes == ()
    assert CheckUnderMutation(behaviour, case, ReferenceAdapter(), known=True).changes == ()


@pytest.mark.parametrize(
    "arguments", [["higher_order.gradients_nest"], ["accumulation.uses_of_one_array_add_up#result_view@1"]]
)
def test_the_command_prints_findings(arguments: list[str]) -> None:
    """`python -m workshop mutated` runs checks by name, or ids, on an engine by name."""
    result = CliRunner().invoke(mutated, arguments)
    assert (result.exit_code, result.output) == (0, "0 new findings\n")


def test_an_id_of_no_mutation_is_refused() -> None:
    """Exit status 2, and the form of an id."""
    result = CliRunner().invoke(mutated, ["accumulation.no_such_check#result_view@1"])
    assert result.exit_code == 2
    assert "CELL#MUTATOR@CALL" in result.output


def test_a_recursive_function_is_looked_through_once() -> None:
    """A function that is in its own closure has arrays of an outer function where another cell has them."""

    def recursive(x: Any) -> Any:
        return recursive(x) if x is None else x

    assert not has_closure(recursive)
    array = ReferenceAdapter().array(1.0)
    assert has_closure(lambda x: recursive(array))


@pytest.mark.parametrize("name", ["torch", "jax"])
def test_known_findings_have_causes_and_programs(name: str) -> None:
    """Each entry names a mutator that there is, and a cause with a native program."""
    path = file_of(name)
    listed = [entry for entry in read(path) if entry.part == "mutated"]
    assert listed
    for entry in listed:
        pattern = entry.cell.partition("#")[2].partition("@")[0].replace("*", ".*")
        assert any(re.fullmatch(pattern, mutator) for mutator in MUTATORS), entry.cell
        assert script_of(entry.cause.name, path).exists()


def test_a_finding_is_known_by_its_id_and_what_it_got() -> None:
    """An entry with stars lists findings of many checks; another outcome is new."""
    entry = KnownFailure("*#program_checkpointed@*", Verdict.FAIL, "got .*12", CAUSE, "It is known.")
    finding = _findings(DoublesUnderCheckpoint(), "accumulation.uses_of_one_array_add_up")[0]
    assert explain(finding, [entry]) is None
    assert explain(finding, [replace(entry, message="got ")]) is not None
    assert explain(finding, [replace(entry, cell="*#program_batched@*", message="got ")]) is None
    assert known_findings(ReferenceAdapter()) == []
