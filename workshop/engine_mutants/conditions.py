"""Conditions of faults, with weights: the sum 0 is plain, 1 is subtle, more is very subtle.

A condition that programs seldom meet weighs 2 by itself: a second call, another transform around it, a second order,
another dtype.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

from workshop.engine_mutants.engine_fault import Call
from workshop.engine_mutants.library import Library


@dataclass(frozen=True)
class Condition:
    """A condition under which a fault acts, in words that follow the fault's, and its weight."""

    text: str
    weight: int
    when: Callable[[Call], bool]


def both(*conditions: Condition) -> Condition:
    """All of them."""
    text = " ".join(c.text for c in conditions if c.text)
    return Condition(text, sum(c.weight for c in conditions), lambda call: all(c.when(call) for c in conditions))


ALWAYS = Condition("", 0, lambda call: True)
SECOND_CALL = Condition("in the second call", 2, lambda call: call.number == 2)


def has(option: str) -> Condition:
    """The option has another value than its default, in this call or in the one that returned the function."""
    # The function that `jax.grad` returned is wrong because of the options that `jax.grad` was called with.
    return Condition(f"with {option}", 1, lambda call: (call.outer or call).has(option))


def several(library: Library, number: int, text: str = "") -> Condition:
    """The result has at least that number of arrays."""
    return Condition(text, 1, lambda call: len(library.arrays(call.result)) >= number)


# The first array stands for all: a call under a transform has its results there.
def inside(library: Library, kind: str, text: str, weight: int = 2) -> Condition:
    """The first array of the result is a value of a transform of this kind."""
    return Condition(text, weight, lambda call: any(kind in library.inside(x) for x in library.arrays(call.result)[:1]))


def in_dtype(library: Library, dtype: str) -> Condition:
    """The first array of the result has this dtype."""
    return Condition(
        f"in {dtype}", 2, lambda call: any(library.dtype(x) == dtype for x in library.arrays(call.result)[:1])
    )


def is_complex(library: Library) -> Condition:
    """The first array of the result is complex."""
    return Condition(
        "of complex numbers",
        1,
        lambda call: any("complex" in library.dtype(x) for x in library.arrays(call.result)[:1]),
    )


def unequal_dtypes(library: Library) -> Condition:
    """The first two arrays of the result have different dtypes."""
    return Condition(
        "of unequal dtypes", 2, lambda call: len({library.dtype(x) for x in library.arrays(call.result)[:2]}) > 1
    )
