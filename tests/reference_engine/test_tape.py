"""The tape: depth and lifetime of graphs, and hooks of nodes; chapters prove the rest on the reference engine."""

from __future__ import annotations

import gc
import weakref

import reference_engine as torch


def leaf(*values: float) -> torch.Tensor:
    """A leaf of the given values."""
    return torch.tensor(list(values), requires_grad=True)


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


def test_a_node_hook_gets_a_gradient_for_each_follower() -> None:
    """Also where a number is among the operands."""
    x = leaf(3.0)
    for y in (x**2, x**x, 2**x, x * 2, x % 2, x.masked_fill(x > 5, 1.0), torch.where(x > 0, x, 1.0)):
        seen: list[int] = []
        y.grad_fn.register_hook(lambda inputs, _, seen=seen: seen.append(len(inputs)))
        y.sum().backward()
        assert seen == [len(y.grad_fn.next_functions)]
