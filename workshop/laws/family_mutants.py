"""Mutants of any adapter: operations of a family that are wrong for a law, and operations wrong for a negative axis."""

from __future__ import annotations

from conformance.operations import TABLE
from conformance.operations.row import Operation, parsed
from workshop.laws.faults_by_law import WRONG
from workshop.laws.law_faults import NEGATIVE_AXIS, axes_of, is_axis
from workshop.mutant import Mutant


def families() -> dict[str, list[str]]:
    """The operations of each family of the table."""
    names: dict[str, list[str]] = {}
    for name, operation in TABLE.items():
        names.setdefault(operation.group, []).append(name)
    return names


def with_axes() -> list[str]:
    """The differentiable operations with a parameter that is an axis."""
    names = (name for name, operation in TABLE.items() if operation.differentiated)
    return [name for name in names if any(map(is_axis, parsed(TABLE[name].signature).parameters))]


def has_negative_axis(operation: Operation) -> bool:
    """Whether one of its variants has a negative axis."""
    return any(min(axes_of(operation, variant), default=0) < 0 for variant in operation.options)


def law_mutant(law: str, family: str) -> Mutant:
    """The mutant that makes cells of a law fail, for the operations of a family."""
    fault = WRONG[law]
    # No name of an engine: the change is to whichever adapter is asked.
    return Mutant(f"{law}, {family}", "", fault.what, fault.change(*families()[family]), "laws")


def axes_mutant(operation: str) -> Mutant:
    """An operation that is wrong for a negative axis."""
    return Mutant(f"{operation}, negative axis", "", NEGATIVE_AXIS.what, NEGATIVE_AXIS.change(operation), "axes")
