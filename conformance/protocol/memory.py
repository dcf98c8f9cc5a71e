"""The verbs for memory: writing it, sharing it, and taking arrays out of the engine and back."""

from __future__ import annotations

from typing import Any, Protocol

__all__ = ["Aliasing", "Detaching", "InPlace", "Interchange", "Updates"]

Array = Any


class Detaching(Protocol):
    """Values cut off from how they were computed."""

    def detach(self, x: Array) -> Array:
        """The same value, through which no derivative flows."""


class InPlace(Protocol):
    """Writing into an array."""

    def add_(self, x: Array, y: Any) -> Array:
        """Add `y` to `x` in place."""

    def augment_(self, x: Array, y: Any) -> Array:
        """`x += y` as Python has it, on every engine; returns what the name `x` stands for afterwards."""

    def sub_(self, x: Array, y: Any) -> Array:
        """Subtract `y` from `x` in place."""

    def mul_(self, x: Array, y: Any) -> Array:
        """Multiply `x` by `y` in place."""

    def sigmoid_(self, x: Array) -> Array:
        """Replace each element by its logistic function."""

    def copy_(self, x: Array, y: Array) -> Array:
        """Overwrite `x` with the values of `y`."""

    def set_item_(self, x: Array, index: Any, value: Any) -> None:
        """`x[index] = value`."""

    def write_by_(self, x: Array, operation: str, *args: Any) -> Array:
        """Any other operation in place, by its name without the underscore: `exp`, `zero`, `index_put`, ..."""

    def write_out_(self, out: Array, operation: str, *args: Any) -> Array:
        """Have the function of that name write its result into `out`."""

    def version_of(self, x: Array) -> int:
        """How often the memory of `x` was written."""


class Updates(Protocol):
    """New arrays that are old ones but for a part; the old ones stay as they are."""

    def set_at(self, x: Array, index: Array, values: Array) -> Array:
        """`x` with `values` at the places that `index`, an array of integers along the first axis, names."""

    def add_at(self, x: Array, index: Array, values: Array) -> Array:
        """`x` with `values` added at these places; to a place named twice, both are."""

    def set_block(self, x: Array, start: int, block: Array) -> Array:
        """`x` with `block` from `start` on, along the first axis."""


class Aliasing(Protocol):
    """Arrays that share memory, and arrays that do not."""

    def view(self, x: Array, shape: tuple[int, ...]) -> Array:
        """The same memory under another shape."""

    def view_by(self, x: Array, operation: str, *args: Any) -> Any:
        """A view, or views, by the operation of that name: `transpose`, `expand`, `unbind`, ..."""

    def shares_memory(self, x: Array, y: Array) -> bool:
        """Whether both begin at the same address."""

    def strides_of(self, x: Array) -> tuple[int, ...]:
        """The step in memory, in elements, along each axis."""

    def clone(self, x: Array) -> Array:
        """A copy in memory of its own, recorded as an operation."""

    def detach_(self, x: Array) -> Array:
        """Cut `x` itself off from how it was computed."""

    def data_of(self, x: Array) -> Array:
        """The old way to detach: the same memory, unwatched."""


class Interchange(Protocol):
    """Arrays, plain numbers, other libraries' arrays, and copies."""

    def cast(self, x: Array, dtype: str) -> Array:
        """`x` in another dtype."""

    def elsewhere(self, x: Array) -> Array:
        """`x` on another device: one that every installation has, because it keeps no numbers."""

    def as_array(self, value: Any, dtype: str | None = None) -> Array:
        """An array of `value`, which may be one already, without a copy where there need not be one."""

    def new_array(self, x: Array, value: Any) -> Array:
        """An array of `value` by the method of `x`, in its dtype."""

    def number_of(self, x: Array) -> Any:
        """The one element of `x` as a Python number."""

    def list_of(self, x: Array) -> Any:
        """The elements of `x` as nested lists of Python numbers."""

    def numpy_of(self, x: Array) -> Any:
        """`x` as a NumPy array by the engine's own conversion, with whatever that refuses."""

    def dlpack_of(self, x: Array) -> Any:
        """`x` as a capsule for other libraries."""

    def deep_copy(self, value: Any) -> Any:
        """A copy by the standard library."""
