"""Programs with custom rules that are not derivatives: which oracles judge them, and what the reference engine does."""

from __future__ import annotations

from importlib.util import find_spec

import pytest

from conformance.programs.engine import engine_of
from conformance.programs.forms import FORMS
from conformance.programs.generator.generate import generate_program
from conformance.programs.oracles import ORACLES, orders_of_modes
from conformance.programs.program import Body, Input, Program, Step
from conformance.programs.program_trial import oracles_of
from conformance.programs.subject import ProgramSubject

needs_torch = pytest.mark.skipif(find_spec("torch") is None, reason="torch is not installed")
DIFFERENCES = {"reverse_is_differences", "forward_is_differences"}
FORWARD = {"forward_is_reverse", "orders_of_modes", "forward_over_forward"}


def _of(form: str, *bodies: Body) -> Program:
    """The form, of a copy of the input, and its sine."""
    steps = (Step("clone", (0,)), Step(form, (1,), (), bodies), Step("np.sin", (2,)))
    return Program("rules", (Input((3,), (-1.2, 0.7, 2.4)),), Body(1, steps, (3,)))


@pytest.mark.parametrize(
    ("form", "without"),
    [
        ("np.sin", set[str]()),
        # Its gradient is meant to be another than that of the function.
        ("straight_through", DIFFERENCES),
        # It has a rule for reverse mode only.
        ("reversed_gradient", DIFFERENCES | FORWARD),
        # A function that writes into its argument has no rule for vmap.
        ("doubled_in_place", {"mapped"}),
    ],
)
def test_oracles_that_a_rule_rules_out_are_left_out(form: str, without: set[str]) -> None:
    """A rule that is not the derivative is not judged by differences, nor one by a mode or by vmap that it has not."""
    asked = set(oracles_of(_of(form), engine_of("reference"), 0))
    assert (DIFFERENCES | FORWARD | {"mapped"}) - asked == without
    assert asked > {"checkpointed", "with_dead_code", "reference"}


@pytest.mark.parametrize(
    ("form", "slope"),
    [("reversed_gradient", [-1.0] * 3), ("clipped_gradient", [0.3] * 3), ("straight_through", [1.0] * 3)],
)
def test_a_rule_is_what_is_differentiated(form: str, slope: list[float]) -> None:
    """The gradient is that of the rule, and not of the function."""
    ad = engine_of("reference").ad
    gradient = ad.grad(lambda x: ad.np.sum(FORMS[form].call(ad, x)))(ad.array([-1.2, 0.7, 2.4]))
    assert ad.to_numpy(gradient).tolist() == slope


def test_hooks_change_what_a_rule_is_given() -> None:
    """The rule of the square, 2 x g, is given twice the value."""
    ad = engine_of("reference").ad

    def program(x):  # type: ignore[no-untyped-def]
        return FORMS["rule_with_hooks"].call(ad, ad.np.square, lambda x: x * 2.0, x)

    assert ad.to_numpy(ad.grad(program)(ad.array(3.0))) == 12.0


def test_a_function_that_changes_its_argument_has_a_second_derivative() -> None:
    """In forward mode, too, the reference engine gives the argument the history that the function's result has."""
    case = ProgramSubject(_of("doubled_in_place"), engine_of("reference").ad).prepared()
    assert orders_of_modes(case) is None


def test_a_generated_vmap_rule_cannot_change_its_argument() -> None:
    """As in PyTorch, it is an error; the reference engine lost the factor of the gradient."""
    ad = engine_of("reference").ad
    double = ad.custom_function(
        lambda x: ad.mul_(x, 2.0),
        lambda ctx, g: g * 2.0,
        lambda ctx, xs, output: ad.mark_dirty_(ctx, *xs),
        generate_vmap_rule=True,
    )
    with pytest.raises(RuntimeError, match="marked as dirty"):
        ad.vmap(lambda x: double(x * 1.0))(ad.array([1.0, 2.0]))


@needs_torch
def test_a_write_that_is_refused_changes_nothing() -> None:
    """The value is the input, on both engines, and the gradient passes."""
    for spec in ("torch", "reference"):
        case = ProgramSubject(_of("refused_write"), engine_of(spec).ad).prepared()
        assert ORACLES["reverse_is_differences"](case) is None, spec


def test_loops_have_rules_in_them() -> None:
    """Of the programs that are traced some have a rule of a user inside of a scan."""
    found = [
        seed
        for seed in range(60)
        if any(
            inner.form in ("scaled_rule", "reversed_gradient", "clipped_gradient", "custom_vjp")
            for step in generate_program("traced_rules", seed).body.steps
            if step.form in ("scan", "scan_of_each")
            for inner in step.bodies[0].steps
        )
    ]
    assert len(found) > 10
