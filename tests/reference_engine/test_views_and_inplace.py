"""Views, versions and in-place operations: histories stay true, and what would be wrong is refused."""

from __future__ import annotations

from typing import Any

import pytest

import reference_engine as torch


def leaf(*values: float) -> torch.Tensor:
    """A leaf of the given values."""
    return torch.tensor(list(values), requires_grad=True)


def test_a_view_shares_memory_and_version() -> None:
    """Writing to either is seen through both."""
    a = torch.zeros(2, 2)
    v = a[0]
    v.add_(1)
    assert a.tolist() == [[1.0, 1.0], [0.0, 0.0]]
    assert a._version == v._version == 1
    assert v._base is a


def test_writing_through_a_view_rewrites_the_bases_history() -> None:
    """The base becomes the result of CopySlices, and other views notice."""
    x = leaf(1.0, 2.0, 3.0)
    y = x * 1
    other = y.view(3, 1)
    y[1:].mul_(10)
    assert y.grad_fn.name() == "torch::autograd::CopySlices"
    other.sum().backward()
    assert x.grad.tolist() == [1.0, 10.0, 10.0]


def test_views_of_transposed_memory_find_their_region() -> None:
    """A region is described in memory, whatever chain of views led there."""
    x = torch.ones(2, 3, requires_grad=True)
    y = x * 1
    y.t()[1:, 0].mul_(5)
    y.sum().backward()
    assert x.grad.tolist() == [[1.0, 5.0, 5.0], [1.0, 1.0, 1.0]]


def test_filling_zeros_keeps_the_graph() -> None:
    """Elements assigned to a plain tensor carry their histories."""
    x = leaf(1.0, 2.0)
    a = torch.zeros(2)
    a[0], a[1] = x[0] * 2, x[1] ** 2
    a.sum().backward()
    assert x.grad.tolist() == [2.0, 4.0]


def test_advanced_assignment_gives_duplicates_the_gradient() -> None:
    """Every value written to an index receives its gradient, as PyTorch's reverse mode has it."""
    x = leaf(1.0, 2.0)
    y = torch.zeros(3)
    y[torch.tensor([0, 0])] = x
    y.sum().backward()
    assert x.grad.tolist() == [1.0, 1.0]


def test_a_value_changed_after_it_was_saved_is_refused() -> None:
    """The version tells, also through detach(); .data hides the change."""
    x = leaf(2.0)
    y = x * 1
    z = y * y
    y.detach().add_(1)
    with pytest.raises(RuntimeError, match="is at version 1; expected version 0"):
        z.sum().backward()


def test_a_change_through_data_is_not_seen() -> None:
    """The gradient is silently that of the new value."""
    x = leaf(2.0)
    z = x * x
    x.data.add_(1)
    z.sum().backward()
    assert x.grad.item() == 6.0


def test_values_no_rule_needs_may_change() -> None:
    """exp needs its result only, so its argument may be changed, but not its result."""
    x = leaf(0.0)
    y = x * 1
    z = y.exp()
    y.add_(1)
    z.sum().backward()
    assert x.grad.item() == 1.0
    w = (x * 1).exp_()
    out = w * 1
    w.add_(1)
    with pytest.raises(RuntimeError, match="version 2; expected version 1"):
        out.sum().backward()


def test_an_inplace_operation_may_save_its_own_target() -> None:
    """What it needs of the old contents is kept aside."""
    x = leaf(3.0)
    y = x * 1
    y.pow_(2)
    y.sum().backward()
    assert x.grad.item() == 6.0


def test_kept_gradients_follow_an_inplace_change() -> None:
    """retain_grad keeps the gradient of the tensor as it is at the end."""
    x = leaf(1.0)
    y = x * 2
    y.retain_grad()
    y.mul_(3)
    y.sum().backward()
    assert [y.grad.item(), x.grad.item()] == [1.0, 6.0]


_REFUSED: list[tuple[str, Any]] = [
    ("a leaf Variable that requires grad", lambda x: x.add_(1)),
    ("a view of a leaf Variable that requires grad", lambda x: x[0].add_(1)),
    ("a view of a leaf Variable that requires grad", lambda x: x.__setitem__(0, 1.0)),
    ("returns multiple views", lambda x: (x * 1).unbind()[0].add_(1)),
    ("single memory location", lambda x: torch.ones(1).expand(2).add_(1)),
    ("can't be cast", lambda x: torch.arange(2).add_(1.5)),
    ("doesn't match the broadcast shape", lambda x: torch.ones(2).add_(torch.ones(2, 2))),
    ("Can't detach views", lambda x: (x * 1)[0].detach_()),
]


@pytest.mark.parametrize(("says", "program"), _REFUSED)
def test_impossible_changes_are_refused(says: str, program: Any) -> None:
    """Nothing is written when a change is refused."""
    x = leaf(1.0, 2.0)
    with pytest.raises(RuntimeError, match=says):
        program(x)
    assert x.tolist() == [1.0, 2.0]


def test_a_view_made_under_no_grad_is_not_changed_while_recording() -> None:
    """Whether the change should be recorded would be ambiguous."""
    x = leaf(1.0, 2.0) * 1
    with torch.no_grad():
        v = x[:1]
    with pytest.raises(RuntimeError, match="created in no_grad mode"):
        v.add_(1)


def test_parameters_are_updated_under_no_grad() -> None:
    """A leaf may be changed where nothing is recorded, and stays a leaf."""
    x = leaf(2.0)
    with torch.no_grad():
        x -= x * 2
    assert x.tolist() == [-2.0]
    assert x.is_leaf
    assert x.requires_grad
