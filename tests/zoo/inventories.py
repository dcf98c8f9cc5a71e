"""Adapters with inventories: one that is right, with a wrong item, and ones that are declared wrongly."""

from __future__ import annotations

from typing import Any, ClassVar

import numpy

from adapters.with_reference import ReferenceAdapter
from conformance.protocol import AdapterError, Inventory, Item

POINT = numpy.array([[0.5, 1.0], [2.0, 0.0]])
# The second derivative of the first is what the laws see, and of the second the first argument's part is lost.
ITEMS = {
    "sine_1": Item("sin, sample 1", (POINT,), lambda x: x.sin()),
    "sine_2": Item("sin, sample 2: of three numbers", (POINT[0],), lambda x: x.sin(), order=1),
    "product": Item("mul", (POINT, POINT[0]), lambda x, y: (x * y, x.detach() * y)),
}


class Listing(ReferenceAdapter):
    """Three items, of which one has lost a part of its derivative, and a function that none of them covers."""

    name: ClassVar[str] = "listing"
    items: ClassVar[dict[str, Item]] = ITEMS

    @classmethod
    def inventory(cls) -> Inventory:
        return Inventory(cls.items, {"zeta": "it has no derivative"})


class MisnamedItem(Listing):
    """Whose item has a name that cannot be part of an address."""

    items: ClassVar[dict[str, Item]] = {"Sine": ITEMS["sine_1"]}


class ItemOfIntegers(Listing):
    """Whose item has nothing to differentiate."""

    items: ClassVar[dict[str, Item]] = {"sine": Item("sin", (numpy.array([1, 2]),), lambda x: x)}


class Unlisted(Listing):
    """Whose engine lacks the package that it reads its inventory with."""

    @classmethod
    def inventory(cls) -> Any:
        raise AdapterError("its inventory needs the package `lists`")


class BrokenList(Listing):
    """Whose inventory has a bug."""

    @classmethod
    def inventory(cls) -> Any:
        return {}["items"]
