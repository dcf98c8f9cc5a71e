"""Products of vectors and matrices."""

# mypy: disable-error-code="no-any-return"

from __future__ import annotations

from .. import primitives as o
from ..core.tensor import Tensor
from .calling import overridable, tensor_argument

__all__ = [
    "bmm", "det", "dot", "inverse", "matmul", "mm", "mv", "outer", "solve", "trace",
]  # fmt: skip


def _check(name: str, x: Tensor, y: Tensor, inner_x: int, inner_y: int) -> None:
    tensor_argument(name, x, "input"), tensor_argument(name, y, "mat2")
    if x.dtype != y.dtype:
        raise RuntimeError(f"{name}: expected both operands to have the same dtype, but got: {x.dtype} and {y.dtype}")
    if x.shape[inner_x] != y.shape[inner_y]:
        raise RuntimeError(
            f"{name}: shapes cannot be multiplied, {list(x.shape)} and {list(y.shape)}: the inner sizes differ"
        )


@overridable
def mm(input: Tensor, mat2: Tensor) -> Tensor:
    """The product of two matrices (torch.mm). RuntimeError unless they are matrices that fit."""
    if input.ndim != 2 or mat2.ndim != 2:
        raise RuntimeError(
            f"mm: both arguments must be 2D (matrices), but got {input.ndim}D and {mat2.ndim}D; use matmul"
        )
    _check("mat1 and mat2", input, mat2, 1, 0)
    return o.mm(input, mat2)


@overridable
def mv(input: Tensor, vec: Tensor) -> Tensor:
    """The product of a matrix and a vector (torch.mv)."""
    if input.ndim != 2 or vec.ndim != 1:
        raise RuntimeError(f"mv: expected a matrix and a vector, but got {input.ndim}D and {vec.ndim}D tensors")
    _check("mv", input, vec, 1, 0)
    return o.mv(input, vec)


@overridable
def dot(input: Tensor, tensor: Tensor) -> Tensor:
    """The sum of the products of two vectors' elements (torch.dot). RuntimeError unless 1D and of one size."""
    if input.ndim != 1 or tensor.ndim != 1:
        raise RuntimeError(f"1D tensors expected, but got {input.ndim}D and {tensor.ndim}D tensors")
    _check("dot", input, tensor, 0, 0)
    return o.dot(input, tensor)


@overridable
def bmm(input: Tensor, mat2: Tensor) -> Tensor:
    """The products of two batches of matrices (torch.bmm)."""
    _check("bmm", input, mat2, -1, -2)
    return o.bmm(input, mat2)


@overridable
def matmul(input: Tensor, other: Tensor) -> Tensor:
    """The product of vectors, matrices or broadcast batches of matrices, by their dimensions (torch.matmul)."""
    tensor_argument("matmul", input), tensor_argument("matmul", other, "other")
    dims = (input.ndim, other.ndim)
    if 0 in dims:
        raise RuntimeError(f"both arguments to matmul need to be at least 1D, but they are {dims[0]}D and {dims[1]}D")
    _check("mat1 and mat2", input, other, -1, -2 if other.ndim > 1 else 0)
    simple = {(1, 1): o.dot, (2, 1): o.mv, (2, 2): o.mm}
    if dims in simple:
        return simple[dims](input, other)
    x = o.unsqueeze(input, dim=0) if input.ndim == 1 else input
    y = o.unsqueeze(other, dim=1) if other.ndim == 1 else other
    result = o.bmm(x, y)
    ones = tuple(d for d, ndim in ((-2, input.ndim), (-1, other.ndim)) if ndim == 1)
    return o.squeeze(result, dim=ones) if ones else result


@overridable
def outer(input: Tensor, vec2: Tensor) -> Tensor:
    """The products of every element of one vector with every element of another (torch.outer)."""
    return o.mul(o.unsqueeze(input, dim=1), vec2)


@overridable
def trace(input: Tensor) -> Tensor:
    """The sum of a matrix's diagonal (torch.trace)."""
    return o.sum(o.diagonal(input, offset=0, dim1=0, dim2=1), dim=None, keepdim=False)


@overridable
def inverse(input: Tensor) -> Tensor:
    """The inverse of a matrix or batch of matrices (torch.linalg.inv)."""
    return o.inverse(input)


@overridable
def det(input: Tensor) -> Tensor:
    """The determinant of a matrix or batch of matrices (torch.linalg.det)."""
    return o.det(input)


@overridable
def solve(A: Tensor, B: Tensor) -> Tensor:
    """The X with ``A @ X == B`` (torch.linalg.solve)."""
    return o.solve(A, B)
