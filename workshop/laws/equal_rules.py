"""Null mutants: rules replaced by equal ones, of the same numbers but for rounding. No law may notice them."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from typing import Any

import numpy

from reference_engine.core.tensor import Tensor
from reference_engine.rules.families import Rule
from workshop.laws.rule_mutants import every_rule

__all__ = ["NULLS", "replaced"]


def _few_ulps(x: Any) -> Any:
    dtype = x.array.dtype if isinstance(x, Tensor) else numpy.asarray(x).dtype
    return x * (1 + 4 * float(numpy.finfo(dtype).eps))


# What is done to every cotangent and tangent that a rule returns.
NULLS: dict[str, Callable[[Any], Any]] = {
    "times one": lambda x: x * 1.0,
    "negated twice": lambda x: (x * -1.0) * -1.0,
    "a sum of other terms": lambda x: 0.75 * x + 0.25 * x,
    "a few units in the last place": _few_ulps,
}


def _is_view(x: Any, of: Any) -> bool:
    return x.link is not None if isinstance(x, Tensor) else numpy.may_share_memory(x, numpy.asarray(of))


@contextmanager
def replaced(null: Callable[[Any], Any]) -> Iterator[None]:
    """Every rule returns what `null` makes of its results meanwhile, and adds its terms from the last to the first."""
    for rule in every_rule():
        _replace(rule, null)
    try:
        yield
    finally:
        for rule in every_rule():
            del rule.vjp, rule.jvp


def _replace(rule: Rule, null: Callable[[Any], Any]) -> None:
    vjp, jvp = rule.vjp, rule.jvp

    def other_vjp(g: Any, values: dict[str, Any], edges: Any) -> list[Any]:
        return [None if x is None else null(x) for x in vjp(g, values, edges)]

    def other_jvp(tangents: Sequence[Any], z: Any, args: Sequence[Any], options: Any) -> Any:
        total = None
        for at in reversed(range(len(tangents))):
            if tangents[at] is not None:
                alone = [t if number == at else None for number, t in enumerate(tangents)]
                term = jvp(alone, z, args, options)
                # The tangent of a view is a view, into which an in-place form writes: a copy of it is not equal.
                term = term if _is_view(term, tangents[at]) else null(term)
                total = term if total is None else total + term
        return total

    rule.vjp, rule.jvp = other_vjp, other_jvp  # type: ignore[method-assign]
