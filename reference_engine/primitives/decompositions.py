"""Matrices as products of simpler ones. Each factor is an operation, and so has a rule.

Eigenvectors and singular vectors are chosen by LAPACK among those that differ by a sign or a complex phase; the
factors of the same matrix belong together. Leading dimensions are batch dimensions.
"""

from collections.abc import Iterable
from typing import Any

import numpy as np

from ..core.aliases import Array
from ..core.primitive import Primitive
from .linear_algebra import naming_errors

__all__ = ["eig_values", "eig_vectors", "eigh_values", "eigh_vectors", "qr_q", "svd_s", "svd_u", "svd_v"]

_eig = naming_errors("eig", np.linalg.eig)
_eigh = naming_errors("eigh", np.linalg.eigh)
_svd = naming_errors("svd", np.linalg.svd)


def _right(x: Array, full_matrices: Any) -> Any:
    return np.conj(_svd(x, full_matrices=full_matrices)[2].swapaxes(-2, -1))


def _complex(x: Array) -> Any:
    return x.astype(np.result_type(x, np.complex64))


eig_values = Primitive("eig_values", lambda x: _complex(_eig(x)[0]), node="LinalgEigBackward0")
eig_vectors = Primitive("eig_vectors", lambda x: _complex(_eig(x)[1]), node="LinalgEigBackward0")
eigh_values = Primitive("eigh_values", lambda x: _eigh(x)[0], node="LinalgEighBackward0")
eigh_vectors = Primitive("eigh_vectors", lambda x: _eigh(x)[1], node="LinalgEighBackward0")
qr_q = Primitive(
    "qr_q", lambda x, mode: np.linalg.qr(x, "reduced" if mode == "r" else mode)[0], node="LinalgQrBackward0"
)
svd_s = Primitive("svd_s", lambda x: _svd(x, full_matrices=False)[1], node="LinalgSvdBackward0")
svd_u = Primitive("svd_u", lambda x, full_matrices: _svd(x, full_matrices)[0], node="LinalgSvdBackward0")
svd_v = Primitive("svd_v", _right, node="LinalgSvdBackward0")


def check_phase(name: str, pairs: Iterable[tuple[Any, Any]]) -> None:
    """RuntimeError if cotangents (None: no contribution) of vectors change when all vectors turn by a complex phase."""
    turning, pairs = 0.0, list(pairs)
    count = min(vectors.shape[-1] for _, vectors in pairs)  # of a full basis, those that belong to values
    for g, vectors in pairs:
        array = getattr(g, "array", g)
        if isinstance(array, np.ndarray):
            turning = turning + np.sum(np.imag(np.conj(vectors) * array)[..., :count], axis=-2)
    if not np.allclose(turning, 0, rtol=1e-2, atol=1e-2):
        raise RuntimeError(
            f"{name}: the vectors of complex matrices are specified up to multiplication by e^{{i phi}}, and the loss "
            "depends on this phase, so it has no gradient: use only what does not, such as absolute values"
        )
