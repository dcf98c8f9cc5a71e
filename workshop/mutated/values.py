"""Values of any engine: arrays have a shape and a dtype, and may be in containers."""

from __future__ import annotations

import re
from collections.abc import Callable
from typing import Any

import numpy

# By text, as each engine has another type for dtypes.
INEXACT = re.compile(r"\b(bfloat16|float(16|32|64)|complex(64|128))\b")


def is_array(value: Any) -> bool:
    """Whether a value is an array of the engine, traced or not, and not one of NumPy's."""
    return hasattr(value, "shape") and hasattr(value, "dtype") and not isinstance(value, (numpy.ndarray, numpy.generic))


def is_number_array(value: Any) -> bool:
    """Whether it is an array of floating-point or complex numbers: those that derivatives flow through."""
    return is_array(value) and INEXACT.search(str(value.dtype)) is not None


def is_real(value: Any) -> bool:
    """Whether it is an array of real floating-point numbers."""
    return is_number_array(value) and "complex" not in str(value.dtype)


def map_arrays(function: Callable[[Any], Any], tree: Any, of: Callable[[Any], bool] = is_number_array) -> Any:
    """Apply `function` to the leaves that are `of` that kind, in lists, tuples and dictionaries."""
    if isinstance(tree, dict):
        return {key: map_arrays(function, part, of) for key, part in tree.items()}
    # Not isinstance: a named tuple takes its fields one by one, and is left as it is.
    if type(tree) in (list, tuple):
        return type(tree)([map_arrays(function, part, of) for part in tree])
    return function(tree) if of(tree) else tree


def arrays_in(tree: Any, of: Callable[[Any], bool] = is_number_array) -> list[Any]:
    """The leaves of that kind, in order."""
    arrays: list[Any] = []
    map_arrays(arrays.append, tree, of)
    return arrays
