"""Derivatives of the factors of a matrix.

They exist where the factors are smooth in the matrix: eigenvectors and singular vectors need distinct values (the
derivative is infinite or NaN where two are equal), those beside the diagonal a full rank. Vectors may turn by a
complex phase, so only functions that do not notice it have a derivative; here a vector does not turn against itself.
"""

from typing import Any

from .. import primitives as o
from ..core.aliases import Array
from .families import is_complex, others, zero_like
from .linear_algebra import T

RULES = [
    others(
        o.eigh_values,
        [lambda g, x: pull_values(g, o.eigh_vectors(x))],
        [lambda t, x: push_values(t, o.eigh_vectors(x))],
    ),
    others(
        o.eigh_vectors,
        [lambda g, z, x: mul(z, gaps(o.eigh_values(x)) * skew_hermitian(mul(T(z), g)), T(z))],
        [lambda t, z, x: mul(z, gaps(o.eigh_values(x)) * mul(T(z), t, z))],
    ),
    others(
        o.eig_values,
        [lambda g, x: pull_eigenvalues(g, o.eig_vectors(x), x)],
        [lambda t, x: push_eigenvalues(t, o.eig_vectors(x))],
    ),
    others(
        o.eig_vectors,
        [lambda g, z, x: pull_eigenvectors(g, z, x)],
        [lambda t, z, x: push_eigenvectors(t, z, x)],
    ),
    others(
        o.qr_q,
        [lambda g, z, x, mode: pull_orthogonal(g, z, x, mode)],
        [lambda t, z, x, mode: push_orthogonal(t, z, x, mode)],
    ),
    others(
        o.svd_s,
        [lambda g, x: mul(left(x) * rows(g), T(right(x)))],
        [lambda t, x: o.real(diagonal_of(mul(T(left(x)), t, right(x))))],
    ),
    others(
        o.svd_u,
        [lambda g, x: pull_vectors(belonging(g, x), left(x), o.svd_s(x), right(x))],
        [lambda t, z, x: completed(push_vectors(t, left(x), o.svd_s(x), right(x)), z)],
    ),
    others(
        o.svd_v,  # the left vectors of the conjugate transpose
        [lambda g, x: T(pull_vectors(belonging(g, x), right(x), o.svd_s(x), left(x)))],
        [lambda t, z, x: completed(push_vectors(T(t), right(x), o.svd_s(x), left(x)), z)],
    ),
]


def mul(*factors: Array) -> Any:
    """The product of several matrices, or batches of them."""
    product = factors[0]
    for factor in factors[1:]:
        product = o.bmm(product, factor)
    return product


def upper(x: Array) -> Any:
    """The upper triangle, with half of the diagonal."""
    return (o.triu(x, diagonal=0) + o.triu(x, diagonal=1)) / 2


def divided(x: Array, y: Array) -> Any:
    """``x @ inverse(y)``."""
    return T(o.solve(T(y), T(x)))


def rows(x: Array) -> Any:
    """A number per column, to multiply a matrix with."""
    return o.unsqueeze(x, dim=-2)


def gaps(x: Array) -> Any:
    """One over the differences ``x[j] - x[i]`` of the values; zero on the diagonal."""
    differences = rows(x) - o.unsqueeze(x, dim=-1)
    beside = o.tril(zero_like(differences) + 1, diagonal=-1)
    beside = beside + o.transpose(beside, dim0=-2, dim1=-1)
    return beside / (differences + o.eq(beside, 0))


def diagonal_of(x: Array) -> Any:
    """The diagonal of each matrix."""
    return o.diagonal(x, offset=0, dim1=-2, dim2=-1)


def pull_values(g: Array, v: Array) -> Any:
    """The cotangent of a Hermitian matrix from that of its eigenvalues, given the vectors."""
    return mul(v * rows(g), T(v))


def push_values(t: Array, v: Array) -> Any:
    """The transpose of `pull_values`."""
    return o.real(diagonal_of(mul(T(v), t, v)))


def skew_hermitian(x: Array) -> Any:
    """The skew-Hermitian part: orthonormal vectors can only rotate, so that the gradient is Hermitian."""
    return (x - T(x)) / 2


def real_like(x: Array, result: Array) -> Any:
    """The cotangent of a real matrix is real, though its eigenvalues are not."""
    return result if is_complex(x) else o.real(result)


def pull_eigenvalues(g: Array, v: Array, x: Array) -> Any:
    """The cotangent of a matrix from that of its eigenvalues."""
    return real_like(x, o.solve(T(v), o.unsqueeze(g, dim=-1) * T(v)))


def push_eigenvalues(t: Array, v: Array) -> Any:
    """The transpose of `pull_eigenvalues`."""
    return diagonal_of(o.solve(v, mul(t, v)))


def pull_eigenvectors(g: Array, v: Array, x: Array) -> Any:
    """The cotangent of a matrix from that of its eigenvectors, which have length 1."""
    inner = mul(T(v), g)
    turning = inner - mul(T(v), v) * rows(o.real(diagonal_of(inner)))
    return real_like(x, o.solve(T(v), mul(o.conj(gaps(o.eig_values(x))) * turning, T(v))))


def push_eigenvectors(t: Array, v: Array, x: Array) -> Any:
    """The transpose of `pull_eigenvectors`."""
    moved = mul(v, gaps(o.eig_values(x)) * o.solve(v, mul(t, v)))
    return moved - v * rows(o.real(diagonal_of(mul(T(v), moved))))


def pull_orthogonal(g: Array, q: Array, x: Array, mode: str) -> Any:
    """The cotangent of a tall or square matrix from that of its orthogonal factor."""
    check_mode(x, mode)
    across = upper(mul(T(q), g))
    return divided(g - mul(q, across + T(across)), T(mul(T(q), x)))


def push_orthogonal(t: Array, q: Array, x: Array, mode: str) -> Any:
    """The transpose of `pull_orthogonal`."""
    check_mode(x, mode)
    moved = divided(t, mul(T(q), x))
    across = mul(T(q), moved)
    return moved - mul(q, upper(across + T(across)))


def check_mode(x: Array, mode: str) -> None:
    """RuntimeError if columns beyond the rank can rotate, or without the orthogonal factor, which derivatives need."""
    if mode == "r" or (mode == "complete" and x.shape[-1] != x.shape[-2]):
        raise RuntimeError(f"The QR decomposition has no derivative when mode='{mode}': ask for mode='reduced'")


def phases(turning: Array, s: Array) -> Any:
    """The complex phases of a rotation, divided evenly between left and right vectors; real vectors have none."""
    alone = o.triu(o.tril(turning, diagonal=0), diagonal=0)
    return alone / (4 * rows(s)) if is_complex(turning) else alone


def pull_vectors(g: Array, u: Array, s: Array, v: Array) -> Any:
    """The cotangent of ``u @ diag(s) @ v.H`` from that of u."""
    inner = mul(T(u), g)
    turning = inner - T(inner)
    middle = gaps(s * s) * turning * rows(s) + phases(turning, s)
    outside = (g - mul(u, inner)) / rows(s) if u.shape[-2] > u.shape[-1] else zero_like(g)
    return mul(mul(u, middle) + outside, T(v))


def push_vectors(t: Array, u: Array, s: Array, v: Array) -> Any:
    """The tangent of u from that of ``u @ diag(s) @ v.H``."""
    moved = mul(t, v)
    inner = mul(T(u), moved)
    turning = gaps(s * s) * (inner * rows(s) + T(inner * rows(s))) + phases(inner - T(inner), s)
    outside = (moved - mul(u, inner)) / rows(s) if u.shape[-2] > u.shape[-1] else zero_like(moved)
    return mul(u, turning) + outside


def left(x: Array) -> Any:
    """The left singular vectors that belong to singular values."""
    return o.svd_u(x, full_matrices=False)


def right(x: Array) -> Any:
    """The right singular vectors that belong to singular values."""
    return o.svd_v(x, full_matrices=False)


def belonging(vectors: Array, x: Array) -> Any:
    """Without the vectors beyond the singular values, which are free to turn: what becomes of them is ignored."""
    return o.slice(vectors, index=(..., slice(0, min(x.shape[-2:]))))


def completed(t: Array, z: Array) -> Any:
    """The tangent of all vectors: zero beyond the singular values."""
    return o.cat(t, zero_like(o.slice(z, index=(..., slice(t.shape[-1], None)))), dim=z.ndim - 1)
