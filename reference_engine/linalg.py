"""torch.linalg: what of linear algebra has rules here."""

from .core.tensor import Tensor as _Tensor
from .functions.decomposing import (
    cholesky,
    det,
    eig,
    eigh,
    eigvals,
    eigvalsh,
    matrix_power,
    qr,
    slogdet,
    solve,
    solve_triangular,
    svd,
    svdvals,
)
from .functions.decomposing import inverse as inv
from .functions.decomposing import pinverse as pinv
from .functions.fitting import lstsq
from .functions.norms import linalg_norm as norm
from .functions.norms import matrix_norm, vector_norm
from .functions.products import linalg_cross as cross
from .functions.products import matmul, multi_dot, vecdot
from .functions.shaping import diagonal as _diagonal
from .primitives.linear_algebra import LinAlgError

__all__ = [
    "LinAlgError", "cholesky", "cross", "det", "diagonal", "eig", "eigh", "eigvals", "eigvalsh", "inv", "lstsq",
    "matmul", "matrix_norm", "matrix_power", "multi_dot", "norm", "pinv", "qr", "slogdet", "solve",
    "solve_triangular", "svd", "svdvals", "vecdot", "vector_norm",
]  # fmt: skip


def diagonal(A: _Tensor, *, offset: int = 0, dim1: int = -2, dim2: int = -1) -> _Tensor:
    """The diagonal of the last two dimensions, a view (torch.linalg.diagonal)."""
    return _diagonal(A, offset, dim1, dim2)
