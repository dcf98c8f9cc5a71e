"""Convolution and pooling: what looks at one window of its input after another (torch.nn.functional).

A window is an index: for each place in the output, the places in the input that it looks at. So a convolution is an
index and a sum of products, and the rules of these two are all that it needs.
"""

# mypy: disable-error-code="no-any-return"

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np

from .. import primitives as o
from ..core.tensor import Tensor
from .einsum import einsum
from .norms import vector_norm
from .ordering import max as greatest
from .shaping import flatten
from .striding import unfold

Sizes = int | Sequence[int]


def pad(input: Tensor, pad: Sequence[int], mode: str = "constant", value: float = 0.0) -> Tensor:
    """Put `pad[0]` values before and `pad[1]` after the last dimension, and so on backward (torch.nn.functional.pad).

    RuntimeError for a pad that is negative or does not fit, NotImplementedError for a mode other than "constant".
    """
    if mode != "constant":
        raise NotImplementedError(f"pad: this engine pads with a constant only, but got mode {mode!r}")
    if len(pad) % 2 or len(pad) > 2 * input.ndim or min(pad, default=0) < 0:
        raise RuntimeError(f"pad: expected up to {input.ndim} pairs of numbers, none negative, but got {list(pad)}")
    shape, index = list(input.shape), [slice(0, n) for n in input.shape]
    for d, before, after in zip(range(input.ndim - 1, -1, -1), pad[::2], pad[1::2], strict=False):
        index[d] = slice(before, before + shape[d])
        shape[d] += before + after
    placed = o.embed(input, index=tuple(index), shape=tuple(shape))
    inside = np.zeros(shape, bool)
    inside[tuple(index)] = True
    return o.where(Tensor.of(inside), placed, value) if value else placed


def _each(numbers: Sizes, count: int) -> tuple[int, ...]:
    """A number for each dimension."""
    return (numbers,) * count if isinstance(numbers, int) else tuple(numbers)


def _padded(x: Tensor, padding: Sizes, n: int, value: float = 0.0) -> Tensor:
    """The same padding before and after each of the last n dimensions."""
    return pad(x, [p for p in reversed(_each(padding, n)) for _ in range(2)], value=value)


def _windows(x: Tensor, kernel: Sequence[int], stride: Sequence[int], dilation: Sequence[int]) -> Tensor:
    """Windows of the last dimensions: for these first the places of windows, then the places within each."""
    n, index = len(kernel), []
    for d, (k, step, apart) in enumerate(zip(kernel, stride, dilation, strict=True)):
        size, reach = x.shape[x.ndim - n + d], apart * (k - 1) + 1
        if size < reach:
            raise RuntimeError(f"Kernel size can't be greater than actual input size: it is {reach}, the input {size}")
        places = np.arange(0, size - reach + 1, step)[:, None] + apart * np.arange(k)
        index.append(places.reshape([places.shape[int(i >= n)] if i % n == d else 1 for i in range(2 * n)]))
    return o.index(x, index=(slice(None),) * (x.ndim - n) + tuple(index))


def _convolved(
    n: int, input: Tensor, weight: Tensor, bias: Any, stride: Sizes, padding: Sizes, dilation: Sizes, groups: int
) -> Tensor:
    """The sum of products of each window with each filter, over n dimensions."""
    filters, per_group, *kernel = weight.shape
    if input.ndim != n + 2 or len(kernel) != n or input.shape[1] != per_group * groups or filters % groups:
        raise RuntimeError(
            f"Given groups={groups}, weight of size {list(weight.shape)}, expected input to have {per_group * groups} "
            f"channels and {n} more dimensions, but got input of size {list(input.shape)} instead"
        )
    seen = _windows(_padded(input, padding, n), kernel, _each(stride, n), _each(dilation, n))
    count, _, *places = seen.shape
    seen = o.reshape(seen, shape=(count, groups, per_group, *places))
    sets = o.reshape(weight, shape=(groups, filters // groups, per_group, *kernel))
    out, inside = "xyz"[:n], "uvw"[:n]
    result = einsum(f"bgc{out}{inside},gfc{inside}->bgf{out}", seen, sets)
    result = o.reshape(result, shape=(count, filters, *places[:n]))
    return result if bias is None else o.add(result, o.reshape(bias, shape=(filters, *[1] * n)))


def conv1d(
    input: Tensor, weight: Tensor, bias: Tensor | None = None, stride: Sizes = 1, padding: Sizes = 0,
    dilation: Sizes = 1, groups: int = 1,
) -> Tensor:  # fmt: skip
    """Filters slid along one dimension (torch.nn.functional.conv1d). RuntimeError for sizes that do not fit."""
    return _convolved(1, input, weight, bias, stride, padding, dilation, groups)


def conv2d(
    input: Tensor, weight: Tensor, bias: Tensor | None = None, stride: Sizes = 1, padding: Sizes = 0,
    dilation: Sizes = 1, groups: int = 1,
) -> Tensor:  # fmt: skip
    """Filters slid over an image (torch.nn.functional.conv2d). RuntimeError for sizes that do not fit."""
    return _convolved(2, input, weight, bias, stride, padding, dilation, groups)


def max_pool1d(input: Tensor, kernel_size: Sizes, stride: Sizes | None = None, padding: Sizes = 0) -> Tensor:
    """The greatest of each window; the gradient goes to the first of equal ones (torch.nn.functional.max_pool1d)."""
    return _pooled(1, input, kernel_size, stride, padding)


def max_pool2d(input: Tensor, kernel_size: Sizes, stride: Sizes | None = None, padding: Sizes = 0) -> Tensor:
    """The greatest of each window; the gradient goes to the first of equal ones (torch.nn.functional.max_pool2d)."""
    return _pooled(2, input, kernel_size, stride, padding)


def _pooled(n: int, input: Tensor, kernel_size: Sizes, stride: Sizes | None, padding: Sizes) -> Tensor:
    kernel = _each(kernel_size, n)
    lowest = _padded(input, padding, n, float("-inf"))
    seen = _windows(lowest, kernel, kernel if stride is None else _each(stride, n), (1,) * n)
    return greatest(flatten(seen, seen.ndim - n, -1), -1).values


def lp_pool1d(input: Tensor, norm_type: float, kernel_size: int, stride: int | None = None) -> Tensor:
    """The p-norm of each window along the last dimension, with gradient zero where it is zero.

    Source: torch.nn.functional.lp_pool1d, of numbers that are not negative.
    """
    return vector_norm(unfold(input, -1, kernel_size, stride or kernel_size), norm_type, -1)
