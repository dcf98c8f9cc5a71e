"""Making and reading arrays."""

from __future__ import annotations

from typing import Any

from adapters.spellings.torch import SPELLINGS
from adapters.tape_like.base import Base
from conformance.protocol import Namespace
from conformance.protocol.types import Array, DType, Numbers, Shape

__all__ = ["ArrayVerbs"]


class ArrayVerbs(Base):
    """The group Arrays of the protocol."""

    @property
    def np(self) -> Namespace:
        """The operations."""
        return Namespace(self.torch, SPELLINGS)

    def array(self, value: Numbers, dtype: DType | None = None) -> Array:
        return self.torch.tensor(value, dtype=self._dtype(value, dtype))

    def bfloat16(self, value: Any) -> Array:
        return self.torch.tensor(value, dtype=self.torch.bfloat16)

    def sparse_array(self, indices: Any, values: Array, shape: Shape) -> Array:
        return self.torch.sparse_coo_tensor(indices, values, shape, check_invariants=True)

    def dtype_of(self, x: Array) -> str:
        return str(x.dtype).removeprefix("torch.")

    def to_numpy(self, x: Array) -> Any:
        return x.detach().numpy()
