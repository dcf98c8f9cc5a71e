"""Custom functions, checkpoints, forward mode, Jacobians, and the checks themselves."""

from __future__ import annotations

from typing import Any

import pytest

import reference_engine as torch
from reference_engine.autograd import Function, forward_ad, functional
from reference_engine.autograd.function import once_differentiable
from reference_engine.utils.checkpoint import checkpoint


def leaf(*values: float) -> torch.Tensor:
    """A leaf of the given values."""
    return torch.tensor(list(values), requires_grad=True)


class Square(Function):
    """The square, with setup_context and a forward rule."""

    @staticmethod
    def forward(x: Any) -> Any:
        return x * x

    @staticmethod
    def setup_context(ctx: Any, inputs: Any, output: Any) -> None:
        ctx.save_for_backward(*inputs)
        ctx.save_for_forward(*inputs)

    @staticmethod
    def backward(ctx: Any, g: Any) -> Any:
        (x,) = ctx.saved_tensors
        return 2 * x * g

    @staticmethod
    def jvp(ctx: Any, t: Any) -> Any:
        (x,) = ctx.saved_tensors
        return 2 * x * t


def test_a_custom_function_is_one_operation() -> None:
    """Its node is named after it, its backward can be differentiated, its jvp drives forward mode."""
    x = leaf(3.0)
    y = Square.apply(x)
    assert y.grad_fn.name() == "SquareBackward"
    (g,) = torch.autograd.grad(y.sum(), x, create_graph=True)
    assert torch.autograd.grad(g.sum(), x)[0].item() == 2.0
    with forward_ad.dual_level():
        dual = forward_ad.make_dual(torch.tensor(3.0), torch.tensor(1.0))
        assert forward_ad.unpack_dual(Square.apply(dual)).tangent.item() == 6.0


def _returning(value: Any) -> Any:
    class Wrong(Function):
        @staticmethod
        def forward(ctx: Any, x: Any, n: Any) -> Any:
            return x * n

        @staticmethod
        def backward(ctx: Any, g: Any) -> Any:
            return value

    return Wrong


@pytest.mark.parametrize(
    ("value", "says"),
    [
        ((torch.ones(2),), "incorrect number of gradients"),
        ((torch.ones(3), None), "invalid gradient at index 0"),
        ((torch.ones(2), torch.ones(1)), "different from None"),
    ],
)
def test_wrong_gradients_are_refused(value: Any, says: str) -> None:
    """One gradient per argument, of its shape, None where there is nothing to differentiate."""
    with pytest.raises(RuntimeError, match=says):
        _returning(value).apply(leaf(1.0, 2.0), 2).sum().backward()


def test_once_differentiable_bars_the_second_derivative() -> None:
    """The first derivative works, the second is refused."""

    class Once(Function):
        @staticmethod
        def forward(ctx: Any, x: Any) -> Any:
            return x * 2

        @staticmethod
        @once_differentiable
        def backward(ctx: Any, g: Any) -> Any:
            return g * 2

    x = leaf(1.0)
    (g,) = torch.autograd.grad((Once.apply(x) ** 2).sum(), x, create_graph=True)
    assert g.item() == 8.0
    with pytest.raises(RuntimeError, match="once_differentiable"):
        g.sum().backward()


def test_mark_dirty_makes_the_input_the_output() -> None:
    """An input changed in place takes this function as its history."""

    class Double(Function):
        @staticmethod
        def forward(ctx: Any, x: Any) -> Any:
            ctx.mark_dirty(x)
            return x.mul_(2)

        @staticmethod
        def backward(ctx: Any, g: Any) -> Any:
            return g * 2

    x = leaf(1.0)
    y = x * 1
    z = Double.apply(y)
    assert z is y
    z.sum().backward()
    assert x.grad.item() == 2.0


@pytest.mark.parametrize("reentrant", [True, False])
def test_checkpoints_compute_again(reentrant: bool) -> None:
    """The function runs once forward and once in backward."""
    calls: list[int] = []

    def function(x: Any) -> Any:
        calls.append(1)
        return (x * x).exp()

    x = leaf(0.5)
    checkpoint(function, x, use_reentrant=reentrant).sum().backward()
    assert len(calls) == 2
    assert x.grad.item() == pytest.approx(1.2840254)


def test_reentrant_checkpoints_refuse_grad() -> None:
    """A backward inside the backward cannot know that only some inputs are wanted."""
    x = leaf(0.5)
    y = checkpoint(lambda v: v * v, x, use_reentrant=True).sum()
    with pytest.raises(RuntimeError, match="incompatible with"):
        torch.autograd.grad(y, x)


def test_dual_numbers_carry_tangents() -> None:
    """Inside the level the table carries tangents along; a second level is refused."""
    with forward_ad.dual_level():
        x = forward_ad.make_dual(torch.tensor([2.0]), torch.tensor([1.0]))
        assert forward_ad.unpack_dual(x**3).tangent.tolist() == [12.0]
        with pytest.raises(RuntimeError, match="Nested forward mode"):
            forward_ad.enter_dual_level()


def test_tangents_follow_inplace_changes() -> None:
    """Writing a dual into part of a tensor gives the whole a tangent."""
    with forward_ad.dual_level():
        x = forward_ad.make_dual(torch.tensor([2.0, 3.0]), torch.tensor([1.0, 1.0]))
        y = x * 1
        y[0] = y[1] * 5
        assert forward_ad.unpack_dual(y).tangent.tolist() == [5.0, 1.0]


def test_both_modes_agree_on_jacobian_and_hessian() -> None:
    """Forward and reverse mode give the same matrices."""
    x = torch.tensor([1.0, 2.0])
    f = lambda v: v * v.sum()  # noqa: E731
    expected = [[4.0, 1.0], [2.0, 5.0]]
    assert functional.jacobian(f, x).tolist() == expected
    assert functional.jacobian(f, x, vectorize=True, strategy="forward-mode").tolist() == expected
    cubes = lambda v: (v**3).sum()  # noqa: E731
    assert functional.hessian(cubes, x).tolist() == [[6.0, 0.0], [0.0, 12.0]]


def test_gradcheck_catches_a_wrong_rule() -> None:
    """A derivative that differences do not confirm is refused."""
    x = torch.tensor([0.5], dtype=torch.float64, requires_grad=True)
    wrong = lambda v: v.detach() * v  # noqa: E731
    with pytest.raises(torch.autograd.GradcheckError, match="Jacobian mismatch"):
        torch.autograd.gradcheck(wrong, (x,))
    assert not torch.autograd.gradcheck(wrong, (x,), raise_exception=False)


def test_tensor_likes_take_over() -> None:
    """A class with __torch_function__ answers in the engine's place."""

    class Stand:
        @classmethod
        def __torch_function__(cls, function: Any, types: Any, args: Any = (), kwargs: Any = None) -> str:
            return function.__name__

    stand: Any = Stand()
    assert torch.autograd.grad(stand, stand) == "grad"
    assert torch.autograd.backward(stand) == "backward"
    assert torch.exp(stand) == "exp"
