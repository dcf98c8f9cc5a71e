"""Decompositions, solvers, determinants and inverses, in PyTorch."""

from __future__ import annotations

from collections.abc import Mapping

from conformance.protocol import Spelling, same

LINEAR_ALGEBRA: Mapping[str, Spelling] = {
    **same("torch.linalg", "det eigvalsh svdvals"),
    "eig": lambda torch, x: tuple(torch.linalg.eig(x)),
    "eigh": lambda torch, x: tuple(torch.linalg.eigh(x)),
    "svd": lambda torch, x: tuple(torch.linalg.svd(x)),
    "qr": lambda torch, x, mode: tuple(torch.linalg.qr(x, mode)),
    "slogdet": lambda torch, x: tuple(torch.linalg.slogdet(x)),
}
