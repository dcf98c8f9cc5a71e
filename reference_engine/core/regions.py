"""Regions: the part of an array's memory that another array views."""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np
from numpy.lib.stride_tricks import as_strided as _as_strided

from .aliases import Array, Shape


def address(array: Array) -> int:
    """Where an array begins in memory; of a batch, where its first example does."""
    memory: Array = getattr(array, "memory", array)
    return int(memory.__array_interface__["data"][0])


class Region(NamedTuple):
    """Which elements of a base a view consists of: byte offset, shape, strides and type within the base's memory."""

    base_shape: Shape
    base_strides: Shape
    base_dtype: Any
    offset: int
    shape: Shape
    strides: Shape
    dtype: Any

    @staticmethod
    def between(base: Array, view: Array) -> Region:
        """The region of the array `base` that the array `view` looks at."""
        offset = address(view) - address(base)
        return Region(base.shape, base.strides, base.dtype, offset, view.shape, view.strides, view.dtype)

    def spread(self, values: Any) -> Array:
        """A copy of `values`, which has the base's shape, laid out in memory exactly as the base is."""
        # What the strides span: more than the elements need in a slice, less in an expanded tensor.
        extent = (
            sum(s * (n - 1) for s, n in zip(self.base_strides, self.base_shape, strict=False))
            + self.base_dtype.itemsize
        )
        copy = np.ndarray(self.base_shape, self.base_dtype, bytearray(extent), 0, self.base_strides)
        copy[...] = values
        return copy

    def look(self, memory: Array) -> Array:
        """The view of an array that is laid out as the base is."""
        buffer = memory if memory.base is None else memory.base
        return np.ndarray(self.shape, self.dtype, buffer, self.offset, self.strides)


def _whole(x: Array) -> Array:
    """All of the memory that an array looks at, as a vector of the array's type."""
    owner: Array = getattr(x, "memory", x)
    while isinstance(owner.base, np.ndarray):
        owner = owner.base
    flat = _as_strided(owner, (owner.size,), (owner.itemsize,))
    return flat if owner.dtype == x.dtype else flat.view(x.dtype)


class Steps(NamedTuple):
    """Shape and steps, in elements, of a look at the memory of an array, and the form of the array itself."""

    shape: Shape
    steps: Shape
    start: int
    source_strides: Shape
    places: Any
    """For each element that is looked at, its number in the array; -1 for memory that is not the array's."""

    @staticmethod
    def of(x: Array, shape: Shape, steps: Shape, start: int) -> Steps:
        """The look at the memory of x from `start` elements after its first. RuntimeError if it leaves the memory.

        Of a batch, where its first example looks.
        """
        memory = _whole(x)
        first = (address(x) - address(memory)) // x.itemsize
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

    def look(self, x: Array) -> Array:
        """The view of an array that lies in memory as the array did; of another the same elements, as a copy."""
        if x.strides != self.source_strides:
            return np.append(x.ravel(), x.dtype.type(0))[self.places]
        memory = _whole(x)
        first = (address(x) - address(memory)) // x.itemsize + self.start
        return _as_strided(memory[first:], self.shape, [s * x.itemsize for s in self.steps])
