"""Equations in matrices, determinants, and matrices as products. Leading dimensions are batch dimensions."""

# mypy: disable-error-code="no-any-return"

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import Any, NamedTuple

from .. import primitives as o
from ..batching.batched import Batched
from ..core.tape import Node
from ..core.tensor import Tensor
from ..primitives.decompositions import check_phase


class SignAndLog(NamedTuple):
    """The result of `slogdet`: ``sign * exp(logabsdet)`` is the determinant."""

    sign: Tensor
    logabsdet: Tensor


class ValuesAndVectors(NamedTuple):
    """The result of `eigh` (in rising order) and `eig`: eigenvalues, and eigenvectors as columns."""

    eigenvalues: Tensor
    eigenvectors: Tensor


class QAndR(NamedTuple):
    """The result of `qr`: an orthogonal and an upper triangular matrix."""

    Q: Tensor
    R: Tensor


class Singular(NamedTuple):
    """The result of `linalg.svd`: ``U @ diag(S) @ Vh`` is the matrix."""

    U: Tensor
    S: Tensor
    Vh: Tensor


def transposed(name: str, x: Tensor, most: float = math.inf) -> Tensor:
    """The last two dimensions exchanged, a scalar as it is; RuntimeError for a vector, or too many dimensions."""
    if x.ndim == 1 or x.ndim > most:
        raise RuntimeError(
            f"tensor.{name} is only supported on matrices{'' if most == 2 else ' or batches of them'}, "
            f"but got {x.ndim} dimensions: use permute"
        )
    return o.transpose(x, dim0=-2, dim1=-1) if x.ndim else o.alias(x)


def adjoint(x: Tensor) -> Tensor:
    """The conjugate transpose of the last two dimensions (torch.adjoint)."""
    return o.conj(transposed("adjoint()", x))


def _matrices(name: str, x: Tensor, square: bool = True) -> Tensor:
    """The tensor, if it holds (square) matrices of floating or complex numbers; RuntimeError otherwise."""
    if x.ndim < 2:
        raise RuntimeError(f"{name}: The input tensor A must have at least 2 dimensions, but got {x.ndim}")
    if square and x.shape[-1] != x.shape[-2]:
        raise RuntimeError(f"{name}: A must be batches of square matrices, but they are {x.shape[-2]} by {x.shape[-1]}")
    if not x.dtype.differentiable:
        raise RuntimeError(f"{name}: Expected a floating point or complex tensor as input. Got {x.dtype}")
    return x


def inverse(A: Tensor) -> Tensor:
    """The inverse of square matrices (torch.linalg.inv). LinAlgError, a RuntimeError, if there is none."""
    return o.inverse(_matrices("linalg.inv", A))


def det(A: Tensor) -> Tensor:
    """The determinant of square matrices, with a gradient also where it is zero (torch.linalg.det)."""
    return o.det(_matrices("linalg.det", A))


def slogdet(A: Tensor) -> SignAndLog:
    """Sign and logarithm of the determinant's absolute value; 0 and -inf if it is zero (torch.linalg.slogdet)."""
    x = _matrices("linalg.slogdet", A)
    return SignAndLog(o.slogdet_sign(x), o.slogdet_log(x))


def solve(A: Tensor, B: Tensor) -> Tensor:
    """The X with ``A @ X == B``, a matrix or a vector (torch.linalg.solve). LinAlgError if A has no inverse."""
    return o.solve(_matrices("linalg.solve", A), B)


def eig(A: Tensor) -> ValuesAndVectors:
    """Eigenvalues and eigenvectors of square matrices, complex (torch.linalg.eig). For gradients, see `eigh`."""
    x = _matrices("linalg.eig", A)
    return ValuesAndVectors(o.eig_values(x), *_of_one_phase(LinalgEigBackward0, o.eig_vectors(x)))


def eigvals(A: Tensor) -> Tensor:
    """Eigenvalues of square matrices, complex (torch.linalg.eigvals)."""
    return o.eig_values(_matrices("linalg.eigvals", A))


def eigh(A: Tensor, UPLO: str = "L") -> ValuesAndVectors:
    """Eigenvalues and eigenvectors of Hermitian matrices (torch.linalg.eigh).

    The gradient of the vectors is not finite where two eigenvalues are equal, and RuntimeError if a loss depends on
    their complex phase, which is free.
    """
    # Only the lower triangle is read; the adjoint has the upper triangle there.
    x = _matrices("linalg.eigh", A if UPLO.upper() == "L" else adjoint(A))
    return ValuesAndVectors(o.eigh_values(x), *_of_one_phase(LinalgEighBackward0, o.eigh_vectors(x)))


def eigvalsh(A: Tensor, UPLO: str = "L") -> Tensor:
    """Eigenvalues of Hermitian matrices, in rising order (torch.linalg.eigvalsh)."""
    return eigh(A, UPLO).eigenvalues


def qr(A: Tensor, mode: str = "reduced") -> QAndR:
    """An orthogonal and an upper triangular matrix whose product is A; `mode` also complete or r (torch.linalg.qr).

    Differentiable if the first columns, as many as there are rows at most, are independent.
    """
    if mode not in ("reduced", "complete", "r"):
        raise RuntimeError(f"qr received unrecognized mode {mode!r}; expected one of 'reduced', 'complete' and 'r'")
    # Columns beyond the rows follow from the first: their gradient comes through r alone.
    square = (..., slice(0, _matrices("linalg.qr", A, square=False).shape[-2]))
    q = o.qr_q(o.slice(A, index=square), mode=mode)
    r = o.triu(o.bmm(adjoint(q), A), diagonal=0)
    # In this mode PyTorch returns an empty Q.
    return QAndR(Tensor.of(q.array[:0].ravel()) if mode == "r" else q, r)


def svd(A: Tensor, full_matrices: bool = True) -> Singular:
    """Left singular vectors, singular values in falling order, right ones as rows (torch.linalg.svd).

    The gradient of vectors needs distinct values, and ignores those beyond the values. RuntimeError in backward if a
    loss depends on the complex phase of the vectors, which is free.
    """
    x = _matrices("linalg.svd", A, square=False)
    vectors = o.svd_u(x, full_matrices=full_matrices), o.svd_v(x, full_matrices=full_matrices)
    # Singular vectors are determined up to a common phase of each pair.
    left, right = _of_one_phase(LinalgSvdBackward0, *vectors)
    return Singular(left, o.svd_s(x), adjoint(right))


def svdvals(A: Tensor) -> Tensor:
    """Singular values, in falling order (torch.linalg.svdvals)."""
    return o.svd_s(_matrices("linalg.svdvals", A, square=False))


class _OfOnePhase(Node):
    """The node after complex vectors whose phase is arbitrary, but common: it sees the cotangents of all of them."""

    function: str

    def __init__(self, *vectors: Tensor) -> None:
        super().__init__(tuple(v.edge() for v in vectors))
        self.forms = [v.form for v in vectors]
        self.vectors = tuple(v.array for v in vectors)
        self.seen = False

    def pullback(self, cotangents: list[Any], recording: bool) -> Sequence[Any]:
        """The cotangents themselves; RuntimeError if the loss depends on the phase, which the vectors share."""
        count = len(self.vectors)
        cotangents = [*cotangents, *[None] * count][:count]
        if not self.seen:
            check_phase(self.function, zip(cotangents, self.vectors, strict=True))
        # What comes in later passes is derivatives of the first, which reach the vectors on other ways too.
        self.seen = self.seen or recording
        return cotangents


class LinalgEigBackward0(_OfOnePhase):
    """The node after the vectors of `eig`."""

    function = "linalg_eig_backward"


class LinalgEighBackward0(_OfOnePhase):
    """The node after the vectors of `eigh`."""

    function = "linalg_eigh_backward"


class LinalgSvdBackward0(_OfOnePhase):
    """The node after both kinds of singular vectors."""

    function = "svd_backward"


def _of_one_phase(node: type[_OfOnePhase], *vectors: Tensor) -> tuple[Tensor, ...]:
    """Vectors whose phase is arbitrary, but common. Dependence of a tangent on the phase is not checked."""
    first = vectors[0]
    if not (first.dtype.is_complex and first.requires_grad) or isinstance(first, Batched) or first.tangents:
        return vectors
    # One node behind all vectors, because only their cotangents together show a dependence on the phase.
    made = node(*vectors)
    return tuple(v.twin((made, i)) for i, v in enumerate(vectors))
