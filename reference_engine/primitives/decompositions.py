"""Matrices as products of simpler ones. Each factor is an operation of its own, so each has a rule of its own.

Eigenvectors and singular vectors are chosen by LAPACK among those that differ by a sign or a complex phase; the
factors of one matrix belong together. Leading dimensions are batch dimensions.
"""

from typing import Any

import numpy as np

from ..core.dtypes import Array
from ..core.primitive import Primitive
from .linear_algebra import refusing

__all__ = ["cholesky", "eigh_values", "eigh_vectors", "qr_q", "svd_s", "svd_u", "svd_v"]

_eigh = refusing("eigh", np.linalg.eigh)
_svd = refusing("svd", np.linalg.svd)


def _right(x: Array, full_matrices: Any) -> Any:
    return np.conj(_svd(x, full_matrices=full_matrices)[2].swapaxes(-2, -1))


cholesky = Primitive("cholesky", refusing("cholesky", np.linalg.cholesky), node="LinalgCholeskyExBackward0")
eigh_values = Primitive("eigh_values", lambda x: _eigh(x)[0], node="LinalgEighBackward0")
eigh_vectors = Primitive("eigh_vectors", lambda x: _eigh(x)[1], node="LinalgEighBackward0")
qr_q = Primitive("qr_q", lambda x, mode: np.linalg.qr(x, mode)[0], node="LinalgQrBackward0")
svd_s = Primitive("svd_s", lambda x: _svd(x, full_matrices=False)[1], node="LinalgSvdBackward0")
svd_u = Primitive("svd_u", lambda x, full_matrices: _svd(x, full_matrices)[0], node="LinalgSvdBackward0")
svd_v = Primitive("svd_v", _right, node="LinalgSvdBackward0")
