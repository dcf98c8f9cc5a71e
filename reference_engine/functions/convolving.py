"""torch.nn.functional: what looks at a window of its input at a time, and what must be put around the input for that.

A window is an index: of each place in the output, the places in the input that it looks at. So a convolution is an
index and a sum of products, and the rules of these two are all that it needs.
"""

# mypy: disable-error-code="no-any-return"

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np

from .. import primitives as o
from ..core.tensor import Tensor
from . import creation, striding
from .einsum import einsum
from .norms import vector_norm
from .ordering import max as greatest
from .shaping import flatten

Sizes = int | Sequence[int]

# Where a place outside of the input is taken from: (places, size) to places inside.
_TAKEN: Any = {
    "reflect": lambda at, size: (size - 1) - np.abs((size - 1) - np.abs(at)),
    "replicate": lambda at, size: np.clip(at, 0, size - 1),
    "circular": lambda at, size: at % size,
}


def pad(input: Tensor, pad: Sequence[int], mode: str = "constant", value: float | None = None) -> Tensor:
    """So many elements more before and after, for the last dimension first (torch.nn.functional.pad).

    They are of a value, or taken from within: mirrored, repeated from the edge, or from the other end. Negative
    numbers take elements away. RuntimeError for a pad that does not fit.
    """
    if len(pad) % 2 or len(pad) > 2 * input.ndim:
        raise RuntimeError(
            f"Padding length must be divisible by 2 and at most two times the number of dimensions, {input.ndim}; "
            f"got {len(pad)} numbers"
        )
    if mode != "constant" and mode not in _TAKEN:
        raise NotImplementedError(f"Unrecognised padding mode {mode}: say constant, reflect, replicate or circular")
    for k in range(len(pad) // 2):
        before, after = pad[2 * k : 2 * k + 2]
        if before or after:
            input = _padded(input, input.ndim - 1 - k, before, after, mode, value or 0.0)
    return input


def _padded(x: Tensor, dim: int, before: int, after: int, mode: str, value: float) -> Tensor:
    size = x.shape[dim]
    if size + before + after < 0:
        raise RuntimeError(f"a pad of {before} and {after} leaves nothing of a dimension of size {size}")
    if before < 0 or after < 0:
        x = o.slice(x, index=(slice(None),) * dim + (slice(max(-before, 0), size - max(-after, 0)),))
        size, before, after = x.shape[dim], max(before, 0), max(after, 0)
    if mode == "constant":
        parts = [_filled(x, dim, n, value) for n in (before, after)]
        return o.cat(*(p for p in (parts[0], x, parts[1]) if p is not None), dim=dim)
    most = {"reflect": size - 1, "circular": size}.get(mode)
    if most is not None and max(before, after) > most:
        raise RuntimeError(f"a {mode} pad of {before} and {after} is more than a dimension of size {size} has")
    places = _TAKEN[mode](np.arange(-before, size + after), size)
    return o.index(x, index=(slice(None),) * dim + (places,))


def _filled(x: Tensor, dim: int, count: int, value: float) -> Tensor | None:
    """So many slices of a value, to stand beside a tensor."""
    shape = (*x.shape[:dim], count, *x.shape[dim + 1 :])
    return creation.full(shape, value, dtype=x.dtype) if count > 0 else None


def _each(numbers: Sizes, count: int) -> tuple[int, ...]:
    """A number for each dimension."""
    given = (numbers,) if isinstance(numbers, int) else tuple(numbers)
    return given * count if len(given) == 1 else given


def _windows(x: Tensor, kernel: Sequence[int], stride: Sequence[int], dilation: Sequence[int]) -> Tensor:
    """Windows of the last dimensions: for these first the places of windows, then the places within each."""
    n, index = len(kernel), []
    for d, (k, step, apart) in enumerate(zip(kernel, stride, dilation, strict=True)):
        size, reach = x.shape[x.ndim - n + d], apart * (k - 1) + 1
        if size < reach or step <= 0:
            raise RuntimeError(
                f"Kernel size can't be greater than actual input size: dimension {x.ndim - n + d} has {size} elements "
                f"with its padding, and a window reaches over {reach} (stride {step})"
            )
        first = np.arange(0, size - reach + 1, step)
        places = first[:, None] + apart * np.arange(k)
        index.append(places.reshape([places.shape[int(i >= n)] if i % n == d else 1 for i in range(2 * n)]))
    return o.index(x, index=(slice(None),) * (x.ndim - n) + tuple(index))


def _around(input: Tensor, padding: Any, kernel: Sequence[int], dilation: Sequence[int]) -> Tensor:
    """The input with zeros around it, as many as said in numbers or by name."""
    n = len(kernel)
    if padding == "same":
        missing = [apart * (k - 1) for k, apart in zip(kernel, dilation, strict=True)]
        return pad(input, [part for m in reversed(missing) for part in (m // 2, m - m // 2)])
    return pad(input, [p for p in reversed(_each(0 if padding == "valid" else padding, n)) for _ in range(2)])


def _convolved(
    n: int, input: Tensor, weight: Tensor, bias: Any, stride: Sizes, padding: Any, dilation: Sizes, groups: int
) -> Tensor:
    """The sum of products of each window with each filter; of n dimensions."""
    if input.ndim == n + 1:
        return o.squeeze(
            _convolved(n, o.unsqueeze(input, dim=0), weight, bias, stride, padding, dilation, groups), dim=(0,)
        )
    filters, per_group, *kernel = weight.shape
    if input.ndim != n + 2 or len(kernel) != n or input.shape[1] != per_group * groups or filters % groups:
        raise RuntimeError(
            f"Given groups={groups}, weight of size {list(weight.shape)}, expected input to have {per_group * groups} "
            f"channels and {n} more dimensions, but got input of size {list(input.shape)} instead"
        )
    steps, apart = _each(stride, n), _each(dilation, n)
    if padding == "same" and set(steps) != {1}:
        raise RuntimeError("padding='same' is not supported for strided convolutions: give numbers instead")
    seen = _windows(_around(input, padding, kernel, apart), kernel, steps, apart)
    count, _, *places = seen.shape
    places = places[:n]
    seen = o.reshape(seen, shape=(count, groups, per_group, *places, *kernel))
    sets = o.reshape(weight, shape=(groups, filters // groups, per_group, *kernel))
    out, inside = "xyz"[:n], "uvw"[:n]
    result = einsum(f"bgc{out}{inside},gfc{inside}->bgf{out}", seen, sets)
    result = o.reshape(result, shape=(count, filters, *places))
    return result if bias is None else o.add(result, o.reshape(bias, shape=(filters, *[1] * n)))


def conv1d(
    input: Tensor, weight: Tensor, bias: Tensor | None = None, stride: Sizes = 1, padding: Any = 0,
    dilation: Sizes = 1, groups: int = 1,
) -> Tensor:  # fmt: skip
    """Filters slid along one dimension (torch.nn.functional.conv1d). RuntimeError for sizes that do not fit."""
    return _convolved(1, input, weight, bias, stride, padding, dilation, groups)


def conv2d(
    input: Tensor, weight: Tensor, bias: Tensor | None = None, stride: Sizes = 1, padding: Any = 0,
    dilation: Sizes = 1, groups: int = 1,
) -> Tensor:  # fmt: skip
    """Filters slid over an image (torch.nn.functional.conv2d). RuntimeError for sizes that do not fit."""
    return _convolved(2, input, weight, bias, stride, padding, dilation, groups)


def unfold(input: Tensor, kernel_size: Sizes, dilation: Sizes = 1, padding: Sizes = 0, stride: Sizes = 1) -> Tensor:
    """The windows of an image as columns (torch.nn.functional.unfold)."""
    if input.ndim == 3:
        return o.squeeze(unfold(o.unsqueeze(input, dim=0), kernel_size, dilation, padding, stride), dim=(0,))
    kernel, apart = _each(kernel_size, 2), _each(dilation, 2)
    seen = _windows(_around(input, padding, kernel, apart), kernel, _each(stride, 2), apart)
    columns = o.permute(seen, dims=(0, 1, 4, 5, 2, 3))
    count, channels, k, m, *places = columns.shape
    return o.reshape(columns, shape=(count, channels * k * m, places[0] * places[1]))


def _pooled(n: int, input: Tensor, kernel_size: Sizes, stride: Sizes | None, padding: Sizes, dilation: Sizes) -> Tensor:
    kernel = _each(kernel_size, n)
    steps = kernel if stride is None else _each(stride, n)
    lowest = [p for p in reversed(_each(padding, n)) for _ in range(2)]
    seen = _windows(pad(input, lowest, value=float("-inf")), kernel, steps, _each(dilation, n))
    return greatest(flatten(seen, seen.ndim - n, -1), -1)[0]


def max_pool1d(
    input: Tensor, kernel_size: Sizes, stride: Sizes | None = None, padding: Sizes = 0, dilation: Sizes = 1
) -> Tensor:
    """The greatest of each window; the gradient goes to the first of equal ones (torch.nn.functional.max_pool1d)."""
    return _pooled(1, input, kernel_size, stride, padding, dilation)


def max_pool2d(
    input: Tensor, kernel_size: Sizes, stride: Sizes | None = None, padding: Sizes = 0, dilation: Sizes = 1
) -> Tensor:
    """The greatest of each window; the gradient goes to the first of equal ones (torch.nn.functional.max_pool2d)."""
    return _pooled(2, input, kernel_size, stride, padding, dilation)


def lp_pool1d(input: Tensor, norm_type: float, kernel_size: int, stride: int | None = None) -> Tensor:
    """The p-norm of each window along the last dimension, with gradient zero where it is zero.

    Source: torch.nn.functional.lp_pool1d, of numbers that are not negative.
    """
    return vector_norm(striding.unfold(input, -1, kernel_size, stride or kernel_size), norm_type, -1)
