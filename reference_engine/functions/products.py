"""Products of vectors and matrices."""

# mypy: disable-error-code="no-any-return"

from __future__ import annotations

import math
from typing import Any

from .. import primitives as o
from ..core.tensor import Tensor
from .calling import one_dim, tensor_argument
from .pointwise import conj
from .shaping import t


def same_dtype(name: str, *tensors: Tensor) -> None:
    """RuntimeError unless tensors, whose products are to be summed, hold numbers of one dtype."""
    found = {x.dtype: None for x in tensors}
    if len(found) > 1 or tensors[0].array.dtype.kind == "b":
        raise RuntimeError(f"{name}: expected operands to have the same dtype, not bool, but got: {[*found]}")


def _check(name: str, x: Tensor, y: Tensor, dims: tuple[int, int] | None = None) -> None:
    """RuntimeError unless two tensors, whose products are to be summed, have one dtype and sizes that fit."""
    tensor_argument(name, y, "other")
    if dims is not None and (x.ndim, y.ndim) != dims:
        raise RuntimeError(f"{name}: expected {dims[0]}D and {dims[1]}D tensors, but got {x.ndim}D and {y.ndim}D")
    same_dtype(name, x, y)
    if x.shape[-1] != y.shape[-2 if y.ndim > 1 else 0]:
        raise RuntimeError(f"{name}: shapes cannot be multiplied: {list(x.shape)} and {list(y.shape)}")


def mm(input: Tensor, mat2: Tensor) -> Tensor:
    """The product of two matrices (torch.mm). RuntimeError unless they are matrices that fit."""
    _check("mat1 and mat2", input, mat2, (2, 2))
    return o.mm(input, mat2)


def mv(input: Tensor, vec: Tensor) -> Tensor:
    """The product of a matrix and a vector (torch.mv)."""
    _check("mv", input, vec, (2, 1))
    return o.mv(input, vec)


def dot(input: Tensor, tensor: Tensor) -> Tensor:
    """The sum of the products of two vectors' elements (torch.dot). RuntimeError unless 1D and of one size."""
    _check("dot", input, tensor, (1, 1))
    return o.dot(input, tensor)


def bmm(input: Tensor, mat2: Tensor) -> Tensor:
    """The products of two batches of as many matrices (torch.bmm). RuntimeError unless both are 3D and fit."""
    _check("bmm", input, mat2, (3, 3))
    if input.shape[0] != mat2.shape[0]:
        raise RuntimeError(f"bmm: expected as many matrices in both, but got {list(input.shape)}, {list(mat2.shape)}")
    return o.bmm(input, mat2)


def matmul(input: Tensor, other: Tensor) -> Tensor:
    """The product of vectors, matrices or broadcast batches of matrices, by their dimensions (torch.matmul)."""
    tensor_argument("matmul", other, "other")
    dims = (input.ndim, other.ndim)
    if 0 in dims:
        raise RuntimeError(f"both arguments to matmul need to be at least 1D, but they are {dims[0]}D and {dims[1]}D")
    _check("mat1 and mat2", input, other)
    simple = {(1, 1): o.dot, (2, 1): o.mv, (2, 2): o.mm}
    if dims in simple:
        return simple[dims](input, other)
    x = o.unsqueeze(input, dim=0) if input.ndim == 1 else input
    y = o.unsqueeze(other, dim=1) if other.ndim == 1 else other
    result = o.bmm(x, y)
    ones = tuple(d for d, ndim in ((-2, input.ndim), (-1, other.ndim)) if ndim == 1)
    return o.squeeze(result, dim=ones) if ones else result


def outer(input: Tensor, vec2: Tensor) -> Tensor:
    """The products of every element of one vector with every element of another (torch.outer)."""
    if input.ndim != 1 or vec2.ndim != 1:
        raise RuntimeError(f"outer: Expected 1-D arguments, but got {input.ndim}-D and {vec2.ndim}-D")
    return o.mul(o.unsqueeze(input, dim=1), vec2)


def trace(input: Tensor) -> Tensor:
    """The sum of a matrix's diagonal (torch.trace). RuntimeError unless it is a matrix of numbers."""
    if input.ndim != 2 or input.array.dtype.kind == "b":
        raise RuntimeError(f"trace: expected a matrix of numbers, but got {input.ndim} dimensions of {input.dtype}")
    return o.sum(o.diagonal(input, offset=0, dim1=0, dim2=1), dim=None, keepdim=False)


def vdot(input: Tensor, other: Tensor) -> Tensor:
    """The dot product with the first vector conjugated (torch.vdot)."""
    return dot(conj(input), other)


def vecdot(x: Tensor, y: Tensor, *, dim: int = -1) -> Tensor:
    """Dot products along a dimension, with the first vector conjugated (torch.linalg.vecdot)."""
    return o.sum(o.mul(conj(x), y), dim=dim, keepdim=False)


def inner(input: Tensor, other: Tensor) -> Tensor:
    """Sums of products along the last dimension of both, for all pairs of the others (torch.inner)."""
    if not input.ndim or not other.ndim:
        return o.mul(input, other)
    return tensordot(input, other, ([-1], [-1]))


def tensordot(a: Tensor, b: Tensor, dims: Any = 2) -> Tensor:
    """Sums of products along dimensions of both: the last and first `dims`, or two lists (torch.tensordot)."""
    same_dtype("tensordot", a, b)
    count = dims.item() if isinstance(dims, Tensor) else dims
    first, second = (range(-count, 0), range(count)) if isinstance(count, int) else count
    inner_a, inner_b = [one_dim(a.ndim, d) for d in first], [one_dim(b.ndim, d) for d in second]
    rows, columns = [d for d in range(a.ndim) if d not in inner_a], [d for d in range(b.ndim) if d not in inner_b]
    sizes = [[x.shape[d] for d in ds] for x, ds in ((a, rows), (a, inner_a), (b, inner_b), (b, columns))]
    if sizes[1] != sizes[2]:
        raise RuntimeError(f"contracted dimensions need to match, but first has size {sizes[1]} and second {sizes[2]}")
    x = o.reshape(o.permute(a, dims=(*rows, *inner_a)), shape=(math.prod(sizes[0]), math.prod(sizes[1])))
    y = o.reshape(o.permute(b, dims=(*inner_b, *columns)), shape=(math.prod(sizes[2]), math.prod(sizes[3])))
    return o.reshape(o.mm(x, y), shape=(*sizes[0], *sizes[3]))


def kron(input: Tensor, other: Tensor) -> Tensor:
    """Kronecker's product: every element of the first times all of the second, side by side (torch.kron)."""
    n = max(input.ndim, other.ndim)
    a, b = ((1,) * (n - x.ndim) + tuple(x.shape) for x in (input, other))
    x = o.reshape(input, shape=tuple(size for n in a for size in (n, 1)))
    y = o.reshape(other, shape=tuple(size for n in b for size in (1, n)))
    return o.reshape(o.mul(x, y), shape=tuple(m * n for m, n in zip(a, b, strict=True)))


def cross(input: Tensor, other: Tensor, dim: int = -1) -> Tensor:
    """The vector product along a dimension of size three (torch.linalg.cross)."""
    same_dtype("linalg.cross", input, other)
    if input.shape[dim] != 3 or other.shape[dim] != 3:
        raise RuntimeError(f"linalg.cross: inputs dimension {dim} must have length 3, but got {list(input.shape)}")
    dims = (dim,)
    x, y = (o.roll(v, shifts=(-1,), dims=dims) for v in (input, other))
    return o.roll(o.sub(o.mul(input, y), o.mul(x, other)), shifts=(-1,), dims=dims)


def addmm(input: Tensor, mat1: Tensor, mat2: Tensor, *, beta: Any = 1, alpha: Any = 1) -> Tensor:
    """``beta * input + alpha * (mat1 @ mat2)`` (torch.addmm)."""
    return o.add(o.mul(input, beta), o.mul(mm(mat1, mat2), alpha))


def linear(input: Tensor, weight: Tensor, bias: Tensor | None = None) -> Tensor:
    """``input @ weight.T + bias`` (torch.nn.functional.linear)."""
    result = matmul(input, t(weight))
    return result if bias is None else o.add(result, bias)
