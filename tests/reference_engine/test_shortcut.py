"""What is done in a shorter way gives what the long way gives: values, histories, refusals, gradients."""

from __future__ import annotations

import operator
import threading
import warnings
from typing import Any

import numpy as np
import pytest

import reference_engine as torch
from reference_engine import primitives as o
from reference_engine.core.interpret import interpret
from reference_engine.core.primitive import Primitive
from reference_engine.core.tensor import Tensor
from reference_engine.rules.writing import written

PRIMITIVES = {name: p for name, p in vars(o).items() if isinstance(p, Primitive) and p.short}
OPERANDS = {
    "float64": lambda: torch.tensor([0.5, 2.0, -0.5], dtype=torch.float64, requires_grad=True),
    "float32": lambda: torch.tensor([0.5, 2.0, -0.5], requires_grad=True),
    "constant": lambda: torch.tensor([1.5, 0.25, 3.0], dtype=torch.float64),
    "column": lambda: torch.tensor([[1.5], [0.25]], dtype=torch.float64, requires_grad=True),
    "two": lambda: torch.tensor([1.5, 0.25], dtype=torch.float64),
    "scalar": lambda: torch.tensor(1.5, dtype=torch.float64, requires_grad=True),
    "complex": lambda: torch.tensor([1 + 2j, 0.5j, 2.0], requires_grad=True),
    "integer": lambda: torch.tensor([1, 2, 3]),
    "bool": lambda: torch.tensor([True, False, True]),
    "a float": lambda: 0.75,
    "an integer": lambda: 2,
    "a truth": lambda: True,
}


def outcome(carry_out: Any, *kinds: str) -> Any:
    """What an operation on operands of these kinds comes to: the result and the gradients, or the refusal."""
    args = [OPERANDS[kind]() for kind in kinds]
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("error")
            result = carry_out(*args)
    except (RuntimeError, TypeError, NotImplementedError, IndexError, AttributeError, np.linalg.LinAlgError) as error:
        return type(error), str(error)
    parts = [result.array, result.requires_grad, getattr(result.grad_fn, "name", lambda: None)()]
    if result.requires_grad and result.dtype.is_floating_point:
        try:
            result.sum().backward()
        except RuntimeError as error:
            parts.append(str(error))
    return [*parts, *(a.grad.array for a in args if isinstance(a, Tensor) and a.grad is not None)]


def same(found: Any, expected: Any) -> None:
    assert type(found) is type(expected), f"got {found}, expected {expected}"
    assert len(found) == len(expected), f"got {found}, expected {expected}"
    for one, other in zip(found, expected, strict=True):
        if isinstance(one, np.ndarray):
            assert one.dtype == other.dtype
            np.testing.assert_array_equal(one, other)
        else:
            assert one == other


@pytest.mark.parametrize("kind", [kind for kind in OPERANDS if "a" not in kind.split() and "an" not in kind.split()])
def test_the_short_way_of_one_operand(kind: str) -> None:
    """Every primitive that takes one operand and no options gives the same both ways."""
    for name in ("exp", "log", "sin", "tanh", "sqrt", "neg", "abs", "sigmoid", "floor", "isnan", "reciprocal", "sign"):
        primitive = PRIMITIVES[name]
        same(outcome(primitive.short[1], kind), outcome(lambda x, p=primitive: interpret(p, (x,), {}), kind))


@pytest.mark.parametrize("left", OPERANDS)
@pytest.mark.parametrize("right", OPERANDS)
def test_the_short_way_of_two_operands(left: str, right: str) -> None:
    """So does every primitive of two, whatever types, shapes and numbers meet in it."""
    if not any(isinstance(OPERANDS[kind](), Tensor) for kind in (left, right)):
        return
    for name in ("add", "sub", "mul", "div", "pow", "maximum", "lt", "atan2", "logaddexp"):
        primitive = PRIMITIVES[name]
        long = outcome(lambda x, y, p=primitive: interpret(p, (x, y), {}), left, right)
        same(outcome(primitive.short[2], left, right), long)


def test_modes_are_looked_up_in_the_thread_that_computes() -> None:
    """Recording that is off in one thread is on in another."""
    x = torch.tensor([1.0], requires_grad=True)
    found: list[bool] = []
    with torch.no_grad():
        thread = threading.Thread(target=lambda: found.append((torch.sin(x) * x).requires_grad))
        thread.start()
        thread.join()
        found.append((torch.sin(x) * x).requires_grad)
    assert found == [True, False]


def test_the_error_state_of_the_program_is_its_own() -> None:
    """Infinities come without a warning, and what the program asked NumPy to do about them is as it was."""
    with np.errstate(divide="raise"):
        before = np.geterr()
        x = torch.tensor([0.0], requires_grad=True)
        (torch.log(x) / x).sum().backward()
        assert np.geterr() == before


def test_cotangents_are_added_up_where_nobody_else_looks() -> None:
    """Sums are made in place, in arrays that no hook, no leaf and no other node was given."""
    x = torch.tensor([1.0, 2.0], requires_grad=True)
    given = torch.tensor([1.0, 1.0])
    y = x + x
    z = y + y * y + y * 3.0 + x
    seen: list[Any] = []
    y.register_hook(lambda g: seen.append(g.clone()))
    z.grad_fn.register_hook(lambda inputs, outputs: seen.extend(inputs))
    z.backward(given)
    assert given.tolist() == [1.0, 1.0]
    assert [g.tolist() for g in seen] == [[1.0, 1.0], [1.0, 1.0], [8.0, 12.0]]
    assert x.grad.tolist() == [17.0, 25.0]


@pytest.mark.parametrize("operation", [operator.add, operator.mul, operator.sub, operator.truediv])
def test_many_uses_of_one_value_add_up(operation: Any) -> None:
    """A value used often has the sum of all its cotangents, and none of the arrays that came in is changed."""
    x = torch.tensor([3.0, 5.0], dtype=torch.float64, requires_grad=True)
    total = x
    for _ in range(5):
        total = operation(total, x)
    (gradient,) = torch.autograd.grad(total.sum(), x)
    expected = {operator.add: [6, 6], operator.mul: [6 * 3**5, 6 * 5**5], operator.sub: [-4, -4]}
    expected[operator.truediv] = [-4 * 3.0**-5, -4 * 5.0**-5]
    np.testing.assert_allclose(gradient.array, expected[operation])


def test_a_rule_is_written_out_for_the_wanted_arguments() -> None:
    """What is not wanted is neither saved nor computed, and the text can be read."""
    both, first = (o.mul.rule.plans[wanted] for wanted in ((True, True), (True, False)))
    assert (both.letters, first.letters) == (["x", "y"], ["y"])
    assert "return (formula_0(g, y), None,)" in written(first.pull)
    assert "formula_1(g, x)" in written(both.pull)
