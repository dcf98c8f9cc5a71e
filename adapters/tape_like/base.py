"""The base of the family's verbs: the engine's module, and the dtype of literals."""

from __future__ import annotations

from itertools import chain
from typing import Any, ClassVar

from conformance.protocol.types import DType, Numbers


class Base:
    """An engine with PyTorch's public names."""

    torch: ClassVar[Any]

    def _dtype(self, value: Numbers, dtype: DType | None) -> Any:
        """The engine's dtype for a literal: named, or in double precision as checks ask, or its own for the rest."""
        # The protocol names dtypes as strings, so that behaviours need no engine.
        if dtype is not None:
            return getattr(self.torch, dtype)
        kind = _kind(value)  # PyTorch makes single precision of Python floats; checks count in double
        # Of integers and booleans None: the engine infers their dtype.
        return {float: self.torch.float64, complex: self.torch.complex128}.get(kind)


def _kind(value: Any) -> type:
    """The widest Python number in nested lists; arrays among them count by their dtype."""
    if isinstance(value, (list, tuple)):
        # Nested lists as a whole, and numbers by their type: laws convert thousands of them.
        while set(map(type, value)) == {list}:
            value = list(chain.from_iterable(value))
        types = set(map(type, value))
        kinds = types if types <= {bool, int, float, complex} else {_kind(item) for item in value}
        return next((kind for kind in (complex, float) if kind in kinds), int)
    name = str(getattr(value, "dtype", type(value).__name__))
    return complex if "complex" in name else float if "float" in name else int
