"""Views: tensors that share memory, and what that means for their histories.

A view and its base share a version counter, so writing to one is seen by whoever saved the other. They must also
agree on history: after ``v.mul_(2)`` the *base* has changed, so the base's history is rewritten to "what it was,
with the region that v looks at replaced" (the node CopySlices), and every view of it, v included, is from then on
a region of the new base (notes/autograd, In-place operations; Tensor Views).

Where a view looks is a `Region`: an offset and strides in its base's memory, whatever chain of slices and transposes
led there. Views other than the one written to notice the change by the version, when next asked for their history.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import Any, NamedTuple

import numpy as np

from .. import primitives as o
from .batched import memory
from .modes import enable_grad, state
from .nodes import note
from .tape import Node
from .tensor import Tensor


class Region(NamedTuple):
    """Which elements of a base a view consists of: byte offset, shape, strides and type within the base's memory."""

    base_shape: tuple[int, ...]
    base_strides: tuple[int, ...]
    base_dtype: Any
    offset: int
    shape: tuple[int, ...]
    strides: tuple[int, ...]
    dtype: Any

    @staticmethod
    def between(base: Any, view: Any) -> Region:
        """The region of the array `base` that the array `view` looks at."""
        offset = _address(view) - _address(base)
        return Region(base.shape, base.strides, base.dtype, offset, view.shape, view.strides, view.dtype)

    def spread(self, values: Any) -> Any:
        """A copy of `values`, which has the base's shape, laid out in memory exactly as the base is."""
        extent = (
            sum(s * (n - 1) for s, n in zip(self.base_strides, self.base_shape, strict=False))
            + self.base_dtype.itemsize
        )
        copy = np.ndarray(self.base_shape, self.base_dtype, bytearray(extent), 0, self.base_strides)
        copy[...] = values
        return copy

    def look(self, memory: Any) -> Any:
        """The view of an array that is laid out as the base is."""
        buffer = memory if memory.base is None else memory.base
        return np.ndarray(self.shape, self.dtype, buffer, self.offset, self.strides)

    def in_each(self, count: int) -> Region:
        """The same region in each of several bases, one after another in memory; RuntimeError if they cannot be so."""
        step = math.prod(self.base_shape) * self.base_dtype.itemsize
        steps = np.empty(self.base_shape, self.base_dtype).strides
        if self.base_strides != steps:
            raise RuntimeError("vmap: in-place writing through a view of a tensor that is not contiguous: clone() it")
        base_shape, base_strides = (count, *self.base_shape), (step, *steps)
        shape, strides = (count, *self.shape), (step, *self.strides)
        return Region(base_shape, base_strides, self.base_dtype, self.offset, shape, strides, self.dtype)


def _address(array: Any) -> int:
    """Where an array begins in memory; of a batch, where its first example does."""
    return int(getattr(array, "memory", array).__array_interface__["data"][0])


class ViewLink:
    """What ties a view to its base."""

    def __init__(self, base: Tensor, seen: int, recorded: bool) -> None:
        self.base = base
        self.seen = seen
        self.recorded = recorded
        self.one_of_many: str | None = None

    def region(self, view: Tensor) -> Region:
        """Where in the base the view looks."""
        return Region.between(self.base.array, view.array)

    def refresh(self, view: Tensor) -> None:
        """If the shared memory was written to since, derive the view's history from the base's present one."""
        if self.seen == view.version.value or not self.recorded:
            return
        self.seen = view.version.value
        if self.base.requires_grad:
            rebuild(view)


def relate(view: Tensor, args: Sequence[Any]) -> None:
    """Make the result of a view operation a view of its argument's base, if it does share memory."""
    source = args[0]
    if not np.may_share_memory(memory(view), memory(source)):
        return
    base = source if source.link is None else source.link.base
    recorded = state.grad and (source.link is None or source.link.recorded)
    view.version, view.inference = source.version, source.inference
    view.link = ViewLink(base, view.version.value, recorded)


def rebuild(view: Tensor) -> None:
    """Give a view the history "this region of the base as it is now"."""
    with enable_grad():
        note(o.region, (view.link.base,), {"region": view.link.region(view)}, view)


def replace_region(view: Tensor, part: Any) -> Node | None:
    """Rewrite the base's history after `part` was written into the view."""
    base = view.link.base
    node = note(o.replace, (base, part), {"region": view.link.region(view)}, base)
    view.link.seen = view.version.value
    if node is not None:
        base._requires_grad = False
        rebuild(view)
    return node
