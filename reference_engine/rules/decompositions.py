"""Derivatives of the factors of a matrix.

They exist where the factors are smooth in the matrix: eigenvectors and singular vectors need distinct values (the
derivative is infinite or NaN where two are equal), those beside the diagonal a full rank. Vectors may turn by a
complex phase, so only functions that do not notice it have a derivative; here a vector does not turn against itself.
"""

from typing import Any

from .. import primitives as o
from ..core.dtypes import Array
from .arithmetic import is_complex
from .families import others, zero_like
from .linear_algebra import T


def mul(*factors: Array) -> Any:
    """The product of several matrices, or batches of them."""
    product = factors[0]
    for factor in factors[1:]:
        product = o.bmm(product, factor)
    return product


def lower(x: Array) -> Any:
    """The lower triangle, with half of the diagonal."""
    return (o.tril(x, diagonal=0) + o.tril(x, diagonal=-1)) / 2


def upper(x: Array) -> Any:
    """The upper triangle, with half of the diagonal."""
    return (o.triu(x, diagonal=0) + o.triu(x, diagonal=1)) / 2


def divided(x: Array, y: Array) -> Any:
    """``x @ inverse(y)``."""
    return T(o.solve(T(y), T(x)))


def symmetric(x: Array) -> Any:
    """The Hermitian part: cholesky and eigh look at one triangle, and the gradient belongs to both."""
    return (x + T(x)) / 2


others(
    o.cholesky,
    [lambda g, z: symmetric(divided(o.solve(T(z), lower(mul(T(z), g))), z))],
    [lambda t, z: mul(z, lower(divided(o.solve(z, t), T(z))))],
)


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


others(
    o.eigh_values,
    [lambda g, x: mul(o.eigh_vectors(x) * rows(g), T(o.eigh_vectors(x)))],
    [lambda t, x: o.real(diagonal_of(mul(T(o.eigh_vectors(x)), t, o.eigh_vectors(x))))],
)
others(
    o.eigh_vectors,
    [lambda g, z, x: mul(z, gaps(o.eigh_values(x)) * mul(T(z), g), T(z))],
    [lambda t, z, x: mul(z, gaps(o.eigh_values(x)) * mul(T(z), t, z))],
)


def pull_orthogonal(g: Array, q: Array, x: Array, mode: str) -> Any:
    """The cotangent of a tall matrix, or a square one, from that of its orthogonal factor."""
    refuse_complete(x, mode == "complete")
    across = upper(mul(T(q), g))
    return divided(g - mul(q, across + T(across)), T(mul(T(q), x)))


def push_orthogonal(t: Array, q: Array, x: Array, mode: str) -> Any:
    """The transpose of `pull_orthogonal`."""
    refuse_complete(x, mode == "complete")
    moved = divided(t, mul(T(q), x))
    across = mul(T(q), moved)
    return moved - mul(q, upper(across + T(across)))


def refuse_complete(x: Array, complete: bool) -> None:
    """Columns beyond the rank are free to turn, so they have no derivative."""
    if complete and x.shape[-1] != x.shape[-2]:
        raise RuntimeError(
            "the derivative of a full orthogonal factor is not defined for matrices that are not square: ask for "
            "mode='reduced', or full_matrices=False"
        )


others(
    o.qr_q,
    [lambda g, z, x, mode: pull_orthogonal(g, z, x, mode)],
    [lambda t, z, x, mode: push_orthogonal(t, z, x, mode)],
)


def phases(turning: Array, s: Array) -> Any:
    """What of turning is a complex phase, divided evenly between left and right vectors; real vectors have none."""
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


def left(x: Array, full_matrices: bool) -> Any:
    """The left singular vectors that belong to the right ones."""
    refuse_complete(x, full_matrices)
    return o.svd_u(x, full_matrices=False)


def right(x: Array, full_matrices: bool) -> Any:
    """The right singular vectors that belong to the left ones."""
    refuse_complete(x, full_matrices)
    return o.svd_v(x, full_matrices=False)


others(
    o.svd_s,
    [lambda g, x: mul(left(x, False) * rows(g), T(right(x, False)))],
    [lambda t, x: o.real(diagonal_of(mul(T(left(x, False)), t, right(x, False))))],
)
others(
    o.svd_u,
    [lambda g, z, x, full_matrices: pull_vectors(g, z, o.svd_s(x), right(x, full_matrices))],
    [lambda t, z, x, full_matrices: push_vectors(t, z, o.svd_s(x), right(x, full_matrices))],
)
others(
    o.svd_v,  # the left vectors of the conjugate transpose
    [lambda g, z, x, full_matrices: T(pull_vectors(g, z, o.svd_s(x), left(x, full_matrices)))],
    [lambda t, z, x, full_matrices: push_vectors(T(t), z, o.svd_s(x), left(x, full_matrices))],
)
