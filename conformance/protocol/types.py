"""Names for what verbs take and return. An engine's own types are `Any` here, once: no engine is imported.

Most aliases are `Any` under a name that says what is meant; the adapters and the protocol use the names.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from contextlib import AbstractContextManager
from typing import Any, Optional, TypeAlias, Union

__all__ = [
    "Argnums",
    "Array",
    "Arrays",
    "Axes",
    "Context",
    "DType",
    "Gradients",
    "Handle",
    "Hook",
    "Index",
    "Key",
    "Literal",
    "Member",
    "Mode",
    "Module",
    "Node",
    "Optimizer",
    "OptionalArrays",
    "Parameters",
    "Program",
    "Reference",
    "Rule",
    "Shape",
    "Tree",
]

Array: TypeAlias = Any  # an array of the engine, whatever its type is there
Tree: TypeAlias = Any  # an array, or lists, tuples and dictionaries of arrays
Literal: TypeAlias = Any  # a Python number, or nested lists of numbers
Arrays: TypeAlias = Sequence[Array]
Gradients: TypeAlias = Sequence[Optional[Array]]
OptionalArrays: TypeAlias = tuple[Optional[Array], ...]
Parameters: TypeAlias = Mapping[str, Array]

Shape: TypeAlias = tuple[int, ...]
DType: TypeAlias = str
Index: TypeAlias = Any  # what stands in brackets: an integer, a slice, an array, a tuple of these
Argnums: TypeAlias = Union[int, tuple[int, ...]]
Axes: TypeAlias = Any  # an axis, None for an argument that is shared, or a tree of these

Program: TypeAlias = Callable[..., Any]  # arrays to arrays; what a transform takes and returns
Rule: TypeAlias = Optional[Callable[..., Any]]  # a derivative given by hand; None: not given
Hook: TypeAlias = Callable[..., Any]
Mode: TypeAlias = AbstractContextManager[Any]

Handle: TypeAlias = Any  # what removes a hook
Node: TypeAlias = Any  # an operation in the graph
Context: TypeAlias = Any  # what the functions of a custom function share
Module: TypeAlias = Any
Member: TypeAlias = Any  # a parameter, a module or any other attribute
Optimizer: TypeAlias = Any
Reference: TypeAlias = Any  # memory that can be written, where arrays cannot
Key: TypeAlias = Any  # what decides a random draw
