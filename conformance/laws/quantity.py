"""Quantities: arrays that an engine computes from a subject, and that laws compare.

An engine that compiles computes all quantities of a subject by one function (`joint.py`), so each is declared once, by
`quantity`, and takes from its subject what changes from point to point: primals, directions and cotangents.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from typing import Any, TypeAlias

from conformance.protocol.types import Array, Arrays

# Arrays in lists and named tuples, beside texts and numbers.
Tree: TypeAlias = Any
# Where quantities are asked for that are computed apart from the others.
ALONG_LINES, OF_LONG_ARRAYS = "along lines", "of long arrays"


def _none(subject: Any) -> Sequence[Any]:
    return ()


def _always(subject: Any) -> bool:
    return True


@dataclass(frozen=True, eq=False)
class Quantity:
    """`compute` takes a subject, and arrays of the engine that hold the numbers of `extras`.

    `concerns` says of which subjects it is computed together with others; `typed`: also of those with a dtype.
    It is computed together with those that are `asked` alike: along lines, to be differenced, at tens of points at
    which no other is; or of long arrays, by one law.
    """

    name: str
    compute: Callable[..., Tree]
    extras: Callable[[Any], Sequence[Any]] = _none
    concerns: Callable[[Any], bool] = _always
    typed: bool = False
    asked: str = ""


# By name: what a joint function returns, in an order that does not depend on imports.
QUANTITIES: dict[str, Quantity] = {}


def register(quantity: Quantity) -> Quantity:
    """Add a quantity to those that are computed together."""
    assert quantity.name not in QUANTITIES, quantity.name
    QUANTITIES[quantity.name] = quantity
    return quantity


def quantity(
    extras: Callable[[Any], Sequence[Any]] = _none,
    concerns: Callable[[Any], bool] = _always,
    typed: bool = False,
    asked: str = "",
) -> Callable[[Callable[..., Tree]], Quantity]:
    """Make a quantity of a function, by whose name it goes."""

    def decorate(compute: Callable[..., Tree]) -> Quantity:
        return register(Quantity(compute.__qualname__, compute, extras, concerns, typed, asked))

    return decorate


def _values(at: Any) -> Arrays:
    return [part for _, part in at.parts(*at.primals)]


# The outputs, of complex ones both parts.
values = register(Quantity("values", _values, asked=ALONG_LINES))


@quantity(typed=True)
def gradient(at: Any) -> Arrays:
    """The gradient of the sum of the outputs, each times its cotangent."""
    return tuple(at.ad.grad(at.scalar, at.argnums)(*at.primals))


def leaves(tree: Tree) -> Iterator[Array]:
    """The arrays of a tree."""
    if isinstance(tree, (list, tuple)):
        for branch in tree:
            yield from leaves(branch)
    elif not isinstance(tree, (str, int, float)):
        yield tree


def with_leaves(tree: Tree, arrays: Iterator[Array]) -> Tree:
    """The tree with other arrays."""
    if isinstance(tree, (list, tuple)):
        branches = [with_leaves(branch, arrays) for branch in tree]
        return type(tree)(*branches) if hasattr(tree, "_fields") else type(tree)(branches)
    return tree if isinstance(tree, (str, int, float)) else next(arrays)
