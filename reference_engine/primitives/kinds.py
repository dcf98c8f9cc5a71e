"""Which kinds of numbers a primitive is for, and how they lie: NumPy would compute, or complain, in its own way."""

from collections.abc import Callable
from typing import Any

import numpy as np

ORDERED = "biuf"
"""Bool, integer and floating: what has an order. Letters are NumPy's: b, i and u, f, and c for complex."""

COUNTED = "iuf"
"""Numbers on a line, bool not among them."""

SIGNED = "iufc"
"""All that can be subtracted."""

WHOLE = "biu"
"""All that has bits."""


def only(kinds: str, function: Callable[..., Any]) -> Callable[..., Any]:
    """The function for first arguments of these kinds; NotImplementedError for others."""

    def evaluate(x: Any, *args: Any, **options: Any) -> Any:
        dtype = getattr(x, "dtype", None)
        if dtype is not None and dtype.kind not in kinds:
            message = f"this operation is not implemented for numbers of type {dtype}: convert them first"
            raise NotImplementedError(message)
        return function(x, *args, **options)

    return evaluate


def in_rows(function: Callable[..., Any]) -> Callable[..., Any]:
    """The function with its result in rows, for an argument in any order, so that any view of it exists."""
    return lambda x, **options: np.asarray(function(x, **options), order="C")


def dividing(function: Callable[..., Any]) -> Callable[..., Any]:
    """The function for numbers on a line; RuntimeError for integers divided by zero, which NumPy calls zero."""

    def evaluate(x: Any, y: Any) -> Any:
        if np.result_type(x, y).kind in "iu" and not np.all(y):
            raise RuntimeError("ZeroDivisionError: integers cannot be divided by zero; floating numbers can")
        return function(x, y)

    return only(COUNTED, evaluate)
