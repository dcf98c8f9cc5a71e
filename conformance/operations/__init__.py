"""The table of operations: a row for each, in files by family; and the selections of rows that laws concern."""

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
        super().__init__({name: (operation,) for name, operation in table.items() if concerns(operation)})
        self._concerns = concerns

    def on(self, table: Mapping[str, Operation]) -> Cases:
        """The same selection from another table, such as an engine's inventory."""
        return Cases(self._concerns, table)

    def where(self, concerns: Callable[[Operation], object]) -> Cases:
        """The selection by both predicates."""
        return Cases(lambda operation: self._concerns(operation) and concerns(operation))


def of_order(order: int) -> Cases:
    """The operations that are differentiable that many times, as cases of a law."""
    return Cases(lambda operation: operation.differentiated and operation.order >= order)


def with_truth(order: int) -> Cases:
    """The operations with a value in high precision that are differentiable that many times."""
    return of_order(order).where(lambda operation: operation.truth)


def with_kinks() -> Cases:
    """The operations that have points without a derivative."""
    return of_order(1).where(lambda operation: operation.kinks)


def elementwise(count: int) -> Cases:
    """The operations that apply to each element of that number of arrays."""
    return of_order(1).where(lambda operation: operation.elementwise and len(operation.arguments) == count)


def of_complex_numbers() -> Cases:
    """The operations of complex numbers."""
    return of_order(1).where(lambda operation: operation.complex)


def of_one_domain() -> Cases:
    """The elementwise operations of two arrays that may be the same: the domain of the second contains the first's."""
    return elementwise(2).where(lambda operation: operation.arguments[1].contains(operation.arguments[0]))


def with_matrices(count: int = 1) -> Cases:
    """The operations with that many matrices, or more, among the arguments that are differentiated."""
    return of_order(1).where(lambda operation: sum(argument.is_matrix for argument in operation.arguments) >= count)
