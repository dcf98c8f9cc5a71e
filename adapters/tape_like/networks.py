"""The functions of `conformance.protocol.matrices` and `losses`, under the names that PyTorch gives them."""

from __future__ import annotations

from typing import Any

__all__ = ["LossesAndMatrices"]

Array = Any


class LossesAndMatrices:
    """`torch` is the engine's top module."""

    torch: Any

    def eig(self, x: Array) -> tuple[Array, Array]:
        return tuple(self.torch.linalg.eig(x))

    def eigh(self, x: Array) -> tuple[Array, Array]:
        return tuple(self.torch.linalg.eigh(x))

    def svd(self, x: Array) -> tuple[Array, Array, Array]:
        return tuple(self.torch.linalg.svd(x))

    def svdvals(self, x: Array) -> Array:
        return self.torch.linalg.svdvals(x)

    def qr(self, x: Array, mode: str) -> Any:
        return tuple(self.torch.linalg.qr(x, mode))

    def slogdet(self, x: Array) -> tuple[Array, Array]:
        return tuple(self.torch.linalg.slogdet(x))

    def binary_cross_entropy(self, x: Array, target: Array) -> Array:
        return self.torch.nn.functional.binary_cross_entropy(x, target)

    def gaussian_nll_loss(self, x: Array, target: Array, var: Array, eps: float) -> Array:
        return self.torch.nn.functional.gaussian_nll_loss(x, target, var, eps=eps)

    def cross_entropy(self, x: Array, target: Array, ignore_index: int) -> Array:
        return self.torch.nn.functional.cross_entropy(x, target, ignore_index=ignore_index)

    def embedding(
        self, indices: Array, table: Array, padding_idx: int | None = None, scale_grad_by_freq: bool = False
    ) -> Array:
        options = {"padding_idx": padding_idx, "scale_grad_by_freq": scale_grad_by_freq}
        return self.torch.nn.functional.embedding(indices, table, **options)

    def gumbel_softmax(self, x: Array, hard: bool) -> Array:
        return self.torch.nn.functional.gumbel_softmax(x, hard=hard)

    def dropout(self, x: Array, p: float) -> Array:
        return self.torch.nn.functional.dropout(x, p)
