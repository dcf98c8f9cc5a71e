"""The laws on operations notice wrong engines, and nothing else: rules, verbs, and equal rules."""

from __future__ import annotations

import random
from typing import Any

import pytest
from click.testing import CliRunner

from conformance.operations import TABLE
from workshop.laws.command import laws, noticed, pairs, passes_somewhere, sampled, shown, shown_for_axes, tried
from workshop.laws.equal_rules import NULLS
from workshop.laws.law_cells import Cells, every_cell, law_of
from workshop.laws.law_faults import WRONG, Wrong
from workshop.laws.rule_mutants import BOTH, POINTS, RuleMutant, every_rule, patched, population
from workshop.laws.rule_users import Users
from workshop.laws.wrong_adapter import has_negative_axis, with_axes, wrong

# Of those that `python -m workshop laws` tries.
RULES, PAIRS, OPERATIONS = 60, 30, 12
# Pairs of a law and a family in which the reference engine has no cell that passes: other engines are asked for them.
LACKING = ("Convolution", "Creation", "Fourier transforms", "Interpolation", "Normalisation", "Pooling", "Indexing")


@pytest.fixture(scope="module")
def cells() -> Cells:
    """The reference engine."""
    return Cells("reference")


@pytest.fixture(scope="module")
def users(cells: Cells) -> Users:
    """Which operations use which rule."""
    return Users(cells.adapter, sorted(cells.offered))


def test_there_are_mutants_of_every_kind_for_every_rule() -> None:
    """Factor, sign, one mode, second order, a special point, each argument: more than a thousand."""
    every = population()
    assert {id(one.rule) for one in every} == {id(rule) for rule in every_rule()}
    assert {one.point for one in every} == {"", *POINTS}
    assert {one.factor for one in every} == {1.01, -1.0, 0.0}
    assert {one.second for one in every} == {False, True}
    assert max(one.argument for one in every) > 1
    assert len(every) > 1000


def test_mutants_of_rules_are_shown_by_cells(cells: Cells, users: Users) -> None:
    """Of a sample at most one is not, as of all."""
    found = list(tried(cells, users, sampled(cells, users, RULES, seed=1)))
    assert len(found) == RULES
    left = [str(one.mutant) for one in found if not one.cell]
    assert len(left) <= 1, left
    assert all("derivative" in one.message or "gradient" in one.message or "VJP" in one.message for one in found[:10])


def test_a_rule_is_restored(cells: Cells) -> None:
    """After a mutant, cells pass as before."""
    rule = next(rule for rule in every_rule() if rule.primitive.name == "exp")
    before = dict(rule.__dict__)
    with patched(RuleMutant(rule, 0, -1.0, BOTH)):
        assert cells.failure("derivatives.reverse_mode_gives_the_derivative[exp]")
    assert rule.__dict__ == before
    assert not cells.failure("derivatives.reverse_mode_gives_the_derivative[exp]")


@pytest.mark.parametrize("null", NULLS)
def test_equal_rules_change_no_cell(cells: Cells, null: str) -> None:
    """Of a sample of operations, all laws."""
    operations = random.Random(null).sample(sorted(cells.offered), OPERATIONS)
    assert list(noticed(cells, null, operations)) == []


@pytest.mark.parametrize("name", ["softmax", "cumprod", "prod_along_axis", "var", "concat", "stack"])
def test_an_operation_that_is_wrong_for_a_negative_axis_is_shown(cells: Cells, name: str) -> None:
    """Its row has a variant with one."""
    assert name in with_axes()
    assert shown_for_axes(cells, name)


def test_every_row_with_an_axis_has_a_variant_with_a_negative_one() -> None:
    """Given, or by default; tensordot counts axes."""
    assert [name for name in with_axes() if not has_negative_axis(TABLE[name])] == ["tensordot"]


def test_every_law_has_a_mutant() -> None:
    """What makes its cells fail is in the table of `verbs`."""
    assert sorted({law_of(cell) for cell in every_cell()} - set(WRONG)) == []


def test_every_law_fails_on_a_mutant_of_a_family(cells: Cells) -> None:
    """Of a sample of laws and families; the reference engine has no jit, nor forward mode over forward mode."""
    within_reach = [
        (law, family)
        for law, family in pairs()
        if family not in LACKING and not any(word in law for word in ("jit", "forward_over_forward", "in_place"))
    ]
    chosen = random.Random(0).sample(within_reach, PAIRS)
    unseen = [pair for pair in chosen if not shown(cells, *pair) and passes_somewhere(cells, *pair)]
    assert unseen == []


def test_the_vjp_of_several_outputs_is_tried_where_an_engine_has_it_for_one() -> None:
    """HIPS autograd's VJP of a tuple of outputs is zero, which is linear."""
    pytest.importorskip("autograd")
    cells = Cells("hips_autograd")
    for cell in cells.of("split", [law for law in WRONG if law.startswith("cotangents.the_")]):
        assert cells.passes(cell)
        with wrong(cells.adapter, ("split",), WRONG[law_of(cell)]):
            assert cells.failure(cell), cell


def test_the_command_tells_a_pair_without_a_cell_from_a_mutant_that_is_not_shown(monkeypatch: Any) -> None:
    """The latter is a finding, with exit status 1; the reference engine has no jit."""
    chosen = ["verbs", "--engine", "reference", "--law"]
    told = CliRunner().invoke(laws, [*chosen, "transforms.jit_changes_no_gradient"])
    assert told.exit_code == 0
    assert "transforms.jit_changes_no_gradient, Losses: no cell of these engines passes" in told.output
    law = "layouts.one_array_in_two_arguments_has_the_sum_of_the_gradients"
    assert ": no cell shows it" not in CliRunner().invoke(laws, [*chosen, law]).output
    monkeypatch.setitem(WRONG, law, Wrong("not at all"))
    told = CliRunner().invoke(laws, [*chosen, law])
    assert told.exit_code == 1
    assert f"{law}, Arithmetic: no cell shows it" in told.output
