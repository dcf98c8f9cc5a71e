"""The tape: leaves, accumulation, lifetime of graphs, and the arguments of backward and grad."""

from __future__ import annotations

import gc
import weakref

import numpy as np
import pytest

import reference_engine as torch


def leaf(*values: float) -> torch.Tensor:
    """A leaf of the given values."""
    return torch.tensor(list(values), requires_grad=True)


def test_accumulation_without_graph_is_in_place() -> None:
    """Whoever holds the gradient sees what is added to it."""
    x = leaf(1.0)
    x.sum().backward()
    held = x.grad
    x.sum().backward()
    assert held is x.grad
    assert held._version == 1


def test_leaves_of_one_sum_do_not_share_their_gradients() -> None:
    """The same cotangent reaches both leaves, but each has memory of its own."""
    x, y = leaf(1.0), leaf(2.0)
    (x + y).sum().backward()
    x.grad.zero_()
    assert y.grad.item() == 1.0


def test_a_graph_that_saved_nothing_can_be_walked_twice() -> None:
    """Addition and sums keep no values, so nothing is missing."""
    x = leaf(1.0)
    out = (x + 2).sum()
    out.backward()
    out.backward()
    assert x.grad.item() == 2.0


def test_deep_chains_need_no_recursion() -> None:
    """A chain of 100,000 operations is built, differentiated and freed."""
    x = leaf(1.0)
    y = x
    for _ in range(100_000):
        y = y * 1.0
    y.sum().backward()
    del y
    assert x.grad.item() == 1.0


def test_a_graph_is_freed_without_the_collector() -> None:
    """No cycle keeps a graph alive after its last result is gone."""
    gc.disable()
    try:
        x = leaf(1.0, 2.0)
        y = x.exp() * x
        node = weakref.ref(y.grad_fn)
        y.sum().backward()
        del y
        assert node() is None
    finally:
        gc.enable()


def test_a_refused_backward_leaves_gradients_alone() -> None:
    """After a refusal everything is as before, and a right call works."""
    x = leaf(1.0, 2.0)
    y = x * x
    with pytest.raises(RuntimeError, match="Mismatch in shape"):
        y.backward(torch.ones(3))
    assert x.grad is None
    y.backward(torch.ones(2))
    assert x.grad.tolist() == [2.0, 4.0]


def test_dtypes_are_those_of_pytorch() -> None:
    """Dimensions outrank scalars, tensors outrank Python numbers, and integers never widen a floating type."""
    f32, f64, i64 = torch.ones(2), torch.tensor(2.0, dtype=torch.float64), torch.arange(2)
    found = [(f32 * f64).dtype, (i64 * 2.5).dtype, (i64 / 2).dtype, (f32 * 1j).dtype, (i64 + f64).dtype]
    assert found == [torch.float32, torch.float32, torch.float32, torch.complex64, torch.float64]


def test_a_gradient_has_its_leafs_dtype() -> None:
    """Promotion during the computation is undone on the way back."""
    x = leaf(1.0)
    (x * torch.ones(1, dtype=torch.float64)).sum().backward()
    assert x.grad.dtype is torch.float32
    np.testing.assert_array_equal(x.grad.numpy(), [1.0])


def test_a_node_hook_gets_a_gradient_for_each_follower() -> None:
    """Also where a number is among the operands."""
    x = leaf(3.0)
    for y in (x**2, x**x, 2**x, x * 2, x % 2, x.masked_fill(x > 5, 1.0), torch.where(x > 0, x, 1.0)):
        seen: list[int] = []
        y.grad_fn.register_hook(lambda inputs, _, seen=seen: seen.append(len(inputs)))
        y.sum().backward()
        assert seen == [len(y.grad_fn.next_functions)]


def test_a_hook_on_a_view_that_is_copied_into_itself() -> None:
    """The gradient goes through the view as it was before, with its hook (found by a generated program)."""
    x = torch.ones(2, 3, requires_grad=True)
    view = x.clone().t()
    view.register_hook(lambda gradient: gradient * 2)
    view.copy_(view)
    view.sum().backward()
    assert x.grad is not None
    assert x.grad.tolist() == [[2.0] * 3] * 2
