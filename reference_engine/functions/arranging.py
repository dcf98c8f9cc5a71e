"""Arrangements of elements that are several steps of `shaping`: repeating, joining, turning, diagonals."""

# mypy: disable-error-code="no-any-return"

from __future__ import annotations

import itertools
import math
from collections.abc import Sequence
from typing import Any

import numpy as np

from .. import primitives as o
from ..core.tensor import Tensor
from .calling import one_dim, sizes
from .shaping import expand, narrow, permute, reshape, transpose


def movedim(input: Tensor, source: Any, destination: Any) -> Tensor:
    """Dimensions moved to other places, the rest in their order, a view (torch.movedim)."""
    given = [(v,) if isinstance(v, int) else tuple(v) for v in (source, destination)]
    old, new = ([one_dim(input.ndim, d) for d in v] for v in given)
    if len(old) != len(new) or len({*old}) < len(old) or len({*new}) < len(new):
        raise RuntimeError(f"movedim: source {given[0]} and destination {given[1]} must name as many dimensions, once")
    rest = iter([d for d in range(input.ndim) if d not in old])
    places = dict(zip(new, old, strict=True))
    return permute(input, tuple(places[d] if d in places else next(rest) for d in range(input.ndim)))


def ravel(input: Tensor) -> Tensor:
    """All elements in one dimension (torch.ravel)."""
    return reshape(input, -1)


def unflatten(input: Tensor, dim: int, sizes: Sequence[int]) -> Tensor:
    """A dimension made several (torch.unflatten)."""
    dim = one_dim(input.ndim, dim)
    if -1 in sizes:
        # What is left of this dimension, which its own size tells even if another has none.
        rest = -math.prod(sizes)
        sizes = [input.shape[dim] // rest if n == -1 and rest else n for n in sizes]
    return reshape(input, (*input.shape[:dim], *sizes, *input.shape[dim + 1 :]))


def repeat(input: Tensor, *repeats: Any) -> Tensor:
    """Tile `repeats[i]` times along dimension i, new dimensions in front (torch.Tensor.repeat)."""
    times = sizes(repeats)
    if len(times) < input.ndim:
        raise RuntimeError(
            f"Number of dimensions of repeat dims {len(times)} can not be smaller than those of the tensor {input.ndim}"
        )
    shape = (1,) * (len(times) - input.ndim) + tuple(input.shape)
    apart = reshape(input, tuple(size for n in shape for size in (1, n)))
    spread = expand(apart, tuple(size for r, n in zip(times, shape, strict=True) for size in (r, n)))
    return o.clone(reshape(spread, tuple(r * n for r, n in zip(times, shape, strict=True))))


def tile(input: Tensor, *dims: Any) -> Tensor:
    """`repeat`, with ones for dimensions that are not named (torch.tile)."""
    times = sizes(dims)
    return repeat(input, (1,) * (input.ndim - len(times)) + times)


def diag_embed(input: Tensor, offset: int = 0, dim1: int = -2, dim2: int = -1) -> Tensor:
    """Matrices of zeros with the last dimension as their diagonal (torch.diag_embed)."""
    n, ndim = input.shape[-1] + abs(offset), input.ndim + 1
    first, second = one_dim(ndim, dim1), one_dim(ndim, dim2)
    rest = iter(input.shape[:-1])
    shape = tuple(n if d in (first, second) else next(rest) for d in range(ndim))
    return o.diagonal_backward(input, offset=offset, dim1=first, dim2=second, shape=shape)


def diag(input: Tensor, diagonal: int = 0) -> Tensor:
    """The diagonal of a matrix as a copy, or a matrix with a vector as its diagonal (torch.diag)."""
    if input.ndim not in (1, 2):
        raise RuntimeError(f"diag(): Supports 1D or 2D tensors. Got {input.ndim}D")
    if input.ndim == 1:
        return diag_embed(input, diagonal)
    return o.clone(o.diagonal(input, offset=diagonal, dim1=0, dim2=1))


def diff(input: Tensor, n: int = 1, dim: int = -1) -> Tensor:
    """The n-th differences of neighbours along a dimension (torch.diff)."""
    if not input.ndim:
        raise RuntimeError("diff expects input to be at least one-dimensional, but got a scalar")
    front = (slice(None),) * one_dim(input.ndim, dim)
    for _ in range(n):
        later, earlier = (o.slice(input, index=(*front, part)) for part in (slice(1, None), slice(None, -1)))
        input = o.logical_xor(later, earlier) if input.array.dtype.kind == "b" else o.sub(later, earlier)
    return input


def broadcast_tensors(*tensors: Tensor) -> tuple[Tensor, ...]:
    """Views of one shape, to which all broadcast (torch.broadcast_tensors)."""
    try:
        shape = np.broadcast_shapes(*(x.array.shape for x in tensors))
    except ValueError as error:
        raise RuntimeError(f"Shape mismatch: objects cannot be broadcast to a single shape: {error}") from None
    return tuple(expand(x, shape) for x in tensors)


def meshgrid(*tensors: Any, indexing: str = "ij") -> tuple[Tensor, ...]:
    """Vectors spread over the grid that they span; "xy" exchanges the first two dimensions (torch.meshgrid)."""
    vectors = list(tensors[0]) if isinstance(tensors[0], (list, tuple)) else list(tensors)
    for v in vectors:
        if v.ndim > 1:
            raise RuntimeError(f"meshgrid: expected 0D or 1D tensors, but got one of shape {list(v.shape)}")
    n, shape = len(vectors), tuple(v.numel() for v in vectors)
    grids = [expand(reshape(v, tuple(-1 if d == i else 1 for d in range(n))), shape) for i, v in enumerate(vectors)]
    return tuple(transpose(g, 0, 1) if indexing == "xy" and n > 1 else g for g in grids)


def tensor_split(input: Tensor, sections: int, dim: int = 0) -> tuple[Tensor, ...]:
    """`sections` pieces, the first ones larger, each a separate view (torch.tensor_split)."""
    dim = one_dim(input.ndim, dim)
    each, larger = divmod(input.shape[dim], sections)
    cuts = [i * each + min(i, larger) for i in range(sections + 1)]
    return tuple(narrow(input, dim, a, b - a) for a, b in itertools.pairwise(cuts))
