"""`vmap` and Jacobians mapped over a basis, against numbers worked out by hand."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

import reference_engine as torch
from reference_engine.autograd import functional
from reference_engine.batching.active import batches
from reference_engine.core import levels
from reference_engine.core.modes import state
from reference_engine.func import vmap


def numbers(value: Any) -> Any:
    """Nested lists of a tensor, or of a tuple of them."""
    return [numbers(v) for v in value] if isinstance(value, (tuple, list)) else value.tolist()


X = torch.tensor([[1.0, 2.0], [3.0, 4.0], [5.0, 6.0]])
V = torch.tensor([2.0, 3.0])


def test_the_function_sees_the_form_of_one_example() -> None:
    """Inside the function a mapped matrix is a vector, with a vector's length, strides and dtype."""
    seen = []
    vmap(lambda a: (seen.append((tuple(a.shape), a.ndim, len(a), a.numel(), a.dtype, a.stride())), a)[1])(X)
    assert seen == [((2,), 1, 2, 2, torch.float32, (1,))]


def test_code_that_no_example_changes_runs_once() -> None:
    """The function is called once, and what depends on no mapped argument is computed once."""
    calls = []

    def function(a: Any) -> Any:
        constant = V * 2
        # What depends on an example is of the derived type Batched.
        calls.append(type(constant) is torch.Tensor)
        return a * constant

    assert numbers(vmap(function)(X)) == [[4, 12], [12, 24], [20, 36]]
    assert calls == [True]


def test_a_map_over_no_examples_has_their_shape() -> None:
    """With a batch of size zero the results have size zero too."""
    assert tuple(vmap(lambda a: a.sin().sum() * V)(torch.zeros(0, 4)).shape) == (0, 2)


def test_a_pullback_mapped_is_one_pass() -> None:
    """The graph is walked once for all rows, so it need not be kept; afterwards it is gone."""
    x = torch.tensor([1.0, 2.0], requires_grad=True)
    y = x * x
    rows = vmap(lambda g: torch.autograd.grad(y, x, g)[0])(torch.eye(2))
    assert numbers(rows) == [[2, 0], [0, 4]]
    # The pass has freed the graph, as it does without vmap.
    with pytest.raises(RuntimeError, match="second time"):
        torch.autograd.grad(y.sum(), x)


def test_batched_gradients_are_one_pass() -> None:
    """`is_grads_batched` runs each node once, as its hooks see."""
    x = torch.tensor([1.0, 2.0], requires_grad=True)
    y, passes = x * x, []
    y.grad_fn.register_hook(lambda gi, go: passes.append(tuple(go[0].shape)))
    assert numbers(torch.autograd.grad(y, x, torch.eye(2), is_grads_batched=True)) == [[[2, 0], [0, 4]]]
    assert passes == [(2,)]


def test_random_numbers_are_the_same_or_differ_for_each_map() -> None:
    """The inner map draws anew for each of its examples, the outer map shares, or the other way round."""
    torch.manual_seed(0)
    inner = vmap(lambda a: a * 0 + torch.rand(()), randomness="different")
    # Two examples of the outer map, with three each of the inner.
    first = vmap(inner, randomness="same")(torch.zeros(2, 3))
    assert len(set(first.reshape(-1).tolist())) == 3
    assert first[0].tolist() == first[1].tolist()
    inner = vmap(lambda a: a * 0 + torch.rand(()), randomness="same")
    other = vmap(inner, randomness="different")(torch.zeros(2, 3))
    assert len(set(other[0].tolist())) == 1
    assert other[0].tolist() != other[1].tolist()


def test_a_refusal_leaves_nothing_behind() -> None:
    """After an exception in a mapped function no level is open, and the next map works."""
    with pytest.raises(RuntimeError, match="item"):
        vmap(lambda a: a.item())(X[0])
    assert levels.depth() == 0
    assert batches() == []
    assert state.now.transforms == 0
    assert numbers(vmap(torch.neg)(V)) == [-2, -3]


def test_a_batched_tensor_prints_as_what_it_is() -> None:
    """Printing inside the function shows the level and the whole batch, rather than an example."""
    shown: list[str] = []
    vmap(lambda a: (shown.append(repr(a)), a)[1])(V)
    assert "Batched(level=" in shown[0]
    assert "tensor([2., 3.])" in shown[0]


@pytest.mark.parametrize("strategy", ["forward-mode", "reverse-mode"])
def test_a_vectorized_jacobian_of_several_tensors(strategy: str) -> None:
    """Blocks nest outputs first, each of shape output + input; the function runs once."""
    calls = []

    def function(a: Any, b: Any) -> Any:
        calls.append(1)
        return a * b, b.sum()

    blocks = functional.jacobian(function, (V, V), vectorize=True, strategy=strategy)
    assert numbers(blocks) == [[[[2, 0], [0, 3]], [[2, 0], [0, 3]]], [[0, 0], [1, 1]]]
    assert calls == [1]
    assert not any(block.requires_grad for row in blocks for block in row)


def test_a_jacobian_in_forward_mode_shows_its_tangents() -> None:
    """The function of a forward-mode Jacobian can unpack its argument: derivatives of x^3 along x at 3, by hand."""
    unpack = torch.autograd.forward_ad.unpack_dual
    seen = []
    derivative = functional.jacobian(
        lambda x: (seen.append(unpack(x).tangent is not None), x**3)[1],
        torch.tensor(3.0),
        vectorize=True,
        strategy="forward-mode",
    )
    assert (derivative.item(), seen) == (27.0, [True])
    assert unpack(torch.tensor(3.0)).tangent is None


def test_numbers_of_a_batch_do_not_reach_numpy() -> None:
    """NumPy functions are refused rather than given an object or the first example."""
    # Each way by which NumPy comes to numbers: conversion, arithmetic, an index, a comparison.
    for ask in (np.asarray, lambda a: np.add(a.array, 1), lambda a: a.array[0], lambda a: a.array == 1):
        with pytest.raises(RuntimeError, match="one value for each example"):
            vmap(lambda a, ask=ask: (ask(a), a)[1])(X)
