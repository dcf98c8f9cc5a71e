"""Writing in place, sharing memory, detaching, and what operations save."""

from __future__ import annotations

from collections.abc import Callable
from contextlib import AbstractContextManager
from typing import Any

from adapters.tape_like.base import Array, Base

__all__ = ["MemoryVerbs"]


class MemoryVerbs(Base):
    """The groups InPlace, Aliasing, Detaching and SavedTensors of the protocol."""

    def add_(self, x: Array, y: Any) -> Array:
        return x.add_(y)

    def sub_(self, x: Array, y: Any) -> Array:
        return x.sub_(y)

    def mul_(self, x: Array, y: Any) -> Array:
        return x.mul_(y)

    def sigmoid_(self, x: Array) -> Array:
        return x.sigmoid_()

    def copy_(self, x: Array, y: Array) -> Array:
        return x.copy_(y)

    def set_item_(self, x: Array, index: Any, value: Any) -> None:
        x[index] = value

    def view(self, x: Array, shape: tuple[int, ...]) -> Array:
        return x.view(shape)

    def clone(self, x: Array) -> Array:
        return x.clone()

    def detach(self, x: Array) -> Array:
        return x.detach()

    def detach_(self, x: Array) -> Array:
        return x.detach_()

    def data_of(self, x: Array) -> Array:
        return x.data

    def saved_tensors_hooks(
        self, pack: Callable[[Array], Any], unpack: Callable[[Any], Array]
    ) -> AbstractContextManager[Any]:
        hooks: AbstractContextManager[Any] = self.torch.autograd.graph.saved_tensors_hooks(pack, unpack)
        return hooks
