"""Equal mutants: rules replaced by others with the same numbers but for rounding. No law may kill them."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from functools import partial
from typing import Any

import numpy

from reference_engine.core.tensor import Tensor
from reference_engine.rules.families import Rule
from workshop.laws.rule_mutants import every_rule
from workshop.mutant import Mutant, by_patch


def _few_ulps(x: Any) -> Any:
    dtype = x.array.dtype if isinstance(x, Tensor) else numpy.asarray(x).dtype
    return x * (1 + 4 * float(numpy.finfo(dtype).eps))


def _is_view(x: Any, of: Any) -> bool:
    return x.link is not None if isinstance(x, Tensor) else numpy.may_share_memory(x, numpy.asarray(of))


def _batches(x: Any) -> Any:
    return x.batches() if isinstance(x, Tensor) else frozenset()


@contextmanager
def _replaced(change: Callable[[Any], Any]) -> Iterator[None]:
    """Every rule changes its results, and adds its terms from the last to the first."""
    for rule in every_rule():
        _replace(rule, change)
    try:
        yield
    finally:
        for rule in every_rule():
            del rule.vjp, rule.jvp


def _replace(rule: Rule, change: Callable[[Any], Any]) -> None:
    vjp, jvp = rule.vjp, rule.jvp

    def other_vjp(g: Any, values: dict[str, Any], edges: Any) -> list[Any]:
        return [None if x is None else change(x) for x in vjp(g, values, edges)]

    def other_jvp(tangents: Sequence[Any], z: Any, args: Sequence[Any], options: Any) -> Any:
        total = None
        # In the other order, as sums of floats depend on it: a law must not.
        for at in reversed(range(len(tangents))):
            if tangents[at] is not None:
                alone = [t if number == at else None for number, t in enumerate(tangents)]
                term = jvp(alone, z, args, options)
                # The tangent of a view is a view, into which an in-place form writes: a copy of it is not equal.
                term = term if _is_view(term, tangents[at]) else change(term)
                total = term if total is None else total + term
        whole = jvp(tangents, z, args, options)
        # The term of what is overwritten is zeros like the result: of a batch, where the whole may have none. What is
        # written into one tangent for all examples must have none, so such a sum is not equal.
        return total if _batches(total) == _batches(whole) else whole

    rule.vjp, rule.jvp = other_vjp, other_jvp  # type: ignore[method-assign]


# A change of every cotangent and tangent that a rule returns.
_CHANGES: dict[str, Callable[[Any], Any]] = {
    "times one": lambda x: x * 1.0,
    "negated twice": lambda x: (x * -1.0) * -1.0,
    "a sum of other terms": lambda x: 0.75 * x + 0.25 * x,
    "a few units in the last place": _few_ulps,
}
EQUAL_RULES = {
    name: Mutant(name, "reference", f"every rule, {name}", by_patch(partial(_replaced, change)), "equal", equal=True)
    for name, change in _CHANGES.items()
}
