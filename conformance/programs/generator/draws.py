"""Random choices from one stream of NumPy's, drawn ahead: a choice costs a fraction of a microsecond."""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Iterator, Mapping, Sequence
from itertools import accumulate
from typing import TypeVar

import numpy

T = TypeVar("T")
# The number of draws at once: as many as a program needs.
BLOCK = 256


class Weighted:
    """Choices with weights."""

    def __init__(self, weights: Mapping[str, float]) -> None:
        self.choices = tuple(weights)
        self.sums = tuple(accumulate(weights.values()))


class SeedStream:
    """The choices of one seed: the same on every machine, as NumPy promises of its generators."""

    def __init__(self, *seed: int) -> None:
        # PCG64 by name: NumPy may choose another default.
        self._generator = numpy.random.Generator(numpy.random.PCG64(seed))
        self._next: Iterator[float] = iter(())

    def unit(self) -> float:
        """Draw a number in [0, 1)."""
        for number in self._next:
            return number
        self._next = iter(self._generator.random(BLOCK).tolist())
        return next(self._next)

    def below(self, count: int) -> int:
        """Draw an integer in 0, 1, ... count - 1."""
        return int(self.unit() * count)

    def one_of(self, choices: Sequence[T]) -> T:
        """Choose evenly."""
        return choices[int(self.unit() * len(choices))]

    def happens(self, probability: float) -> bool:
        """Whether something of this probability happens."""
        return self.unit() < probability

    def weighted(self, weighted: Weighted) -> str:
        """Choose by weight."""
        return weighted.choices[bisect_right(weighted.sums, self.unit() * weighted.sums[-1])]
