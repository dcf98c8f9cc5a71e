"""The laws on operations kill wrong engines, and nothing else: rules, verbs, and equal rules."""

from __future__ import annotations

import random
from dataclasses import replace
from functools import cache
from typing import Any

import numpy
import pytest
from click.testing import CliRunner

from conformance.operations import TABLE
from workshop.laws.command import (
    axes_kill,
    equal_kills,
    laws,
    pairs,
    passes_somewhere,
    sampled,
    verb_kill,
)
from workshop.laws.equal_rules import EQUAL_RULES
from workshop.laws.family_mutants import has_negative_axis, with_axes
from workshop.laws.faults_by_law import WRONG
from workshop.laws.law_cells import Cells, every_cell, law_of
from workshop.laws.law_faults import LawFault, wrong_operation
from workshop.laws.rule_mutants import BOTH, POINTS, RuleFault, every_rule, population, rule_mutant
from workshop.laws.rule_users import Users, kill_of_rule
from workshop.laws.sole_kills import SOLE
from workshop.mutant import Mutant
from workshop.wrong_adapter import WrongCall, WrongVerbs

# Samples of the mutants that `python -m workshop laws` runs.
RULES, PAIRS, OPERATIONS = 60, 30, 12
# Pairs of a law and a family in which the reference engine has no cell that passes: other engines are run for them.
LACKING = ("Convolution", "Creation", "Fourier transforms", "Interpolation", "Normalisation", "Pooling", "Indexing")


@pytest.fixture(scope="module")
def cells() -> Cells:
    """The reference engine."""
    return Cells("reference")


@pytest.fixture(scope="module")
def users(cells: Cells) -> Users:
    """The operations that use each rule."""
    return Users(cells.adapter, sorted(cells.offered))


def test_there_are_mutants_of_every_kind_for_every_rule() -> None:
    """Factor, sign, one mode, second order, a special point, each argument: more than a thousand."""
    faults = [mutant.fault for mutant in population()]
    assert {id(fault.rule) for fault in faults} == {id(rule) for rule in every_rule()}
    assert {fault.point for fault in faults} == {"", *POINTS}
    # A hundredth too large, of the wrong sign, and lost.
    assert {fault.factor for fault in faults} == {1.01, -1.0, 0.0}
    assert {fault.second for fault in faults} == {False, True}
    assert max(fault.argument for fault in faults) > 1
    assert len(faults) > 1000


def test_mutants_of_rules_are_killed(cells: Cells, users: Users) -> None:
    """Of a sample at most one survives, as of all."""
    messages = {mutant.name: kill_of_rule(cells, users, mutant)[1] for mutant in sampled(cells, users, RULES, seed=1)}
    assert len(messages) == RULES
    survivors = [name for name, message in messages.items() if not message]
    assert len(survivors) <= 1, survivors
    words = ("derivative", "gradient", "VJP")
    assert all(any(word in message for word in words) for message in list(messages.values())[:10] if message)


def test_a_rule_is_restored(cells: Cells) -> None:
    """After a mutant, cells pass as before."""
    rule = next(rule for rule in every_rule() if rule.primitive.name == "exp")
    before = dict(rule.__dict__)
    cell = "derivatives.reverse_mode_gives_the_derivative[exp]"
    assert cells.failure(cell, rule_mutant(RuleFault(rule, 0, -1.0, BOTH)))
    assert rule.__dict__ == before
    assert cells.outcome(cell).verdict.value == "pass"


@pytest.mark.parametrize("name", EQUAL_RULES)
def test_equal_rules_change_no_cell(cells: Cells, name: str) -> None:
    """Of a sample of operations, all laws."""
    operations = random.Random(name).sample(sorted(cells.offered), OPERATIONS)
    assert list(equal_kills(cells, EQUAL_RULES[name], operations)) == []


def test_rounding_of_terms_that_cancel_changes_no_cell(cells: Cells) -> None:
    """The gradient of a softmax for equal cotangents is zero, and a sum of terms that are not."""
    law, mutant = "cotangents.an_expanded_cotangent_changes_no_gradient", "a few units in the last place"
    cell = f"{law}[softmax]"
    assert cells.outcome(cell, EQUAL_RULES[mutant]).verdict.value == "pass"


@pytest.mark.parametrize("name", ["softmax", "cumprod", "prod_along_axis", "var", "concat", "stack"])
def test_an_operation_that_is_wrong_for_a_negative_axis_is_killed(cells: Cells, name: str) -> None:
    """Its row has a variant with one."""
    assert name in with_axes()
    assert axes_kill(cells, name)


def test_every_row_with_an_axis_has_a_variant_with_a_negative_one() -> None:
    """Given, or by default; tensordot counts axes."""
    assert [name for name in with_axes() if not has_negative_axis(TABLE[name])] == ["tensordot"]


def test_every_law_has_a_mutant() -> None:
    """A fault that makes its cells fail is in the table."""
    assert sorted({law_of(cell) for cell in every_cell()} - set(WRONG)) == []


@pytest.mark.parametrize("law", SOLE)
def test_a_newer_law_kills_a_mutant_alone(law: str) -> None:
    """No other law sees it: so the law is not in vain."""
    assert SOLE[law].killers(_cells_of(SOLE[law].engine), law) == [law]


@cache
def _cells_of(engine: str) -> Cells:
    if engine != "reference":
        pytest.importorskip("torch")
    return Cells(engine)


def test_the_command_prints_the_laws_that_kill(monkeypatch: Any) -> None:
    """Exit status 1 if others do, too."""
    law = "repeats.reverse_mode_writes_to_nothing"
    wrong = replace(SOLE[law], operation="exp")
    monkeypatch.setattr("workshop.laws.command.SOLE", {law: SOLE[law]})
    done = CliRunner().invoke(laws, ["sole"])
    assert (done.exit_code, done.output.splitlines()[-1]) == (0, "1 of 1 laws kill a mutant alone")
    assert "negative on reference, an operation that writes into its argument in vjp: alone" in done.output
    monkeypatch.setattr("workshop.laws.command.SOLE", {law: wrong})
    done = CliRunner().invoke(laws, ["sole"])
    assert (done.exit_code, done.output.splitlines()[-1]) == (1, "0 of 1 laws kill a mutant alone")


def test_every_law_fails_on_a_mutant_of_a_family(cells: Cells) -> None:
    """Of a sample of laws and families; the reference engine has no jit, nor forward mode over forward mode."""
    within_reach = [
        (law, family)
        for law, family in pairs()
        if family not in LACKING and not any(word in law for word in ("jit", "forward_over_forward", "in_place"))
    ]
    chosen = random.Random(0).sample(within_reach, PAIRS)
    survivors = [pair for pair in chosen if not verb_kill(cells, *pair) and passes_somewhere(cells, *pair)]
    assert survivors == []


def test_a_gradient_at_nan_that_depends_on_the_place_is_killed_by_one_law(cells: Cells) -> None:
    """As of a loop over registers that compares NaN otherwise than the loop over the rest does."""

    def by_place(call: WrongCall) -> Any:
        (x,) = call.args
        return call.ad.np.concat([call.run()[:64], x[64:] * 5.0])

    def chosen(call: WrongCall) -> bool:
        numbers = (
            call.ad.to_numpy(call.args[0]) if call.verb == "np.relu" and call.under == ("grad",) else numpy.zeros(0)
        )
        return numbers.size == 70 and bool(numpy.isnan(numbers).all())

    fault = LawFault("a gradient by place", lambda operations: WrongVerbs(("np.*",), chosen, by_place))
    mutant = Mutant("relu", "", fault.what, fault.change("relu"))
    killers = {law_of(cell) for cell, _ in cells.kills(mutant, cells.of("relu"))}
    assert killers == {"elements.reverse_mode_gives_an_element_the_same_at_all_lengths"}


@pytest.mark.parametrize("name", ["softmax", "cross_entropy"])
def test_a_gradient_without_its_small_components_is_killed_by_no_other_law(cells: Cells, name: str) -> None:
    """A sum along a direction does not have them; in laws of scale and of long arrays, all are small."""
    law = "components.reverse_mode_gives_each_component"
    mutant = Mutant(name, "", WRONG[law].what, WRONG[law].change(name))
    small = ("scale.", "precision.float16_agrees_with_double_for_long_arrays")
    killers = {law_of(cell) for cell, _ in cells.kills(mutant, cells.of(name)) if not cell.startswith(small)}
    assert killers == {law, "components.reverse_over_reverse_gives_each_component"}


def test_the_vjp_of_several_outputs_is_checked_where_an_engine_has_it_for_one() -> None:
    """HIPS autograd's VJP of a tuple of outputs is zero, which is linear."""
    pytest.importorskip("autograd")
    cells = Cells("hips_autograd")
    for cell in cells.of("split", [law for law in WRONG if law.startswith("cotangents.the_")]):
        assert cells.passes(cell)
        fault = WRONG[law_of(cell)]
        assert cells.failure(cell, Mutant("split", "", fault.what, fault.change("split"))), cell


def test_the_command_distinguishes_a_pair_without_a_cell_from_a_survivor(monkeypatch: Any) -> None:
    """The latter is a finding, with exit status 1; the reference engine has no jit."""
    chosen = ["verbs", "--engine", "reference", "--law"]
    done = CliRunner().invoke(laws, [*chosen, "transforms.jit_changes_no_gradient"])
    assert done.exit_code == 0
    assert "transforms.jit_changes_no_gradient, Losses: no cell of these engines passes" in done.output
    law = "layouts.one_array_in_two_arguments_has_the_sum_of_the_gradients"
    assert ": survives" not in CliRunner().invoke(laws, [*chosen, law]).output
    monkeypatch.setitem(WRONG, law, wrong_operation("not at all", lambda call: False))
    done = CliRunner().invoke(laws, [*chosen, law])
    assert done.exit_code == 1
    assert f"{law}, Arithmetic: survives" in done.output
