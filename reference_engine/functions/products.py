"""Products of vectors and matrices."""

# mypy: disable-error-code="no-any-return"

from __future__ import annotations

from .. import primitives as o
from ..core.tensor import Tensor
from .call_forms import tensor_argument
from .shaping import t


def matmul(input: Tensor, other: Tensor) -> Tensor:
    """The product of vectors, matrices or broadcast batches of matrices, by their dimensions (torch.matmul)."""
    tensor_argument("matmul", other, "other")
    dims = (input.ndim, other.ndim)
    if 0 in dims:
        raise RuntimeError(f"both arguments to matmul need to be at least 1D, but they are {dims[0]}D and {dims[1]}D")
    if input.dtype is not other.dtype or input.array.dtype.kind == "b":
        raise RuntimeError(f"matmul: expected operands of one dtype, not bool, but got {input.dtype} and {other.dtype}")
    if input.shape[-1] != other.shape[-2 if other.ndim > 1 else 0]:
        got = f"{list(input.shape)} and {list(other.shape)}"
        raise RuntimeError(f"mat1 and mat2 shapes cannot be multiplied: {got}")
    # Nodes are named as PyTorch's, which has separate operations for these.
    simple = {(1, 1): o.dot, (2, 1): o.mv, (2, 2): o.mm}
    if dims in simple:
        return simple[dims](input, other)
    # A vector counts as a row on the left, and as a column on the right.
    x = o.unsqueeze(input, dim=0) if input.ndim == 1 else input
    y = o.unsqueeze(other, dim=1) if other.ndim == 1 else other
    result = o.bmm(x, y)
    ones = tuple(d for d, ndim in ((-2, input.ndim), (-1, other.ndim)) if ndim == 1)
    # A copy, as a product is no view.
    return o.clone(o.squeeze(result, dim=ones)) if ones else result


def outer(input: Tensor, vec2: Tensor) -> Tensor:
    """The products of every element of a vector with every element of another (torch.outer)."""
    if input.ndim != 1 or vec2.ndim != 1:
        raise RuntimeError(f"outer: Expected 1-D arguments, but got {input.ndim}-D and {vec2.ndim}-D")
    return o.mul(o.unsqueeze(input, dim=1), vec2)


def linear(input: Tensor, weight: Tensor, bias: Tensor | None = None) -> Tensor:
    """``input @ weight.T + bias`` (torch.nn.functional.linear)."""
    result = matmul(input, t(weight))
    return result if bias is None else o.add(result, bias)
