"""The laws on operations notice wrong engines, and nothing else: rules, verbs, and equal rules."""

from __future__ import annotations

import random

import pytest

from conformance.operations import TABLE
from workshop.laws.by_law import WRONG
from workshop.laws.cells import Cells, every_cell, law_of
from workshop.laws.command import noticed, pairs, sampled, shown, shown_for_axes, tried
from workshop.laws.nulls import NULLS
from workshop.laws.rule_mutants import BOTH, POINTS, RuleMutant, every_rule, patched, population
from workshop.laws.users import Users
from workshop.laws.verbs import families, has_negative_axis, with_axes

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
    unseen = [pair for pair in chosen if not shown(cells, *pair) and _passes_somewhere(cells, *pair)]
    assert unseen == []


def _passes_somewhere(cells: Cells, law: str, family: str) -> bool:
    return any(
        cells.passes(f"{law}[{name}]")
        for name in families()[family]
        if name in cells.offered and f"{law}[{name}]" in every_cell()
    )
