"""Products, and what solves equations in them. Leading dimensions of matrices are batch dimensions."""

from collections.abc import Callable
from typing import Any

import numpy as np

from ..core.aliases import Array
from ..core.primitive import Primitive

__all__ = ["bmm", "cofactors", "det", "dot", "inverse", "mm", "mv", "slogdet_log", "slogdet_sign", "solve"]


class LinAlgError(RuntimeError):
    """A matrix that has no inverse or no such decomposition (torch.linalg.LinAlgError)."""


def naming_errors(name: str, function: Callable[..., Any]) -> Callable[..., Any]:
    """A function of NumPy's, whose errors become PyTorch's and name the function called."""

    def call(*args: Any, **options: Any) -> Any:
        try:
            return function(*args, **options)
        except np.linalg.LinAlgError as error:
            raise LinAlgError(f"linalg.{name}: {error} (shape {list(args[0].shape)})") from None

    return call


def _cofactors(x: Array) -> Any:
    # By singular values, because a matrix without an inverse has cofactors too. NaN has no singular values.
    finite = np.isfinite(x).all((-2, -1), keepdims=True)
    u, s, vh = np.linalg.svd(np.where(finite, x, 0))
    others = np.where(np.eye(s.shape[-1], dtype=bool), 1, s[..., None, :]).prod(-1)
    adjugate = (vh.conj().swapaxes(-2, -1) * others[..., None, :]) @ u.conj().swapaxes(-2, -1)
    turns = np.linalg.det(u) * np.linalg.det(vh)
    return np.where(finite, turns[..., None, None] * adjugate.swapaxes(-2, -1), np.nan).astype(x.dtype)


dot = Primitive("dot", np.dot)
mv = Primitive("mv", np.matmul)
mm = Primitive("mm", np.matmul)
bmm = Primitive("bmm", np.matmul)
inverse = Primitive("inverse", naming_errors("inv", np.linalg.inv), node="LinalgInvExBackward0")
solve = Primitive("solve", naming_errors("solve", np.linalg.solve), node="LinalgSolveExBackward0")
det = Primitive("det", naming_errors("det", np.linalg.det), node="LinalgDetBackward0")
cofactors = Primitive("cofactors", naming_errors("det", _cofactors))
slogdet_sign = Primitive("slogdet_sign", lambda x: np.linalg.slogdet(x)[0], node="LinalgSlogdetBackward0")
slogdet_log = Primitive("slogdet_log", lambda x: np.linalg.slogdet(x)[1], node="LinalgSlogdetBackward0")
