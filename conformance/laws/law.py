"""A law as a function of a subject that yields comparisons: judged with numbers, or written as source."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from functools import update_wrapper
from typing import Any, NamedTuple

from conformance.laws.comparison import Difference, compared_each, first_of
from conformance.laws.quantity import Quantity, register
from conformance.laws.subject import Subject


class Comparison(NamedTuple):
    """Two results that are to be equal, each an array or a sequence of arrays.

    Rounding is measured by the arrays of `whole`, of which they are a part, or of `terms`, of whose products with the
    directions they are the sum, as the subject's `scale` decides.
    """

    got: Any
    expected: Any
    what: str
    whole: Sequence[Any] = ()
    terms: Sequence[Any] = ()


class EqualityLaw:
    """Comparisons that hold for every subject. Its docstring is its statement."""

    def __init__(self, comparisons: Callable[[Any], Iterator[Comparison]]) -> None:
        self.comparisons = comparisons
        self.quantity = Quantity(comparisons.__name__, comparisons)
        update_wrapper(self, comparisons)

    @classmethod
    def of_operations(cls, comparisons: Callable[[Any], Iterator[Comparison]]) -> EqualityLaw:
        """The same as a law that is asked of operations: it is part of their joint functions."""
        law = cls(comparisons)
        register(law.quantity)
        return law

    def __call__(self, at: Subject) -> Difference | None:
        """The first difference."""
        # Lazily: an engine that fails at the first comparison is not asked for the rest.
        return first_of(_judged(at, comparison) for comparison in at.ask(self.quantity))


def _judged(at: Subject, comparison: Comparison) -> Difference | None:
    got, expected, what, whole, terms = comparison
    scale = at.scale(whole, terms)
    return compared_each(_arrays(at, got), _arrays(at, expected), what, at.rounding, scale)


def _arrays(at: Subject, result: Any) -> list[Any]:
    return at.numbers(result if isinstance(result, (tuple, list)) else [result])


def recurs(judge: Callable[[Any], Difference | None], at: Subject) -> Difference | None:
    """The difference that a judge finds, unless it finds none at a neighbouring point where kinks are possible.

    Functions with kinks can be composed to a smooth function, or nearly so, with a derivative that is another by
    convention: relu(x) - relu(-x) is x.
    """
    # The neighbour costs as much as the point itself, and is needed only where there is something to confirm.
    difference = judge(at)
    return difference if difference and (at.smooth or judge(at.neighbour())) else None
