"""The verbs for memory: in-place writes, views, and conversion to and from other libraries."""

from __future__ import annotations

from typing import Any, Protocol

from conformance.protocol.types import Array, Arrays, DType, Index, Numbers, Operand, Shape, Tree

__all__ = ["Aliasing", "Detaching", "InPlace", "Interchange", "Sparse", "Updates"]


class Detaching(Protocol):
    """Values without their history."""

    def detach(self, x: Array) -> Array:
        """The same value without its history: derivatives do not flow through it."""

    def detach_tree(self, tree: Tree) -> Tree:
        """The same for each array of a container, in a single call."""


class InPlace(Protocol):
    """Writing into an array."""

    def add_(self, x: Array, y: Operand) -> Array:
        """Add `y` to `x` in place."""

    # The only write that Python itself decides: arrays that cannot be written rebind the name.
    def augment_(self, x: Array, y: Operand) -> Array:
        """Python's `x += y`, on every engine; returns what the name `x` is bound to afterwards."""

    def sub_(self, x: Array, y: Operand) -> Array:
        """Subtract `y` from `x` in place."""

    def mul_(self, x: Array, y: Operand) -> Array:
        """Multiply `x` by `y` in place."""

    def copy_(self, x: Array, y: Array) -> Array:
        """Overwrite `x` with the values of `y`."""

    def set_item_(self, x: Array, index: Index, value: Operand) -> None:
        """`x[index] = value`."""

    def inplace_(self, x: Array, operation: str, *args: Any) -> Array:
        """Any other in-place operation, by its name without the underscore: `exp`, `zero`, `index_put`, ..."""

    # By name, since any operation may take `out`; those of the table have `operate_out_`.
    def write_out_(self, out: Array, operation: str, *args: Any) -> Array:
        """The function of that name with the argument `out`, into which it writes its result."""

    def operate_(self, x: Array, operation: str, *args: Any, **options: Any) -> Array:
        """The in-place form of an operation of the table: it writes the result into `x`, its first argument."""

    def operate_out_(self, out: Array, operation: str, *args: Any, **options: Any) -> Array:
        """The operation of the table with the argument `out`, into which it writes its result."""

    def version_of(self, x: Array) -> int:
        """The version counter of `x`: how often its memory was written in place."""

    def increment_version_(self, x: Array | Arrays) -> None:
        """Increment the version counter of an array, or of each in a list, as if it had been written in place."""


class Updates(Protocol):
    """Out-of-place updates: a new array that differs from `x` in a part."""

    def set_at(self, x: Array, index: Array, values: Array) -> Array:
        """`x` with `values` at `index`, an array of integers along the first axis."""

    def add_at(self, x: Array, index: Array, values: Array) -> Array:
        """`x` with `values` added at `index`; a repeated index adds up."""

    def set_block(self, x: Array, start: int, block: Array) -> Array:
        """`x` with `block` written from `start` on along the first axis."""


class Aliasing(Protocol):
    """Views and copies."""

    def view(self, x: Array, shape: Shape) -> Array:
        """A view of the same memory with another shape."""

    def view_by(self, x: Array, operation: str, *args: Any) -> Any:
        """A view, or a tuple of views, by the operation of that name: `transpose`, `expand`, `unbind`, ..."""

    def shares_memory(self, x: Array, y: Array) -> bool:
        """Whether the memory of both begins at the same address."""

    def strides_of(self, x: Array) -> Shape:
        """The strides, in elements."""

    def clone(self, x: Array) -> Array:
        """A copy, which is an operation that derivatives flow through."""

    def detach_(self, x: Array) -> Array:
        """Detach `x` itself, in place."""

    def data_of(self, x: Array) -> Array:
        """The attribute `data`, the old way to detach: it shares memory, and writes to it are not tracked."""


class Sparse(Protocol):
    """Sparse arrays, and functions with sparse gradients."""

    def layout_of(self, x: Array) -> str:
        """The layout of `x`, such as `strided` or `sparse_coo`."""

    def dense_of(self, x: Array, masked_grad: bool | None = None) -> Array:
        """A sparse array as a dense array; `masked_grad`: whether the gradient is that of stored elements alone."""

    def sparse_function(self, name: str, *args: Any, **options: Any) -> Array:
        """The function of that dotted name, such as `sparse.mm`, of sparse arrays or with an option for them."""


class Interchange(Protocol):
    """Conversion between dtypes, devices, Python numbers and other libraries."""

    def cast(self, x: Array, dtype: DType) -> Array:
        """`x` in another dtype."""

    def to_meta_device(self, x: Array) -> Array:
        """`x` on the device `meta`, which every installation has: arrays there have a shape and no numbers."""

    def as_array(self, value: Numbers, dtype: DType | None = None) -> Array:
        """An array of `value`, which may be an array already; copied only where necessary."""

    def new_array(self, x: Array, value: Numbers) -> Array:
        """A new array of `value` with the dtype of `x`, by the method of `x`."""

    def number_of(self, x: Array) -> Any:
        """The only element of `x` as a Python number."""

    def list_of(self, x: Array) -> Any:
        """The elements of `x` as nested lists of Python numbers."""

    def array_from(self, x: Array, requires_grad: bool | None = None) -> Array:
        """`x` in the same memory by the engine's `asarray`: with its history, or, where the flag is False, without."""

    # Not `to_numpy`, which every adapter makes work: this may raise the engine's error.
    def numpy_of(self, x: Array, force: bool = False) -> Any:
        """`x` as a NumPy array by the engine's own conversion, which may raise an error; `force`: detached first."""

    def dlpack_of(self, x: Array) -> Any:
        """The DLPack capsule of `x`."""

    def deep_copy(self, value: Tree) -> Tree:
        """`copy.deepcopy(value)`."""
