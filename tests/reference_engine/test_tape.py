"""The tape: leaves, accumulation, lifetime of graphs, every argument of backward and grad, and the refusals."""

from __future__ import annotations

import gc
import weakref
from collections.abc import Callable
from typing import Any

import numpy as np
import pytest

import reference_engine as torch


def leaf(*values: float) -> torch.Tensor:
    """A leaf of the given values."""
    return torch.tensor(list(values), requires_grad=True)


def test_two_backward_calls_add_up() -> None:
    """Gradients accumulate in the leaf."""
    x = leaf(1.0, 2.0)
    for _ in range(2):
        (3 * x).sum().backward()
    assert x.grad.tolist() == [6.0, 6.0]


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


def test_nodes_know_their_names_and_inputs() -> None:
    """The graph can be walked by next_functions down to the leaves."""
    x = leaf(1.0)
    node = (x * 2 + 1).grad_fn
    assert [node.name(), node.next_functions[0][0].name()] == ["AddBackward0", "MulBackward0"]
    assert node.next_functions[0][0].next_functions[0][0].variable is x


def test_a_graph_that_saved_nothing_can_be_walked_twice() -> None:
    """Addition and sums keep no values, so nothing is missing."""
    x = leaf(1.0)
    out = (x + 2).sum()
    out.backward()
    out.backward()
    assert x.grad.item() == 2.0


def test_retain_graph_defaults_to_create_graph() -> None:
    """A graph whose derivative was recorded is kept."""
    x = leaf(2.0)
    out = (x * x).sum()
    torch.autograd.grad(out, x, create_graph=True)
    assert torch.autograd.grad(out, x)[0].item() == 4.0


def test_inputs_restrict_accumulation() -> None:
    """Other leaves stay untouched; a non-leaf among the inputs keeps its gradient."""
    x, y = leaf(1.0), leaf(2.0)
    z = x * y
    (z * 3).sum().backward(inputs=[z, x])
    assert [z.grad.item(), x.grad.item(), y.grad] == [3.0, 6.0, None]


def test_batched_gradients_give_the_jacobian() -> None:
    """Each row of the weights is a vector-Jacobian product of its own."""
    x = leaf(1.0, 2.0)
    rows = torch.autograd.grad(x * x, x, torch.eye(2), is_grads_batched=True)[0]
    assert rows.tolist() == [[2.0, 0.0], [0.0, 4.0]]


def test_unused_inputs_are_none_or_zero_if_allowed() -> None:
    """What the output does not depend on has no gradient, or a zero one."""
    x, y = leaf(1.0), leaf(2.0)
    assert torch.autograd.grad(x.sum(), [x, y], allow_unused=True)[1] is None
    assert torch.autograd.grad(x.sum(), [x, y], materialize_grads=True)[1].item() == 0.0


def test_a_leaf_is_an_input_of_itself() -> None:
    """The gradient of a tensor with respect to itself is one."""
    x = leaf(5.0)
    assert torch.autograd.grad(x, x)[0].item() == 1.0


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


_CONTRADICTION: dict[str, Any] = {"materialize_grads": True, "allow_unused": False}
_REFUSALS: list[tuple[str, type[Exception], Callable[[torch.Tensor], Any]]] = [
    ("scalar outputs", RuntimeError, lambda x: (x * 2).backward()),
    ("does not require grad and does not have a grad_fn", RuntimeError, lambda x: x.detach().sum().backward()),
    ("gradients can be either Tensors or None", TypeError, lambda x: (x * 2).backward([1.0])),
    ("For complex Tensors", RuntimeError, lambda x: x.backward(torch.ones(2, dtype=torch.complex64))),
    ("real scalar outputs", RuntimeError, lambda x: (x * 1j).sum().backward()),
    ("cannot be empty", RuntimeError, lambda x: x.sum().backward(inputs=[])),
    ("have been used", RuntimeError, lambda x: torch.autograd.grad(x.sum(), leaf(1.0))),
    ("does not require grad", RuntimeError, lambda x: torch.autograd.grad(x.sum(), torch.ones(1))),
    ("tensors and 1 gradients", RuntimeError, lambda x: torch.autograd.backward([x, x], [torch.ones(2)])),
    ("batch dimension", RuntimeError, lambda x: torch.autograd.grad(x, x, torch.ones(2), is_grads_batched=True)),
    ("allow_unused to be True", ValueError, lambda x: torch.autograd.grad(x, x, **_CONTRADICTION)),
    ("floating point and complex", RuntimeError, lambda x: torch.tensor([1], requires_grad=True)),
    ("leaf variables", RuntimeError, lambda x: (x * 2).requires_grad_(False)),
    ("of size", RuntimeError, lambda x: setattr(x, "grad", torch.ones(3))),
    ("Tensor or None", TypeError, lambda x: setattr(x, "grad", 1.0)),
    ("own grad", RuntimeError, lambda x: setattr(x, "grad", x)),
    ("requires_grad=False", RuntimeError, lambda x: torch.ones(2).retain_grad()),
    ("requires grad", RuntimeError, lambda x: x.numpy()),
    ("ambiguous", RuntimeError, lambda x: bool(x)),
    ("must match the size", RuntimeError, lambda x: x + torch.ones(3)),
]  # fmt: skip


@pytest.mark.parametrize(("says", "kind", "program"), [pytest.param(*r, id=r[0]) for r in _REFUSALS])
def test_refusals_have_pytorchs_type_and_phrase(says: str, kind: type[Exception], program: Any) -> None:
    """What PyTorch refuses is refused with the same exception, and says what is wrong."""
    says = says.replace("have been used", "to not have been used")
    with pytest.raises(kind, match=says):
        program(leaf(1.0, 2.0))


def test_the_gradient_of_a_non_leaf_warns() -> None:
    """It is not kept, and reading it says so; after retain_grad it is there."""
    x = leaf(2.0)
    y = x * x
    with pytest.warns(UserWarning, match="not a leaf"):
        assert y.grad is None
    y.retain_grad()
    (y * 3).sum().backward()
    assert y.grad.item() == 3.0


def test_grad_variables_is_still_honoured() -> None:
    """The old name of grad_tensors warns and works."""
    x = leaf(2.0)
    with pytest.warns(FutureWarning):
        torch.autograd.backward(x, grad_variables=torch.tensor([5.0]))
    assert x.grad.item() == 5.0


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
