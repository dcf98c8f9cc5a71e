"""Looking at memory in any steps, and copies in which such a look is replaced by other values."""

# mypy: disable-error-code="no-any-return"

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np

from .. import primitives as o
from ..batching.batched import Batched
from ..core.aliases import Array
from ..core.inplace import inplace
from ..core.regions import Steps, address
from ..core.tensor import Tensor
from .call_forms import one_dim


def strided(x: Tensor, size: Sequence[int], stride: Sequence[int], start: int) -> Tensor:
    """The view of x's memory in the given steps, from `start` elements after x's first."""
    return _strided(x, x.array, size, stride, start)


def _strided(x: Tensor, layout: Array, size: Sequence[int], stride: Sequence[int], start: int) -> Tensor:
    return o.as_strided(x, steps=Steps.of(layout, tuple(size), tuple(stride), start))


def as_strided(input: Tensor, size: Any, stride: Any, storage_offset: int | None = None) -> Tensor:
    """A view in any steps through the memory, elements perhaps named several times (torch.as_strided).

    The gradient adds up what was named several times; memory that is not the input's own gets none. RuntimeError if
    the steps leave the memory.
    """
    if isinstance(input, Batched):
        plain = np.empty(input.array.shape, input.array.dtype)
        if input.array.strides != plain.strides:
            # Between the elements of an example are those of others, which are none of its memory.
            return _strided(input, plain, size, stride, storage_offset or 0)
    # PyTorch counts the offset from the start of the memory, primitives from the first element.
    start = 0 if storage_offset is None else storage_offset - _offset(input)
    return strided(input, size, stride, start)


def _offset(x: Tensor) -> int:
    """Where in the memory that it looks at the first element is, in elements."""
    base = x.array if x.link is None else x.link.base.array
    return int((address(x.array) - address(base)) // x.array.itemsize)


def unfold(input: Tensor, dimension: int, size: int, step: int) -> Tensor:
    """All stretches of a size along a dimension, a step apart, in a new last dimension, a view (torch.Tensor.unfold).

    RuntimeError for a size that does not fit, or a step that is not positive.
    """
    dim, room = one_dim(input.ndim, dimension), input.shape[dimension] if input.ndim else 0
    if not 0 <= size <= room or step <= 0:
        raise RuntimeError(
            f"unfold: size {size} (at most {room}) and step {step} (at least 1) do not fit the dimension"
        )
    shape, steps = list(input.shape), [s // input.array.itemsize for s in input.array.strides]
    counted = [*shape[:dim], (room - size) // step + 1, *shape[dim + 1 :], size]
    return strided(input, counted, [*steps[:dim], steps[dim] * step, *steps[dim + 1 :], steps[dim]], 0)


def slice_scatter(
    input: Tensor, src: Tensor, dim: int = 0, start: int | None = None, end: int | None = None, step: int = 1
) -> Tensor:
    """A copy with some slices along a dimension replaced (torch.slice_scatter)."""
    # Out of place by an in-place write to a copy, so that the history is that of any view.
    made = o.clone(input)
    part = o.slice(made, index=(slice(None),) * one_dim(input.ndim, dim) + (slice(start, end, step),))
    inplace(part, o.overwrite, part, src)
    return made


def max_pool1d(
    input: Tensor,
    kernel_size: int,
    stride: int | None = None,
    padding: int = 0,
    dilation: int = 1,
    ceil_mode: bool = False,
) -> Tensor:
    """The maximum of each window along the last dimension; ties share the gradient equally, which PyTorch's do not."""
    length, step = input.shape[-1], stride or kernel_size
    room = length + 2 * padding - dilation * (kernel_size - 1) - 1
    count = (room + step - 1 if ceil_mode else room) // step + 1
    count -= (count - 1) * step >= length + padding  # no window begins behind the input
    at = np.arange(count)[:, None] * step - padding + np.arange(kernel_size) * dilation
    # Places outside the input are clipped to it, and masked in the next line.
    windows = input[..., np.clip(at, 0, length - 1)]
    return o.amax(o.where((at >= 0) & (at < length), windows, -np.inf), dim=input.ndim, keepdim=False)
