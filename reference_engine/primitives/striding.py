"""Looking at memory in steps that no chain of slices and transposes would give."""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np
from numpy.lib.stride_tricks import as_strided as _as_strided

from ..core.dtypes import Array
from ..core.primitive import Primitive

__all__ = ["as_strided"]


def _address(x: Array) -> int:
    return int(x.__array_interface__["data"][0])


def _whole(x: Array) -> Any:
    """All of the memory that an array looks at, as a vector of the array's type."""
    owner = x
    while isinstance(owner.base, np.ndarray):
        owner = owner.base
    flat = _as_strided(owner, (owner.size,), (owner.itemsize,))
    return flat if owner.dtype == x.dtype else flat.view(x.dtype)


class Steps(NamedTuple):
    """Shape and steps, in elements, of a look at the memory of an array, and the form of the array itself."""

    shape: tuple[int, ...]
    steps: tuple[int, ...]
    start: int
    source_strides: tuple[int, ...]
    places: Any
    """For each element that is looked at, its number in the array; -1 for memory that is not the array's."""

    @staticmethod
    def of(x: Array, shape: tuple[int, ...], steps: tuple[int, ...], start: int) -> Steps:
        """The look at the memory of x from so many elements after its first. RuntimeError if it leaves the memory."""
        memory = _whole(x)
        first = (_address(x) - _address(memory)) // x.itemsize
        numbers = np.full(memory.size, -1)
        itself = _as_strided(numbers[first:], x.shape, [s // x.itemsize * numbers.itemsize for s in x.strides])
        itself[...] = np.arange(x.size).reshape(x.shape)
        last = first + start + sum(s * (n - 1) for s, n in zip(steps, shape, strict=True))
        if 0 not in shape and not (first + start >= 0 and last < memory.size):
            raise RuntimeError(
                f"setStorage: sizes {list(shape)} and strides {list(steps)} from element {first + start} are out of "
                f"bounds for storage of {memory.size} elements"
            )
        places = _as_strided(numbers[first + start :], shape, [s * numbers.itemsize for s in steps]).copy()
        return Steps(shape, steps, start, x.strides, places)

    def look(self, x: Array) -> Any:
        """The view of an array that lies in memory as the array did; of another the same elements, as a copy."""
        if x.strides != self.source_strides:
            return np.append(x.ravel(), x.dtype.type(0))[self.places]
        memory = _whole(x)
        first = (_address(x) - _address(memory)) // x.itemsize + self.start
        return _as_strided(memory[first:], self.shape, [s * x.itemsize for s in self.steps])


as_strided = Primitive("as_strided", lambda x, steps: steps.look(x), view=True)
