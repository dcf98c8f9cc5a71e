"""An adapter whose verbs are of every kind that can be met: an expression, a statement, several, or no source."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any, ClassVar

import numpy as np

from conformance.protocol import Adapter


def _twofold(x: Any) -> Any:
    """A function beside the adapter."""
    return 2 * x


class Functions:
    """`ad.np`."""

    def __init__(self, module: Any) -> None:
        self.module = module

    def exp(self, x: Any) -> Any:
        return self.module.exp(x)

    def square(self, x: Any) -> Any:
        return x * x


class NumpyAdapter(Adapter):
    """Arrays, and nothing of differentiation."""

    name: ClassVar[str] = "numpy"
    numpy: ClassVar[Any] = np
    np: ClassVar[Functions] = Functions(np)

    @property
    def version(self) -> str:
        return str(np.__version__)

    @property
    def held_to(self) -> Mapping[str, str]:
        return {"torch": "2.13"}

    def set_up(self) -> None:
        np.seterr(under="ignore")

    def to_numpy(self, x: Any) -> Any:
        return np.asarray(x)

    def _dtype(self, value: Any, dtype: str | None) -> Any:
        return np.dtype(dtype or "float64").type

    def array(self, value: Any, dtype: str | None = None) -> Any:
        return np.array(value, dtype=self._dtype(value, dtype))

    def detach(self, x: Any) -> Any:
        return _twofold(x)

    def set_item_(self, x: Any, index: Any, value: Any) -> None:
        x[index] = value

    def augment_(self, x: Any, y: Any) -> Any:
        x += y
        return x

    def checkpoint(self, program: Callable[..., Any], policy: str | None = None) -> Callable[..., Any]:
        chosen = {} if policy is None else {"where": policy}
        return lambda *args: program(*args, **chosen)

    # Whoever made this verb left no source behind.
    number_of = eval("lambda self, x: x.item()")
