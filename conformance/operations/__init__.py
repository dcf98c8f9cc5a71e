"""The table of operations: one row for each, in files by family, and the laws that hold for all of them."""

from __future__ import annotations

from collections.abc import Callable, Mapping

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
    "TABLE",
    "Cases",
    "elementwise",
    "of_complex_numbers",
    "of_one_domain",
    "of_order",
    "with_kinks",
    "with_matrices",
    "with_truth",
]

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


class Cases(dict[str, tuple[Operation]]):
    """The operations that a law concerns, by a predicate: those of the table, as cases of a behaviour."""

    def __init__(self, concerns: Callable[[Operation], object], table: Mapping[str, Operation] = TABLE) -> None:
        super().__init__({name: (one,) for name, one in table.items() if concerns(one)})
        self._concerns = concerns

    def on(self, table: Mapping[str, Operation]) -> Cases:
        """Those of another table, such as an engine's inventory."""
        return Cases(self._concerns, table)

    def where(self, concerns: Callable[[Operation], object]) -> Cases:
        """Those of them that another predicate holds of."""
        return Cases(lambda one: self._concerns(one) and concerns(one))


def of_order(order: int) -> Cases:
    """The operations that are differentiable that many times, as cases of a law."""
    return Cases(lambda one: one.differentiated and one.order >= order)


def with_truth(order: int) -> Cases:
    """Those of them whose value in high precision is known."""
    return of_order(order).where(lambda one: one.truth)


def with_kinks() -> Cases:
    """Those of them that have points without a derivative."""
    return of_order(1).where(lambda one: one.kinks)


def elementwise(count: int) -> Cases:
    """Those of them that apply to each element of that number of arrays."""
    return of_order(1).where(lambda one: one.elementwise and len(one.arguments) == count)


def of_complex_numbers() -> Cases:
    """Those of them that take complex numbers."""
    return of_order(1).where(lambda one: one.complex)


def of_one_domain() -> Cases:
    """The elementwise operations of two arrays that may be the same: the second takes what the first does."""
    return elementwise(2).where(lambda one: one.arguments[1].contains(one.arguments[0]))


def with_matrices(count: int = 1) -> Cases:
    """The operations with that many matrices, or more, among the arguments that are differentiated."""
    return of_order(1).where(lambda one: sum(argument.is_matrix for argument in one.arguments) >= count)
