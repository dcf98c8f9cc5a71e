"""The table of operations: one row for each, in files by family, and the laws that hold for all of them."""

from __future__ import annotations

from collections.abc import Mapping

from conformance.operations.families.elementwise import ELEMENTWISE
from conformance.operations.row import Operation

__all__ = ["TABLE", "of_order", "with_truth"]

TABLE: Mapping[str, Operation] = {**ELEMENTWISE}


def of_order(order: int) -> dict[str, tuple[Operation]]:
    """The operations that are differentiable so many times, as cases of a law."""
    return {name: (one,) for name, one in TABLE.items() if one.differentiated and one.order >= order}


def with_truth(order: int) -> dict[str, tuple[Operation]]:
    """Those of them whose value in high precision is known."""
    return {name: case for name, case in of_order(order).items() if case[0].truth}
