"""torch.autograd.forward_ad: forward mode by dual numbers, pairs of a tensor and its tangent.

Inside `dual_level` a dual tensor goes through the same operations as any other, and the table of rules carries its
tangent along (notes: torch.autograd.forward_ad; tutorial, Forward-mode Automatic Differentiation).
"""

# mypy: disable-error-code="no-any-return"

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from typing import NamedTuple

from .. import primitives as o
from ..core import levels
from ..core.forward import push_forward
from ..core.tensor import Tensor
from ..functions.call_forms import tensor_argument
from ..functions.creation import empty_like

# The levels at which dual tensors are made and unpacked, the innermost last: that of `dual_level`, and of Jacobians in
# forward mode, of which there may be several.
_current: list[int] = []
_dual_levels: list[int] = []


class UnpackedDualTensor(NamedTuple):
    """The result of `unpack_dual`: the primal, and the tangent or None."""

    primal: Tensor
    tangent: Tensor | None


class dual_level:
    """A block in which dual tensors can be made; tangents do not outlive it (torch.autograd.forward_ad.dual_level).

    RuntimeError when nested.
    """

    def __enter__(self) -> int:
        return enter_dual_level()

    def __exit__(self, *error: object) -> None:
        exit_dual_level()


def enter_dual_level() -> int:
    """Open the level; RuntimeError if it is open (torch.autograd.forward_ad.enter_dual_level)."""
    # Forward mode of PyTorch has a single level; nested Jacobians use `level_of_columns`.
    if _dual_levels:
        raise RuntimeError("Nested forward mode AD is not supported at the moment: leave the dual_level first")
    _dual_levels.append(levels.enter(push_forward))
    _current.append(_dual_levels[-1])
    return 0


def exit_dual_level(*, level: int | None = None) -> None:
    """Close the level; RuntimeError if it is not the open level (torch.autograd.forward_ad.exit_dual_level)."""
    if not _dual_levels or level not in (None, 0):
        raise RuntimeError("Trying to exit a forward AD level that was not entered")
    _current.remove(_dual_levels[-1])
    levels.leave(_dual_levels.pop())


@contextmanager
def level_of_columns() -> Iterator[int]:
    """A block at a new level, for a Jacobian in forward mode."""
    level = levels.enter(push_forward)
    # make_dual and unpack_dual within the function mean this level.
    _current.append(level)
    try:
        yield level
    finally:
        _current.remove(level)
        levels.leave(level)


def make_dual(tensor: Tensor, tangent: Tensor, *, level: int | None = None) -> Tensor:
    """A view of the tensor that carries the tangent, of the same shape (torch.autograd.forward_ad.make_dual).

    RuntimeError outside a level, for another shape, or if it carries a tangent; ValueError for integers.
    """
    if not _current:
        raise RuntimeError(
            "Trying to create a dual Tensor for forward AD but no level exists, make sure to enter_dual_level() first."
        )
    for name, value in (("primal", tensor), ("tangent", tangent)):
        check_differentiable(name, tensor_argument("make_dual", value, name))
    if tensor.array.shape != tangent.array.shape:
        raise RuntimeError(
            "Trying to set a forward gradient that has a different size than that of the original Tensor: "
            f"the tensor has shape {list(tensor.shape)}, the tangent {list(tangent.shape)}"
        )
    if levels.tangent(tensor, _current[-1]) is not None:
        raise RuntimeError(
            "Making a dual Tensor based on a Tensor that already has a forward gradient at the same level is not "
            "supported: unpack_dual() it first"
        )
    if levels.tangent(tangent, _current[-1]) is not None:
        raise RuntimeError(
            "Setting a forward grad that itself has a forward gradient at the same level is not supported: "
            "unpack_dual() it first"
        )
    # A view, so that a write to the dual tensor shows in the primal, as in PyTorch.
    dual = o.alias(tensor)
    levels.attach(dual, _current[-1], laid_out_as(tensor, tangent))
    return dual


def check_differentiable(name: str, value: Tensor) -> None:
    """ValueError, with the name of the part, unless the tensor's numbers are real or complex."""
    if not value.dtype.differentiable:
        raise ValueError(f"Expected {name} to be floating point or complex, but got: {value.dtype}")


def laid_out_as(tensor: Tensor, tangent: Tensor) -> Tensor:
    """The tangent itself, or a copy of it in the primal's order in memory if its own is another."""
    if tangent.stride() == tensor.stride():
        return tangent
    return empty_like(tensor, dtype=tangent.dtype).copy_(tangent)


def unpack_dual(tensor: Tensor, *, level: int | None = None) -> UnpackedDualTensor:
    """The primal and the tangent; None for a tensor that carries none (torch.autograd.forward_ad.unpack_dual)."""
    t = levels.tangent(tensor, _current[-1]) if _current else None
    if t is None:
        return UnpackedDualTensor(tensor, None)
    # The view drops the tangent of this level, and keeps those of outer ones.
    return UnpackedDualTensor(o.alias(levels.primal(tensor, _current[-1])), t)
