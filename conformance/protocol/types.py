"""Names for what verbs take and return. An engine's own types are `Any` here, once: no engine is imported.

Most aliases are `Any` under a name for what is meant; the adapters and the protocol use the names.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from contextlib import AbstractContextManager
from typing import Any, TypeAlias

__all__ = [
    "Argnums",
    "Array",
    "Arrays",
    "Axes",
    "Context",
    "DType",
    "Edge",
    "Gradients",
    "Handle",
    "Hook",
    "Index",
    "Key",
    "Member",
    "Mode",
    "Module",
    "Node",
    "Numbers",
    "Operand",
    "Optimizer",
    "OptionalArrays",
    "Parameters",
    "Program",
    "Reference",
    "Rule",
    "Shape",
    "Tree",
]

Array: TypeAlias = Any  # an array of the engine
Tree: TypeAlias = Any  # an array, or lists, tuples and dictionaries of arrays
Numbers: TypeAlias = Any  # a Python number, or nested lists of numbers
Operand: TypeAlias = Any  # an array or a Python number
Arrays: TypeAlias = Sequence[Array]
Gradients: TypeAlias = Sequence[Array | None]
OptionalArrays: TypeAlias = tuple[Array | None, ...]
Parameters: TypeAlias = Mapping[str, Array]

Shape: TypeAlias = tuple[int, ...]
DType: TypeAlias = str  # the name of a dtype, such as `float64`
Index: TypeAlias = Any  # an integer, a slice, an array, or a tuple of these
Argnums: TypeAlias = int | tuple[int, ...]
Axes: TypeAlias = Any  # an axis, None for an argument that is shared, or a tree of these

Program: TypeAlias = Callable[..., Any]  # arrays to arrays; what a transform takes and returns
Rule: TypeAlias = Callable[..., Any] | None  # a custom derivative rule; None: not given
Hook: TypeAlias = Callable[..., Any]
Mode: TypeAlias = AbstractContextManager[Any]

Handle: TypeAlias = Any  # what removes a hook
Node: TypeAlias = Any  # a node of the graph
Edge: TypeAlias = Any  # a node, and which of its outputs
Context: TypeAlias = Any  # what the functions of a custom function share
Module: TypeAlias = Any
Member: TypeAlias = Any  # a parameter, a module, or any other attribute
Optimizer: TypeAlias = Any
Reference: TypeAlias = Any  # mutable memory, where arrays are immutable
Key: TypeAlias = Any  # the key of a random draw
