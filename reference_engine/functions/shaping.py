"""Functions that move elements: reshape, permute, expand, join, take apart."""

# mypy: disable-error-code="no-any-return"

from __future__ import annotations

import itertools
from collections.abc import Sequence
from typing import Any

import numpy as np

from .. import primitives as o
from ..core.tensor import Tensor
from .call_forms import one_dim, sizes


def reshape(input: Tensor, *shape: Any) -> Tensor:
    """The same elements in another shape, a view if memory allows; a size may be -1 (torch.reshape).

    RuntimeError if the number of elements differs.
    """
    return o.reshape(input, shape=_whole_shape(input, sizes(shape)))


def view(input: Tensor, *shape: Any) -> Tensor:
    """The same memory in another shape; RuntimeError if memory does not allow it (torch.Tensor.view)."""
    return o.view(input, shape=_whole_shape(input, sizes(shape)))


def _whole_shape(x: Tensor, wanted: tuple[int, ...]) -> tuple[int, ...]:
    """The shape with -1 worked out."""
    # NumPy works out -1, on an array without memory.
    try:
        return np.broadcast_to(0, x.shape).reshape(wanted).shape
    except ValueError:
        raise RuntimeError(f"shape '{list(wanted)}' is invalid for input of size {x.numel()}") from None


def permute(input: Tensor, *dims: Any) -> Tensor:
    """Dimensions in another order, a view (torch.permute)."""
    given = sizes(dims)
    # A wrong number of dimensions is left to the primitive, which raises the error.
    order = tuple(one_dim(input.ndim, d) for d in given) if len(given) == input.ndim else given
    return o.permute(input, dims=order)


def transpose(input: Tensor, dim0: int, dim1: int) -> Tensor:
    """Two dimensions exchanged, a view (torch.transpose)."""
    first, second = one_dim(input.ndim, dim0), one_dim(input.ndim, dim1)
    return o.transpose(input, dim0=first, dim1=second) if input.ndim else o.alias(input)


def t(input: Tensor) -> Tensor:
    """The transpose of a matrix; RuntimeError for more dimensions (torch.t)."""
    if input.ndim > 2:
        raise RuntimeError(f"t() expects a tensor with <= 2 dimensions, but self is {input.ndim}D; use permute")
    return o.t(input)


def expand(input: Tensor, *shape: Any) -> Tensor:
    """A view in which dimensions of size 1 repeat; -1 keeps a size (torch.Tensor.expand).

    RuntimeError where a size does not fit, and for -1 in a new dimension, which has no size to keep.
    """
    wanted, old = sizes(shape), tuple(input.array.shape)
    new = len(wanted) - len(old)
    if -1 in wanted[: max(0, new)]:
        raise RuntimeError(
            "The expanded size of the tensor (-1) isn't allowed in a leading, non-existing dimension: "
            f"got {list(wanted)} for a tensor of shape {list(old)}; give the new dimensions sizes"
        )
    full = (*wanted[: max(0, new)], *(k if n == -1 else n for n, k in zip(wanted[new:], old, strict=False)))
    if new < 0 or any(k not in (1, n) for n, k in zip(full[new:], old, strict=True)):
        raise RuntimeError(
            f"The expanded size of the tensor ({list(wanted)}) must match the existing size ({list(old)}) "
            "in every dimension whose size is not one"
        )
    return o.expand(input, shape=full)


def squeeze(input: Tensor, dim: Any = None) -> Tensor:
    """Without the given dimensions (default: all) as far as they have size 1 (torch.squeeze)."""
    named = range(input.ndim) if dim is None else (dim,) if isinstance(dim, int) else dim
    # Named dimensions of other sizes are left alone, as PyTorch does.
    ones = tuple(d for d in (one_dim(input.ndim, n) for n in named) if input.ndim and input.shape[d] == 1)
    return o.squeeze(input, dim=ones)


def unsqueeze(input: Tensor, dim: int) -> Tensor:
    """With a dimension of size 1 inserted (torch.unsqueeze)."""
    return o.unsqueeze(input, dim=one_dim(input.ndim + 1, dim))


def flip(input: Tensor, *dims: Any) -> Tensor:
    """In reverse order along dimensions, a copy (torch.flip)."""
    return o.flip(input, dim=tuple(one_dim(input.ndim, d) for d in sizes(dims)))


def tril(input: Tensor, diagonal: int = 0) -> Tensor:
    """The lower triangle, zeros above it (torch.tril). RuntimeError for a tensor that is no matrix."""
    return o.tril(_matrix("tril", input), diagonal=diagonal)


def triu(input: Tensor, diagonal: int = 0) -> Tensor:
    """The upper triangle, zeros below it (torch.triu). RuntimeError for a tensor that is no matrix."""
    return o.triu(_matrix("triu", input), diagonal=diagonal)


def _matrix(function: str, value: Tensor) -> Tensor:
    if value.ndim < 2:
        shape = list(value.shape)
        raise RuntimeError(f"{function}: input tensor must have at least 2 dimensions, got one of shape {shape}")
    return value


def diagonal(input: Tensor, offset: int = 0, dim1: int = 0, dim2: int = 1) -> Tensor:
    """The diagonal of two dimensions, a view (torch.diagonal)."""
    dim1, dim2 = one_dim(input.ndim, dim1), one_dim(input.ndim, dim2)
    return o.diagonal(input, offset=offset, dim1=dim1, dim2=dim2)


def cat(tensors: Sequence[Tensor], dim: int = 0) -> Tensor:
    """Tensors joined along a dimension (torch.cat). RuntimeError if other sizes differ, or for none."""
    # A vector of no elements goes with every shape, as it always did in PyTorch.
    some = [x for x in tensors if x.array.shape != (0,)] or tensors[:1]
    dim = one_dim(some[0].ndim, dim) if some[0].ndim and some[0].array.shape != (0,) else 0
    shapes = {(*x.array.shape[:dim], 0, *x.array.shape[dim + 1 :]) for x in some}
    if len(shapes) > 1 or not some[0].ndim:
        got = [list(x.shape) for x in tensors]
        raise RuntimeError(f"Sizes of tensors must match except in dimension {dim}, and not be scalars; got {got}")
    (empty,) = shapes
    return o.cat(*(x if x.ndim == some[0].ndim else reshape(x, empty) for x in tensors), dim=dim)


def stack(tensors: Sequence[Tensor], dim: int = 0) -> Tensor:
    """Tensors of the same shape stacked along a new dimension (torch.stack). RuntimeError if shapes differ."""
    return o.stack(*tensors, dim=one_dim(tensors[0].ndim + 1, dim))


def _cut(name: str, x: Tensor, dim: int) -> int:
    """A dimension along which a tensor is to be cut, in normal form; RuntimeError for a number, which has none."""
    if not x.ndim:
        raise RuntimeError(f"{name}() cannot be applied to a 0-dim tensor: it has no dimension to cut along")
    return one_dim(x.ndim, dim)


def _pieces(x: Tensor, primitive: Any, name: str, indices: Sequence[Any], dim: int) -> tuple[Tensor, ...]:
    """Several views of a tensor, which may not be written to while recording."""
    pieces = tuple(primitive(x, index=(slice(None),) * dim + (i,)) for i in indices)
    for piece in pieces:
        if piece.link is not None:
            piece.link.one_of_many = name
    return pieces


def unbind(input: Tensor, dim: int = 0) -> tuple[Tensor, ...]:
    """The slices along a dimension, as views (torch.unbind)."""
    dim = one_dim(input.ndim, dim)
    return _pieces(input, o.unbind, "Unbind", range(input.shape[dim]), dim)


def split(tensor: Tensor, split_size_or_sections: Any, dim: int = 0) -> tuple[Tensor, ...]:
    """Pieces of a size, or of the given sizes, along a dimension, as views (torch.split)."""
    dim = _cut("split", tensor, dim)
    total, given = tensor.shape[dim], split_size_or_sections
    if isinstance(given, int):
        # An empty dimension has a single, empty piece.
        given = [min(given, total - start) for start in range(0, max(total, 1), max(given, 1))]
    if sum(given) != total or min(given, default=0) < 0:
        raise RuntimeError(f"split sizes must sum to {total}, the size of dimension {dim}, but got {list(given)}")
    cuts = itertools.accumulate(given, initial=0)
    return _pieces(tensor, o.split, "Split", [slice(a, b) for a, b in itertools.pairwise(cuts)], dim)


def chunk(input: Tensor, chunks: int, dim: int = 0) -> tuple[Tensor, ...]:
    """About equal pieces along a dimension, as views (torch.chunk)."""
    return split(input, max(1, -(-input.shape[_cut("chunk", input, dim)] // chunks)), dim)


def unsafe_split(tensor: Tensor, split_size_or_sections: Any, dim: int = 0) -> tuple[Tensor, ...]:
    """As `split`, but each piece may be written to in place (torch.unsafe_split)."""
    return _unbarred(split(tensor, split_size_or_sections, dim))


def unsafe_chunk(input: Tensor, chunks: int, dim: int = 0) -> tuple[Tensor, ...]:
    """As `chunk`, but each piece may be written to in place (torch.unsafe_chunk)."""
    return _unbarred(chunk(input, chunks, dim))


def _unbarred(pieces: tuple[Tensor, ...]) -> tuple[Tensor, ...]:
    for piece in pieces:
        if piece.link is not None:
            # The mark only serves to raise an error; the graph is the same without.
            piece.link.one_of_many = None
    return pieces


def narrow(input: Tensor, dim: int, start: int, length: int) -> Tensor:
    """`length` elements from `start` along a dimension, a view (torch.narrow).

    RuntimeError for a scalar and where there are fewer, IndexError if there is nothing at `start`.
    """
    dim = _cut("narrow", input, dim)
    size = input.shape[dim]
    if not -size <= start <= size:
        raise IndexError(f"start out of range (expected to be in range of [{-size}, {size}], but got {start})")
    start = start + size if start < 0 else start
    if not 0 <= length <= size - start:
        raise RuntimeError(f"start ({start}) + length ({length}) exceeds dimension size ({size})")
    return o.slice(input, index=(slice(None),) * dim + (slice(start, start + length),))


def select(input: Tensor, dim: int, index: int) -> Tensor:
    """The slice at an index along a dimension, a view (torch.select)."""
    return o.slice(input, index=(slice(None),) * one_dim(input.ndim, dim) + (index,))


def movedim(input: Tensor, source: Any, destination: Any) -> Tensor:
    """Dimensions moved to other places, the rest in their order, a view (torch.movedim)."""
    given = [(v,) if isinstance(v, int) else tuple(v) for v in (source, destination)]
    old, new = ([one_dim(input.ndim, d) for d in v] for v in given)
    # Dimensions that are not named fill the free places in their order.
    rest = iter([d for d in range(input.ndim) if d not in old])
    places = dict(zip(new, old, strict=True))
    return permute(input, tuple(places[d] if d in places else next(rest) for d in range(input.ndim)))


def unflatten(input: Tensor, dim: int, sizes: Sequence[int]) -> Tensor:
    """A dimension made several (torch.unflatten)."""
    dim = one_dim(input.ndim, dim)
    return reshape(input, (*input.shape[:dim], *sizes, *input.shape[dim + 1 :]))


def tensor_split(input: Tensor, indices_or_sections: Any, dim: int = 0) -> tuple[Tensor, ...]:
    """So many pieces, the first ones larger, or pieces cut at indices, each a separate view (torch.tensor_split)."""
    dim, given = _cut("tensor_split", input, dim), indices_or_sections
    size = input.shape[dim]
    if isinstance(given, int):
        # The remainder is spread over the first pieces, an element each.
        each, larger = divmod(size, given)
        cuts = [i * each + min(i, larger) for i in range(given + 1)]
    else:
        cuts = [slice(i).indices(size)[1] for i in (0, *given, size)]
    return tuple(narrow(input, dim, a, max(b - a, 0)) for a, b in itertools.pairwise(cuts))
