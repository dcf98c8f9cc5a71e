"""Decompositions, solvers, determinants and inverses, in PyTorch."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from conformance.protocol import Spelling, same


def _eigh(torch: Any, x: Any, UPLO: str | None = None) -> Any:
    """Without the option, the engine's own default is what is tried."""
    return tuple(torch.linalg.eigh(x, **{"UPLO": UPLO} if UPLO else {}))


LINEAR_ALGEBRA: Mapping[str, Spelling] = {
    **same(
        "torch.linalg", "det eigvals eigvalsh svdvals cholesky inv pinv solve matrix_power cond tensorinv tensorsolve"
    ),
    **same("torch", "logdet cholesky_inverse vander"),
    **dict.fromkeys(("pinv_of_tall", "pinv_of_wide"), "torch.linalg.pinv"),
    **dict.fromkeys(("solve_vector", "solve_batch", "solve_of_stack"), "torch.linalg.solve"),
    "slogdet": lambda torch, x: tuple(torch.linalg.slogdet(x)),
    "eig": lambda torch, x: tuple(torch.linalg.eig(x)),
    "eigh": _eigh,
    "svd": lambda torch, x: tuple(torch.linalg.svd(x)),
    "svd_of_tall": lambda torch, x: tuple(torch.linalg.svd(x, full_matrices=False)),
    "svd_of_wide": lambda torch, x: tuple(torch.linalg.svd(x, full_matrices=False)),
    "cholesky_upper": lambda torch, x: torch.linalg.cholesky(x, upper=True),
    "cholesky_ex": lambda torch, x: torch.linalg.cholesky_ex(x).L,
    "qr": lambda torch, x, mode: tuple(torch.linalg.qr(x, mode)),
    "qr_of_tall": lambda torch, x: tuple(torch.linalg.qr(x)),
    "qr_of_wide": lambda torch, x: tuple(torch.linalg.qr(x)),
    "lu": lambda torch, x: tuple(torch.linalg.lu(x)),
    "lu_of_tall": lambda torch, x: tuple(torch.linalg.lu(x)),
    "lu_of_wide": lambda torch, x: tuple(torch.linalg.lu(x)),
    "lu_factor": lambda torch, x: tuple(torch.linalg.lu_factor(x)),
    "lu_factor_ex": lambda torch, x: torch.linalg.lu_factor_ex(x).LU,
    "ldl_factor": lambda torch, x: tuple(torch.linalg.ldl_factor(x)),
    "cond_of_norm": "torch.linalg.cond",
    "vander_increasing": "torch.linalg.vander",
    "expm": "torch.linalg.matrix_exp",
    "inv_ex": lambda torch, x: torch.linalg.inv_ex(x).inverse,
    "pinv_hermitian": lambda torch, x: torch.linalg.pinv(x, hermitian=True),
    "pinv_of_rank": lambda torch, x: torch.linalg.pinv(x, rtol=1e-4),
    "tensorinv_of_one": lambda torch, x: torch.linalg.tensorinv(x, 1),
    "solve_from_right": lambda torch, a, b: torch.linalg.solve_ex(a, b, left=False).result,
    "solve_ex": lambda torch, a, b: torch.linalg.solve_ex(a, b).result,
    "solve_triangular": lambda torch, a, b, lower=False: torch.linalg.solve_triangular(a, b, upper=not lower),
    "solve_triangular_of_stack": lambda torch, a, b: torch.linalg.solve_triangular(a, b, upper=True),
    "solve_unit_triangular": lambda torch, a, b, lower=False: torch.linalg.solve_triangular(
        a, b, upper=not lower, unitriangular=True
    ),
    "solve_triangular_from_right": lambda torch, a, b: torch.linalg.solve_triangular(a, b, upper=True, left=False),
    "triangular_solve": lambda torch, b, a, upper=True, transpose=False, unitriangular=False: (
        torch.triangular_solve(b, a, upper, transpose, unitriangular).solution
    ),
    "lstsq": lambda torch, a, b: torch.linalg.lstsq(a, b).solution,
    "lstsq_of_square": lambda torch, a, b: torch.linalg.lstsq(a, b).solution,
    "lstsq_of_wide": lambda torch, a, b: torch.linalg.lstsq(a, b).solution,
    **dict.fromkeys(("cholesky_solve", "cholesky_solve_of_stack", "cholesky_solve_of_cube"), "torch.cholesky_solve"),
    "cholesky_solve_upper": lambda torch, b, c: torch.cholesky_solve(b, c, upper=True),
    "cholesky_inverse_upper": lambda torch, c: torch.cholesky_inverse(c, upper=True),
    # PyTorch counts rows from 1, in 32 bits.
    "lu_solve": lambda torch, lu, pivots, b: torch.linalg.lu_solve(lu, (pivots + 1).int(), b),
    "lu_solve_transposed": lambda torch, lu, pivots, b: torch.linalg.lu_solve(lu, (pivots + 1).int(), b, adjoint=True),
    "ldl_solve": lambda torch, ld, pivots, b: torch.linalg.ldl_solve(ld, pivots.int(), b),
    "householder_product": "torch.linalg.householder_product",
    "ormqr": "torch.ormqr",
    "block_diag": lambda torch, xs: torch.block_diag(*xs),
}
