"""Batched tensors, each of which looks like a single example to the function under `vmap`.

A `Batched` holds a tensor with a further dimension in front, the batch, and shows the form of a single example: its
shape, dtype and memory layout, but never its numbers, which differ from example to example. Whatever asks for the
numbers (``item()``, ``bool()``, an `if`, NumPy) raises an error, since its answer could not hold for the whole batch.

The tensor inside may be batched in turn, by an outer `vmap`, and has a history: that of the batch, which
the world outside sees. The history of the `Batched` itself is that of an example, which derivatives taken *inside*
the function see. So both ``vmap(grad(f))`` and ``grad(vmap(f))`` work with the same tape.
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import Any, NoReturn

import numpy as np

from .. import primitives as o
from ..core.inplace import inplace
from ..core.regions import Region
from ..core.tape import Edge
from ..core.tensor import Tensor
from ..core.views import region_of

_NO_NUMBERS = (
    "vmap: It looks like you're calling .item() on a Tensor, or attempting to use it in some data-dependent control "
    "flow (`if`, `while`, bool(), int(), float(), tolist(), numpy()). A batched tensor has one value for each example, "
    "so no single one can be given: use torch.where for choices, or do this outside of vmap. (Outside of vmap already? "
    "Then the tensor escaped from the function being mapped: return it instead.)"
)


@dataclass(frozen=True)
class Batch:
    """One batching under way: its level, the number of examples, and what random functions do there."""

    level: int
    size: int
    randomness: str


class Appearance(np.lib.mixins.NDArrayOperatorsMixin):
    """The array of an example as far as it is the same for all: its form, and where it starts in memory.

    Operators, which the mixin leads to `__array_ufunc__`, and all else that needs numbers raise RuntimeError.
    """

    def __init__(self, batch: Any) -> None:
        # Only what is equal for all examples is here; anything else reaches `__getattr__`, which raises.
        self.shape = batch.shape[1:]
        self.strides = batch.strides[1:]
        self.ndim = batch.ndim - 1
        self.dtype = batch.dtype
        self.itemsize = batch.itemsize
        self.flags = batch.flags
        self.memory = getattr(batch, "memory", batch)

    @property
    def size(self) -> int:
        """The number of elements of an example."""
        total = 1
        for n in self.shape:
            total *= n
        return total

    def __len__(self) -> int:
        return int(self.shape[0])

    def __getattr__(self, name: str) -> NoReturn:
        raise RuntimeError(_NO_NUMBERS)

    def _raise(self, *args: Any, **options: Any) -> NoReturn:
        raise RuntimeError(_NO_NUMBERS)

    __array__ = __array_ufunc__ = __getitem__ = __iter__ = __bool__ = _raise
    __hash__ = None  # type: ignore[assignment]


class Batched(Tensor):
    """An example of a batch. `value` is the whole batch, along its first dimension; `level` is that of its `vmap`."""

    value: Tensor
    level: int

    @staticmethod
    def wrap(value: Tensor, level: int, edge: Edge | None = None) -> Batched:
        """The tensor as a batch of examples, with the given history of an example or none."""
        made = Batched.__new__(Batched)
        made.value, made.level = value, level
        made.version, made.inference = value.version, value.inference
        if edge is not None:
            made.history = edge
        return made

    @property
    def array(self) -> Any:
        """The form of an example. Not its numbers."""
        return Appearance(self.value.array)

    @property
    def data(self) -> NoReturn:
        """RuntimeError: it would let changes escape from the function."""
        raise RuntimeError("accessing `data` under vmap transform is not allowed: use detach()")

    def alias(self, edge: Edge | None = None) -> Batched:
        """Another tensor with the same batch, and the given history of an example or none."""
        return Batched.wrap(self.value, self.level, edge)

    def numpy(self, *, force: bool = False) -> NoReturn:
        """RuntimeError: the numbers differ from example to example."""
        raise RuntimeError(_NO_NUMBERS)

    __array__ = numpy

    def detach(self) -> Batched:
        """The same memory outside the graph, that of the batch too (torch.Tensor.detach)."""
        return Batched.wrap(self.value.detach(), self.level)

    @property
    def memory(self) -> Any:
        """The NumPy array that holds the numbers of all examples."""
        return self.value.memory

    def batches(self) -> set[int]:
        """This level, and those of the batch itself."""
        return {self.level} | self.value.batches()

    def copied(self) -> Tensor:
        """The contents as they are now, in memory of their own."""
        return Batched.wrap(o.clone(self.value), self.level)

    def store(self, result: Tensor) -> None:
        """Write to the batch by the same means as to any tensor, so that its history and version say so too."""
        inside = o.overwrite(self, result) if self.array.shape != result.array.shape else result
        inside = inside.value if isinstance(inside, Batched) and inside.level == self.level else inside
        # The write is recorded a level below, where the batch has its history.
        inplace(self.value, o.overwrite, self.value, inside)

    def part(self, region: Region) -> Tensor:
        """The region of every example."""
        return Batched.wrap(region_of(self.value, _in_each(region, len(self.value.array))), self.level)

    def expanded_to_batch(self, made: Tensor) -> Tensor:
        """A tensor just made, once for every example, so that each can be written to."""
        # Not expanded, which would give all examples the same memory.
        whole = Tensor.of(np.repeat(made.array[None], self.value.array.shape[0], 0))
        return Batched.wrap(self.value.expanded_to_batch(whole), self.level)

    def __repr__(self) -> str:
        return f"Batched(level={self.level}, value={self.value!r})"


def _in_each(region: Region, count: int) -> Region:
    """The same region in each of several bases, contiguous in memory; RuntimeError if they cannot be so."""
    step = math.prod(region.base_shape) * region.base_dtype.itemsize
    steps = np.empty(region.base_shape, region.base_dtype).strides
    if region.base_strides != steps:
        raise RuntimeError("vmap: in-place writing through a view of a tensor that is not contiguous: clone() it")
    return region._replace(
        base_shape=(count, *region.base_shape), base_strides=(step, *steps),
        shape=(count, *region.shape), strides=(step, *region.strides),
    )  # fmt: skip
