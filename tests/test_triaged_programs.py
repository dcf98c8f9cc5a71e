"""Mistakes of the suite itself that campaigns of generated programs brought to light."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from math import nan
from typing import Any

import pytest

from conformance.laws.comparison import compared
from conformance.programs.engine import LoadedEngine, engine_of
from conformance.programs.generator.generate import generate_program
from conformance.programs.observations import Observed, observed, unlike
from conformance.programs.oracles import forward_is_differences
from conformance.programs.program import Body, Input, Program, Step
from conformance.programs.program_trial import try_program
from conformance.programs.subject import ProgramSubject

VECTOR = Input((3,), (1.0, -2.0, 3.0), False)
MATRIX = Input((3, 3), (1.0, 0.0, 2.0, -1.0, 0.5, 1.0, 1.0, 1.0, 1.0), False)


@pytest.mark.parametrize("operands", [(0, 1), (1, 0), (1, 1)])
def test_the_reference_engine_detaches_a_product_in_place(operands: tuple[int, int]) -> None:
    """A product is no view, of which detach_() would be an error."""
    steps = (Step("np.matmul", operands), Step("detach_", (2,)))
    seen = observed(Program("tape", (VECTOR, MATRIX), Body(2, steps, ())), engine_of("reference").ad)
    assert (seen.error, seen.values[3]["numbers"].shape) == ("", (3, 3) if operands == (1, 1) else (3,))


def test_the_reference_engine_hears_a_view_that_is_copied_to_itself() -> None:
    """The values before the write reach the output through what is copied: their hooks are called."""
    steps = (
        *(Step("clone", (0,)), Step("view.transpose", (1,), (0, 1)), Step("hook", (2,), (), (Body(1, (), ()),))),
        *(Step("copy_", (2, 2)), Step("backward", (4,), (False,))),
    )
    inputs = (Input((2, 2), (1.0, 2.0, 3.0, 4.0)),)
    seen = observed(Program("tape", inputs, Body(1, steps, ())), engine_of("reference").ad)
    assert seen.heard == [3]
    assert seen.values[0]["gradient"].tolist() == [[1.0, 1.0], [1.0, 1.0]]


def test_the_reference_engine_derives_a_view_from_its_base_after_a_copy() -> None:
    """A value that was copied from a part of the base to another is then a part of the base as it is now."""
    steps = (
        *(Step("clone", (0,)), Step("retain_gradient", (1,)), Step("view.select", (1,), (0, 0))),
        *(Step("set_item_", (1, 3), (2,)), Step("backward", (3,), (False,))),
    )
    program = Program("tape", (Input((3,), (1.0, 2.0, 3.0)),), Body(1, steps, ()))
    seen = observed(program, engine_of("reference").ad)
    assert [seen.values[n]["gradient"].tolist() for n in (0, 1)] == [[1.0, 0.0, 0.0]] * 2


def test_the_reference_engine_raises_the_error_of_vmap_for_what_escaped() -> None:
    """A checkpoint that captured a mapped value runs again after the mapping; some operations raised a TypeError."""
    ad, escaped = engine_of("reference").ad, []
    ad.vmap(lambda x: (escaped.append(x), x)[1])(ad.array([1.0, 2.0]))
    for operation in (ad.np.softplus, ad.np.sin, lambda x: x * 2.0, lambda x: 2.0 * x, lambda x: x == x):
        with pytest.raises(RuntimeError, match="escaped from the function being mapped"):
            operation(escaped[0])


def test_a_checkpoint_of_the_reference_engine_notices_a_write_into_what_it_saved() -> None:
    """The second run saves the factor, and overwrites it: the gradient was that of another program."""
    ad = engine_of("reference").ad

    def program(x: Any) -> Any:
        y = ad.clone(x)
        return ad.np.sum(ad.operate_(ad.operate_(y, "multiply", y), "sigmoid"))

    with pytest.raises(RuntimeError, match="saved by checkpoint"):
        ad.grad(ad.checkpoint(program))(ad.array([1.0, 2.0]))


@pytest.mark.parametrize(
    ("derivative", "expected"), [("jacobian", [6.0, 24.0]), ("hessian", [[6.0, 0.0], [0.0, 12.0]])]
)
def test_the_reference_engine_has_the_tangent_of_a_jacobian(derivative: str, expected: Any) -> None:
    """It needs a graph in forward mode: without a graph the tangent was missing."""
    ad = engine_of("reference").ad
    x = ad.array([1.0, 2.0])
    of_cubes = getattr(ad, derivative)(lambda x: ad.np.sum(x * x * x))
    assert ad.jvp(of_cubes, (x,), (x,))[1].tolist() == expected


def _gradient_of(form: str) -> Program:
    """A program whose value 2 is the gradient of an operation of a leaf, with a graph."""
    steps = (Step(form, (0,)), Step("grad_of", (1, 0), (True,)), Step("hook", (2,), (), (Body(1, (), ()),)))
    return Program("tape", (Input((), (1.0,)),), Body(1, steps, ()))


def test_a_graph_of_a_constant_gradient_is_not_judged() -> None:
    """The gradient of relu is constant: whether it requires grad, and has hooks, is documented nowhere."""
    expected = observed(_gradient_of("np.relu"), engine_of("reference").ad)
    assert (expected.values[2]["requires_grad"], expected.error) == (False, "step 3 (hook) raised RuntimeError")
    numbers = expected.values[2]["numbers"]
    # As if the engine had connected the constant with its input.
    attached = {**expected.values[2], "requires_grad": True, "is_leaf": False}
    assert unlike(Observed("", [], [*expected.values[:2], attached, {}], (2,)), expected) is None
    wrong = {**attached, "numbers": numbers + 1.0}
    assert unlike(Observed("", [], [*expected.values[:2], wrong, {}], (2,)), expected) is not None

    zero = {**attached, "numbers": numbers * 0.0}
    # A gradient that is zero may have a graph or none, too.
    cut = {**zero, "requires_grad": False, "is_leaf": True}
    assert (
        unlike(
            Observed("", [], [*expected.values[:2], cut], (2,)), Observed("", [], [*expected.values[:2], zero], (2,))
        )
        is None
    )


def test_a_gradient_without_the_graph_that_it_should_have_is_judged() -> None:
    """The gradient of the sine is not constant: it requires grad."""
    expected = observed(_gradient_of("np.sin"), engine_of("reference").ad)
    assert expected.values[2]["requires_grad"]
    cut = {**expected.values[2], "requires_grad": False}
    difference = unlike(Observed("", expected.heard, [*expected.values[:2], cut, {}], (2,)), expected)
    assert difference
    assert difference.kind == "requires_grad"


def test_a_gradient_of_an_operation_with_kinks_may_have_a_graph_or_none() -> None:
    """That of amax is constant but for its kinks, and not zero."""
    steps = (Step("np.amax", (0,), (0,)), Step("grad_of", (1, 0), (True,)))
    expected = observed(Program("tape", (Input((2,), (1.0, 2.0)),), Body(1, steps, ())), engine_of("reference").ad)
    assert expected.values[2]["requires_grad"]
    cut = {**expected.values[2], "requires_grad": False, "is_leaf": True}
    assert unlike(Observed("", [], [*expected.values[:2], cut], (2,)), expected) is None


def test_what_has_views_is_not_detached_in_place() -> None:
    """No page documents the history of its views afterwards."""
    for seed in range(3000):
        program = generate_program("tape", seed)
        for at, step in enumerate(program.body.steps):
            if step.form == "detach_":
                earlier = program.body.steps[:at]
                assert not any(other.form.startswith("view.") and other.takes == step.takes for other in earlier), seed


def _apart(program: Program, held_to: str, slope: float) -> bool:
    """Whether an engine that is held to a source, and has this slope of leaky_relu at and below zero, is wrong."""
    np = engine_of("reference").ad.np
    return _wrong(program, held_to, "leaky_relu", lambda x: np.where(x >= 0.0, x, x * slope))


def _wrong(program: Program, held_to: str, operation: str, instead: Callable[[Any], Any]) -> bool:
    """Whether an engine that is held to a source, and has another operation of that name, is wrong."""
    reference = engine_of("reference")

    class Names:
        def __getattr__(self, name: str) -> Any:
            return instead if name == operation else getattr(reference.ad.np, name)

    class Other:
        np = Names()

        def __getattr__(self, name: str) -> Any:
            return getattr(reference.ad, name)

    declaration = replace(reference.declaration, held_to={held_to: "1"})
    mine = LoadedEngine(reference.adapter, declaration, reference)
    vars(mine)["ad"] = Other()  # in the place of what the property would make
    return try_program(program, mine, ("reference",)).failure is not None


def test_the_derivative_at_a_kink_is_not_compared_between_documentations() -> None:
    """At zero the slope of leaky_relu is 0.01 in PyTorch, and 1 here. Elsewhere another slope is wrong."""
    at = {
        x: Program("function", (Input((), (x,)),), Body(1, (Step("np.leaky_relu", (0,)),), (1,))) for x in (0.0, -1.0)
    }
    assert _apart(at[0.0], "torch", 0.01)
    assert not _apart(at[0.0], "mine", 0.01)
    # Away from the kink there is a derivative, 0.01, on which all documentations agree.
    assert _apart(at[-1.0], "mine", 0.02)


def test_rounding_beside_a_jump_is_no_difference() -> None:
    """At 2 the floor of an engine that rounds differently may be 1. At 1.5 it is not 2."""
    np = engine_of("reference").ad.np
    at = {x: Program("function", (Input((), (x,)),), Body(1, (Step("np.floor", (0,)),), (1,))) for x in (2.0, 1.5)}
    # As an engine may compute 2: the number below it has the floor 1.
    assert not _wrong(at[2.0], "torch", "floor", lambda x: np.floor(x - 1e-15))
    assert _wrong(at[1.5], "torch", "floor", lambda x: np.floor(x + 1.0))


def test_a_tangent_at_a_kink_is_compared_with_differences_beside_it() -> None:
    """Of sorted numbers, two of which are equal, the function below has one-sided derivatives that differ by little."""
    inputs = (Input((), (-0.97,)), Input((3, 3), (0.0, 2.0, 0.5, -1.31, 1.42, 0.0, 0.0, 0.0, -0.91)))
    steps = (Step("np.sort_along_axis", (1,), (-2,)), Step("np.log_softmax", (2,), (1,)), Step("copy_", (3, 3)))
    case = ProgramSubject(Program("writes", inputs, Body(2, steps, (4,))), engine_of("reference").ad)
    with pytest.raises(RuntimeError, match="modified by an inplace operation"):
        # Reverse mode is an error here, which leaves differences alone to compare forward mode with.
        case.gradient  # noqa: B018
    assert forward_is_differences(case) is None


def test_an_expected_nan_is_another_kind_than_numbers() -> None:
    """Of two ways to one derivative the second may be NaN, which is another cause than two numbers."""
    pairs = (([1.0, nan], [1.0, 2.0]), ([1.0, 2.0], [1.0, nan]), ([1], [2]))
    kinds = [compared(got, expected) for got, expected in pairs]
    assert [difference.kind for difference in kinds if difference] == ["NaN", "no NaN", "numbers"]
