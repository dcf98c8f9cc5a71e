"""The table of operations: one row for each, in files by family, and the laws that hold for all of them."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path

from conformance.operations.families.activations import ACTIVATIONS
from conformance.operations.families.arithmetic import ARITHMETIC
from conformance.operations.families.complex_numbers import COMPLEX_NUMBERS
from conformance.operations.families.convolution import CONVOLUTION
from conformance.operations.families.creation import CREATION
from conformance.operations.families.elementwise import ELEMENTWISE
from conformance.operations.families.fft import FFT
from conformance.operations.families.indexing import INDEXING
from conformance.operations.families.interpolation import INTERPOLATION
from conformance.operations.families.linear_algebra import LINEAR_ALGEBRA
from conformance.operations.families.losses import LOSSES
from conformance.operations.families.normalisation import NORMALISATION
from conformance.operations.families.norms import NORMS
from conformance.operations.families.ordering import ORDERING
from conformance.operations.families.products import PRODUCTS
from conformance.operations.families.reductions import REDUCTIONS
from conformance.operations.families.scans import SCANS
from conformance.operations.families.shaping import SHAPING
from conformance.operations.families.special import SPECIAL
from conformance.operations.row import Operation, joined

__all__ = [
    "LAWS",
    "TABLE",
    "elementwise",
    "of_complex_numbers",
    "of_one_domain",
    "of_order",
    "with_kinks",
    "with_matrices",
    "with_truth",
]

# The chapters of laws: behaviours with a case for each operation that they concern.
LAWS = Path(__file__).parent / "chapters"

TABLE: Mapping[str, Operation] = joined(
    ACTIVATIONS,
    ARITHMETIC,
    COMPLEX_NUMBERS,
    CONVOLUTION,
    CREATION,
    ELEMENTWISE,
    FFT,
    INDEXING,
    INTERPOLATION,
    LINEAR_ALGEBRA,
    LOSSES,
    NORMALISATION,
    NORMS,
    ORDERING,
    PRODUCTS,
    REDUCTIONS,
    SCANS,
    SHAPING,
    SPECIAL,
)


def of_order(order: int) -> dict[str, tuple[Operation]]:
    """The operations that are differentiable that many times, as cases of a law."""
    return {name: (one,) for name, one in TABLE.items() if one.differentiated and one.order >= order}


def with_truth(order: int) -> dict[str, tuple[Operation]]:
    """Those of them whose value in high precision is known."""
    return {name: case for name, case in of_order(order).items() if case[0].truth}


def with_kinks() -> dict[str, tuple[Operation]]:
    """Those of them that have points without a derivative."""
    return {name: case for name, case in of_order(1).items() if case[0].kinks}


def elementwise(count: int) -> dict[str, tuple[Operation]]:
    """Those of them that apply to each element of that number of arrays."""
    found = ((name, case) for name, case in of_order(1).items() if case[0].elementwise)
    return {name: case for name, case in found if len(case[0].arguments) == count}


def of_complex_numbers() -> dict[str, tuple[Operation]]:
    """Those of them that take complex numbers."""
    return {name: case for name, case in of_order(1).items() if case[0].complex}


def of_one_domain() -> dict[str, tuple[Operation]]:
    """The elementwise operations of two arrays that may be the same: the second takes what the first does."""
    return {name: case for name, case in elementwise(2).items() if case[0].arguments[1].contains(case[0].arguments[0])}


def with_matrices(count: int = 1) -> dict[str, tuple[Operation]]:
    """The operations with that many matrices, or more, among the arguments that are differentiated."""
    matrices = {name: sum(one.is_matrix for one in case[0].arguments) for name, case in of_order(1).items()}
    return {name: case for name, case in of_order(1).items() if matrices[name] >= count}
