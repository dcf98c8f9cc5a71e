"""The functions of `conformance.protocol.mathematics`, under the names that PyTorch gives them."""

from __future__ import annotations

from typing import Any

__all__ = ["Mathematics"]

Array = Any


class Mathematics:
    """`torch` is the engine's top module."""

    torch: Any

    def digamma(self, x: Array) -> Array:
        return self.torch.digamma(x)

    def view_as_real(self, x: Array) -> Array:
        return self.torch.view_as_real(x)

    def underived(self, x: Array) -> Array:
        # The incomplete gamma function, in its first argument.
        return self.torch.special.gammainc(x, self.torch.ones_like(x))

    def signbit(self, x: Array) -> Array:
        return self.torch.signbit(x)

    def matrix_norm(self, x: Array) -> Array:
        return self.torch.linalg.matrix_norm(x)

    def count_nonzero(self, x: Array) -> Array:
        return self.torch.count_nonzero(x)

    def sort_with_indices(self, x: Array) -> tuple[Array, Array]:
        return tuple(self.torch.sort(x))

    def max_with_index(self, x: Array) -> tuple[Array, Array]:
        return tuple(self.torch.max(x, dim=0))

    def topk(self, x: Array, k: int) -> tuple[Array, Array]:
        return tuple(self.torch.topk(x, k))

    def kthvalue(self, x: Array, k: int) -> Array:
        return self.torch.kthvalue(x, k).values

    def mode(self, x: Array) -> Array:
        return self.torch.mode(x).values

    def nonzero(self, x: Array) -> Array:
        return self.torch.nonzero(x)

    def searchsorted(self, x: Array, values: Array) -> Array:
        return self.torch.searchsorted(x, values)

    def take(self, x: Array, indices: Array) -> Array:
        return self.torch.take(x, indices)

    def dist(self, x: Array, y: Array) -> Array:
        return self.torch.dist(x, y)

    def cdist(self, x: Array, y: Array) -> Array:
        return self.torch.cdist(x, y)

    def pdist(self, x: Array) -> Array:
        return self.torch.nn.functional.pdist(x)

    def relu6(self, x: Array) -> Array:
        return self.torch.nn.functional.relu6(x)

    def leaky_relu(self, x: Array) -> Array:
        return self.torch.nn.functional.leaky_relu(x)

    def hardtanh(self, x: Array) -> Array:
        return self.torch.nn.functional.hardtanh(x)

    def hardsigmoid(self, x: Array) -> Array:
        return self.torch.nn.functional.hardsigmoid(x)

    def lp_pool1d(self, x: Array, norm: int, size: int) -> Array:
        return self.torch.nn.functional.lp_pool1d(x, norm, size)

    def l1_loss(self, x: Array, target: Array) -> Array:
        return self.torch.nn.functional.l1_loss(x, target)

    def smooth_l1_loss(self, x: Array, target: Array) -> Array:
        return self.torch.nn.functional.smooth_l1_loss(x, target)

    def huber_loss(self, x: Array, target: Array) -> Array:
        return self.torch.nn.functional.huber_loss(x, target)

    def full_like(self, x: Array, value: float) -> Array:
        return self.torch.full_like(x, value)

    def rand_like(self, x: Array) -> Array:
        return self.torch.rand_like(x)
