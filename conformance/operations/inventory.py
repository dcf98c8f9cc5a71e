"""An engine's inventory as a table of operations, and the laws on it."""

from __future__ import annotations

import difflib
import re
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import replace

import numpy

from conformance.behaviour import Behaviour
from conformance.operations import Cases
from conformance.operations.row import Argument, Operation, Point, RowError
from conformance.protocol.inventory import Inventory, Item

# The part of a run, as `Options` has it, and of the name of its known failures.
INVENTORY = "inventory"

# The shapes of the arrays of each item, and its order: enough to say which laws concern it.
Outline = Mapping[str, tuple[list[list[int]], int]]


def table_of(inventory: Inventory) -> dict[str, Operation]:
    """The items as operations, whose generic point is the item's. Raises RowError for an item that is none."""
    return {name: _operation(name, item) for name, item in inventory.items.items()}


def _operation(name: str, item: Item) -> Operation:
    if not re.fullmatch(r"[a-z][a-z0-9_]*", name):
        raise RowError(f"operation {name!r} of the inventory: use lower-case letters, digits and underscores")
    values = tuple(numpy.asarray(value) for value in item.values)
    if not values or any(value.dtype != "float64" for value in values):
        raise RowError(f"operation {name!r} of the inventory: its values are one or more arrays of NumPy, each float64")
    arguments = tuple(Argument(value.shape, near=value) for value in values)
    signature = f"{name}({', '.join(f'x{number}' for number in range(len(values)))})"
    points = tuple(Point(kind, tuple(numbers)) for kind, numbers in item.points.items())
    return Operation(signature, item.name, arguments, smooth=points, order=item.order, call=item.call, group=INVENTORY)


def outline(table: Mapping[str, Operation]) -> Outline:
    """What another process needs to know of a table of an inventory."""
    # Without the functions, which cannot be sent.
    return {
        name: ([list(argument.shape or ()) for argument in one.arguments], one.order) for name, one in table.items()
    }


def table_of_outline(given: Outline) -> dict[str, Operation]:
    """The table of an outline: operations that laws may concern, and that cannot be called."""
    return {
        name: Operation(name, "", tuple(Argument(tuple(shape)) for shape in shapes), order=order, group=INVENTORY)
        for name, (shapes, order) in given.items()
    }


def laws_on(table: Mapping[str, Operation], laws: Iterable[Behaviour]) -> list[Behaviour]:
    """The laws, each with the operations of this table that it concerns; without those that concern none."""
    found = [replace(law, cases=law.cases.on(table)) for law in laws if isinstance(law.cases, Cases)]
    return [law for law in found if law.cases]


def chosen(words: Sequence[str], names: Iterable[str]) -> list[str]:
    """The names that are words, or a word and the number of a sample. Raises ValueError for a word without any."""
    every = list(names)
    known = {re.sub(r"_\d+$", "", name) for name in every}.union(every)
    for word in words:
        if word not in known:
            near = difflib.get_close_matches(word, sorted(known), n=1, cutoff=0.0)
            raise ValueError(f"unknown operation {word!r}; did you mean {near[0]!r}?")
    return [name for name in every if not words or {name, re.sub(r"_\d+$", "", name)} & set(words)]
