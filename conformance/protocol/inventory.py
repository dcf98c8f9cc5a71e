"""An engine's own list of its functions, each at a point: more operations than the shared table has."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from typing import Any

import numpy

__all__ = ["Inventory", "Item"]


@dataclass(frozen=True)
class Item:
    """A function of the engine at a point.

    `name` is for people: the public name, and which sample it is (`"torch.nn.functional.conv2d, sample 2"`). `values`
    are the numbers of the arrays that are differentiated, in float64. `call` takes that many arrays of the engine, and
    returns the function's output, an array or a tuple of arrays; arguments that are not differentiated are inside it.
    It must be deterministic, leave its arguments as they are, and take single precision too. `order` is how many times
    the function is differentiable. `points` are other numbers, by a kind such as "zero", at which engines
    often go wrong.
    """

    name: str
    values: tuple[numpy.ndarray[Any, Any], ...]
    call: Callable[..., Any]
    order: int = 2
    points: Mapping[str, tuple[numpy.ndarray[Any, Any], ...]] = field(default_factory=dict)


@dataclass(frozen=True)
class Inventory:
    """The items by the name of their operation: lower-case letters, digits and underscores, `nn_functional_conv2d_2`.

    A last number is that of the sample. `uncovered` has the reason for each public function that no item covers.
    An inventory is the same in every process.
    """

    items: Mapping[str, Item]
    uncovered: Mapping[str, str]
