"""Adapters whose numbers are wrong, or of another precision, in ways that a tolerance could hide."""

from __future__ import annotations

from typing import Any

import numpy as np

from tests.zoo.adapters import Healthy


class AgreeingArray(np.ndarray):
    """Says of any comparison that it holds, and calls itself of double precision."""

    def __array_ufunc__(self, *args: Any, **kwargs: Any) -> Any:
        return np.ones(self.shape, bool)

    def __eq__(self, other: object) -> Any:
        return np.ones(self.shape, bool)

    __hash__ = None  # type: ignore[assignment]

    @property
    def dtype(self) -> Any:
        return np.dtype("float64")


class AgreeingName(str):
    """Is equal to every other name."""

    def __eq__(self, other: object) -> bool:
        return True

    __hash__ = str.__hash__


class IsFarOffInHalfPrecision(Healthy):
    """Returns numbers 30 % too large, in half precision."""

    def detach(self, x: Any) -> Any:
        # Within 512 units of half precision, which passed while the tolerance followed from the value's own dtype.
        return (1.3 * x).astype("float16")


class HandsOutHalfPrecision(Healthy):
    """Computes in double precision, and hands numbers out in half, 30 % too large."""

    def detach(self, x: Any) -> Any:
        return Exported(x)

    def to_numpy(self, x: Any) -> Any:
        return (1.3 * x.array).astype("float16") if isinstance(x, Exported) else np.asarray(x)


class Exported:
    """An array that only `to_numpy` can read."""

    def __init__(self, array: Any) -> None:
        self.array = array


class ReturnsHalfPrecision(Healthy):
    """Returns the right numbers, in half precision."""

    def detach(self, x: Any) -> Any:
        return x.astype("float16")


class ReturnsSinglePrecision(Healthy):
    """Returns numbers in single precision, with an error of a thousandth."""

    def detach(self, x: Any) -> Any:
        # Sixteen times the rounding that is allowed in single precision (compare.ROUNDING).
        return (1.001 * x).astype("float32")


class ReturnsIntegers(Healthy):
    """Returns the right numbers as integers."""

    def detach(self, x: Any) -> Any:
        return x.astype("int64")


class ReturnsComplexNumbers(Healthy):
    """Returns the right numbers with an imaginary part of zero."""

    def detach(self, x: Any) -> Any:
        return x.astype("complex128")


class LacksDoubles(Healthy):
    """Has single precision only, says so, and keeps the numbers but for a thousandth."""

    missing_dtypes = frozenset({"float64", "complex128"})

    def array(self, value: Any, dtype: str | None = None) -> Any:
        return np.asarray(value, "float32")

    leaf = array

    def detach(self, x: Any) -> Any:
        return x * np.float32(1.001)


class ReturnsATrillionNumbers(Healthy):
    """Returns a view of one number that has 10**12 elements."""

    def detach(self, x: Any) -> Any:
        # Costs no memory until it is printed or copied whole, which no comparison may do before it looks at the shape.
        return np.broadcast_to(x, (10**6, 10**6))


class AgreesAsAnArray(Healthy):
    """Returns wrong numbers in an array that is equal to any other."""

    def detach(self, x: Any) -> Any:
        return (x + 1).view(AgreeingArray)


class HandsOutALongList(Healthy):
    """Gives a list for a NumPy array."""

    def detach(self, x: Any) -> Any:
        return Exported(x)

    def to_numpy(self, x: Any) -> Any:
        return [3.0] * 10**6 if isinstance(x, Exported) else np.asarray(x)
