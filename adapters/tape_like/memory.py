"""Making arrays, in-place writes, views, detaching, and conversion."""

from __future__ import annotations

from operator import attrgetter
from typing import Any

from adapters.spellings.of_torch import SPELLINGS
from adapters.spellings.of_torch.in_place import IN_PLACE
from adapters.spellings.of_torch.out import OUT
from adapters.tape_like.base import Base
from conformance.protocol import Namespace
from conformance.protocol.types import Array, Arrays, DType, Index, Numbers, Operand, Shape


class TapeArrayVerbs(Base):
    """The groups Arrays, InPlace, Updates, Aliasing, Detaching and Interchange of the protocol."""

    @property
    def np(self) -> Namespace:
        """The operations."""
        return Namespace(self.torch, SPELLINGS)

    def array(self, value: Numbers, dtype: DType | None = None) -> Array:
        return self.torch.tensor(value, dtype=self._dtype(value, dtype))

    def bfloat16(self, value: Any) -> Array:
        return self.torch.tensor(value, dtype=self.torch.bfloat16)

    def sparse_array(self, indices: Any, values: Array, shape: Shape) -> Array:
        # PyTorch checks indices only on demand, and behaviours about errors need that.
        return self.torch.sparse_coo_tensor(indices, values, shape, check_invariants=True)

    def layout_of(self, x: Array) -> str:
        return str(x.layout).removeprefix("torch.")

    def dense_of(self, x: Array, masked_grad: bool | None = None) -> Array:
        return x.to_dense() if masked_grad is None else x.to_dense(masked_grad=masked_grad)

    def sparse_function(self, name: str, *args: Any, **options: Any) -> Array:
        return attrgetter(name)(self.torch)(*args, **options)

    def dtype_of(self, x: Array) -> str:
        return str(x.dtype).removeprefix("torch.")

    def to_numpy(self, x: Array) -> Any:
        # PyTorch refuses to convert what requires a gradient; that error is `numpy_of`'s.
        return x.detach().numpy()

    def add_(self, x: Array, y: Operand) -> Array:
        return x.add_(y)

    def sub_(self, x: Array, y: Operand) -> Array:
        return x.sub_(y)

    def mul_(self, x: Array, y: Operand) -> Array:
        return x.mul_(y)

    def copy_(self, x: Array, y: Array) -> Array:
        return x.copy_(y)

    def set_item_(self, x: Array, index: Index, value: Operand) -> None:
        x[index] = value

    def inplace_(self, x: Array, operation: str, *args: Any) -> Array:
        return getattr(x, f"{operation}_")(*args)

    def write_out_(self, out: Array, operation: str, *args: Any) -> Array:
        return getattr(self.torch, operation)(*args, out=out)

    def operate_(self, x: Array, operation: str, *args: Any, **options: Any) -> Array:
        return getattr(Namespace(self.torch, IN_PLACE), operation)(x, *args, **options)

    def operate_out_(self, out: Array, operation: str, *args: Any, **options: Any) -> Array:
        return getattr(Namespace(self.torch, OUT), operation)(out, *args, **options)

    def version_of(self, x: Array) -> int:
        return int(x._version)

    def increment_version_(self, x: Array | Arrays) -> None:
        self.torch.autograd.graph.increment_version(x)

    def set_at(self, x: Array, index: Array, values: Array) -> Array:
        # Without the underscore: the verb gives a new array, as JAX's `at` does.
        return x.index_put((index,), values)

    def add_at(self, x: Array, index: Array, values: Array) -> Array:
        return x.index_put((index,), values, accumulate=True)

    def set_block(self, x: Array, start: int, block: Array) -> Array:
        return x.slice_scatter(block, 0, start, start + len(block))

    def view(self, x: Array, shape: Shape) -> Array:
        # Not `reshape`, which copies where strides admit no view: `view` is to raise its error there.
        return x.view(shape)

    # By name, as checks ask about dozens of them; each is a method of the tensor.
    def view_by(self, x: Array, operation: str, *args: Any) -> Any:
        return getattr(x, operation)(*args)

    def shares_memory(self, x: Array, y: Array) -> bool:
        # Equal starts suffice for checks, which compare an array with a whole view of it.
        return bool(x.data_ptr() == y.data_ptr())

    def strides_of(self, x: Array) -> Shape:
        return tuple(x.stride())  # in elements, where NumPy's are in bytes

    def clone(self, x: Array) -> Array:
        return x.clone()

    def detach(self, x: Array) -> Array:
        return x.detach()

    def detach_(self, x: Array) -> Array:
        return x.detach_()

    def data_of(self, x: Array) -> Array:
        return x.data

    def cast(self, x: Array, dtype: DType) -> Array:
        return x.to(getattr(self.torch, dtype))

    def to_meta_device(self, x: Array) -> Array:
        return x.to("meta")

    def as_array(self, value: Numbers, dtype: DType | None = None) -> Array:
        return self.torch.as_tensor(value, dtype=dtype and getattr(self.torch, dtype))

    def new_array(self, x: Array, value: Numbers) -> Array:
        return x.new_tensor(value)

    def number_of(self, x: Array) -> Any:
        return x.item()

    def list_of(self, x: Array) -> Any:
        return x.tolist()

    def array_from(self, x: Array, requires_grad: bool | None = None) -> Array:
        return self.torch.asarray(x, requires_grad=requires_grad)

    def numpy_of(self, x: Array, force: bool = False) -> Any:
        return x.numpy(force=force)  # the error that it raises is what checks ask about
