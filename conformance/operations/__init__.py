"""The table of operations: a row for each, in files by family; and the selections of rows that laws concern."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from importlib import import_module
from pkgutil import iter_modules

from conformance.operations import families
from conformance.operations.ends import kept
from conformance.operations.row import Operation, joined


def _families() -> Iterator[Mapping[str, Operation]]:
    """The families: of each module the table of its name. Other modules have rows that a family includes."""
    for name in (module.name for module in iter_modules(families.__path__)):
        rows = getattr(import_module(f"{families.__name__}.{name}"), name.upper(), ())
        if isinstance(rows, dict):
            yield rows


# Families of operations that sum over their arguments, or divide by their number.
SUMMING = frozenset({"Activations", "Losses", "Normalisation", "Norms", "Reductions", "Weighted losses"})
# A new family is a new file: nothing lists them.
TABLE: Mapping[str, Operation] = joined(*_families())


class Cases(dict[str, tuple[Operation]]):
    """The operations that a law concerns, by a predicate: those of the table, as cases of a behaviour."""

    def __init__(self, concerns: Callable[[Operation], object], table: Mapping[str, Operation] = TABLE) -> None:
        super().__init__({name: (operation,) for name, operation in table.items() if concerns(operation)})
        self._concerns = concerns

    # A law is declared with its cases of the table, before an engine's inventory is known.
    def on(self, table: Mapping[str, Operation]) -> Cases:
        """The same selection from another table, such as an engine's inventory."""
        return Cases(self._concerns, table)

    def where(self, concerns: Callable[[Operation], object]) -> Cases:
        """The selection by both predicates."""
        return Cases(lambda operation: self._concerns(operation) and concerns(operation))


def of_order(order: int) -> Cases:
    """The operations that are differentiable that many times, as cases of a law."""
    return Cases(lambda operation: operation.differentiated and operation.order >= order)


def of_degree() -> Cases:
    """The homogeneous operations."""
    return of_order(1).where(lambda operation: operation.degree is not None)


def is_of_any_length(operation: Operation) -> bool:
    """Whether it sums over arguments that are all differentiated, and of one shape that may be longer."""
    shapes = {argument.shape for argument in operation.arguments}
    # A row with one element along an axis is about that.
    longer = [shape and shape[-1] > 1 for shape in shapes if shape is not None]
    sums = operation.group in SUMMING and (not operation.elementwise or "osses" in operation.group)
    return sums and len(shapes) == 1 and all(longer) and not any(x.is_given for x in operation.arguments)


def of_any_length() -> Cases:
    """The operations that sum over arrays of any length."""
    return of_order(1).where(is_of_any_length)


def with_truth(order: int) -> Cases:
    """The functions of numbers with a value in high precision that are differentiable that many times."""
    return of_order(order).where(lambda operation: operation.true_by_element)


def with_true_components(order: int) -> Cases:
    """The functions of arrays with a value in high precision that are differentiable that many times."""
    return of_order(order).where(lambda operation: operation.true_by_component)


def with_ends(order: int) -> Cases:
    """The functions of a number with known ends that are differentiable that many times: rows of the table."""
    known = kept()
    return with_truth(order).where(lambda operation: not operation.call and known.get(operation.name))


def with_kinks() -> Cases:
    """The operations that have points without a derivative."""
    return of_order(1).where(lambda operation: operation.kinks)


def elementwise(count: int) -> Cases:
    """The operations that apply to each element of that number of arrays."""
    return of_order(1).where(lambda operation: operation.elementwise and len(operation.arguments) == count)


def element_by_element(order: int) -> Cases:
    """The operations of that order whose results have an element for each element: losses may be means."""
    return of_order(order).where(lambda operation: operation.elementwise and operation.group != "Losses")


def of_complex_numbers() -> Cases:
    """The operations of complex numbers."""
    return of_order(1).where(lambda operation: operation.complex)


def of_one_domain() -> Cases:
    """The elementwise operations of two arrays that may be the same: the domain of the second contains the first's."""
    return elementwise(2).where(lambda operation: operation.arguments[1].contains(operation.arguments[0]))


def with_matrices(count: int = 1) -> Cases:
    """The operations with that many matrices, or more, among the arguments that are differentiated."""
    return of_order(1).where(lambda operation: sum(argument.is_matrix for argument in operation.arguments) >= count)
