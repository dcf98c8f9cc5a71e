"""The arguments that a function is called with: which of them are arrays to differentiate by, and their numbers."""

from __future__ import annotations

import zlib
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, TypeAlias

import jax
import numpy

__all__ = ["Case", "Drawn", "between", "case", "complex_numbers", "covariance", "drawn", "positive", "square"]

NumPyArray: TypeAlias = "numpy.ndarray[Any, Any]"
INFINITY = float("inf")
# Offsets between the arrays of a call: no element is tied with an element of another array.
OFFSETS = (-0.11, 0.11, 0.0)
JITTER = 0.02


@dataclass(frozen=True)
class Drawn:
    """An array that is differentiated: its shape, and the open interval of its numbers.

    `diagonal` is added to the diagonal of each matrix, so that it is regular and its eigenvalues are far apart.
    `enters` is what a program does with the array before the function has it, such as to make a covariance of it.
    """

    shape: tuple[int, ...]
    low: float = -INFINITY
    high: float = INFINITY
    diagonal: tuple[float, ...] = ()
    enters: Callable[[Any], Any] | None = None

    def numbers(self, random: numpy.random.Generator, offset: float) -> NumPyArray:
        """Numbers that are apart from each other, and where there is no bound from integers and halves.

        There functions have kinks: differences take steps that are shorter.
        """
        count = int(numpy.prod(self.shape))
        steps = random.permutation(count) + offset + JITTER * random.uniform(-1, 1, count)
        numbers = self._placed(steps, count).reshape(self.shape)
        if self.diagonal:
            numbers = 0.3 * numbers + numpy.diag(self.diagonal)
        return numbers

    def _placed(self, steps: NumPyArray, count: int) -> NumPyArray:
        """The numbers for steps, each at an integer and an offset, in the interval."""
        if self.high < INFINITY:
            return self.low + (self.high - self.low) * (0.1 + 0.8 * (steps + 0.5) / count)
        beyond = 0.25 + 0.5 * numpy.floor(steps + 0.5) + (steps - numpy.floor(steps + 0.5))
        return beyond + (self.low if self.low > -INFINITY else -0.5 * (count // 2))


@dataclass(frozen=True)
class Case:
    """One call of a function: its arguments, of which those that are `Drawn` are differentiated.

    `through` calls the function in their stead, where a call alone is no program. `seen` is what is looked at of the
    output, where that is only determined up to a factor.
    """

    args: tuple[Any, ...]
    kwargs: Mapping[str, Any]
    through: Callable[..., Any] | None = None
    seen: Callable[[Any], Any] | None = None

    @property
    def arrays(self) -> tuple[Drawn, ...]:
        """The arrays that are differentiated, in order."""
        return tuple(leaf for leaf in jax.tree.leaves((self.args, self.kwargs)) if isinstance(leaf, Drawn))

    def values(self, name: str) -> tuple[NumPyArray, ...]:
        """Their numbers, which depend on the name alone."""
        random = numpy.random.default_rng(zlib.crc32(name.encode()))
        return tuple(array.numbers(random, OFFSETS[at % 3]) for at, array in enumerate(self.arrays))

    def calling(self, function: Callable[..., Any]) -> Callable[..., Any]:
        """The function of these arrays alone; it returns an array, or a tuple of arrays."""

        def call(*arrays: Any) -> Any:
            args, kwargs = _filled((self.args, dict(self.kwargs)), arrays)
            result = self.through(function, *args, **kwargs) if self.through else function(*args, **kwargs)
            leaves = tuple(jax.tree.leaves(self.seen(result) if self.seen else result))
            return leaves[0] if len(leaves) == 1 else leaves

        return call


def case(
    *args: Any, through: Callable[..., Any] | None = None, seen: Callable[[Any], Any] | None = None, **kwargs: Any
) -> Case:
    """A call with these arguments."""
    return Case(args, kwargs, through, seen)


def drawn(*shape: int) -> Drawn:
    """An array of any numbers."""
    return Drawn(shape)


def positive(*shape: int) -> Drawn:
    """An array of numbers above zero."""
    return Drawn(shape, 0.0)


def between(low: float, high: float, *shape: int) -> Drawn:
    """An array of numbers in an interval."""
    return Drawn(shape, low, high)


def square(*batch: int) -> Drawn:
    """A matrix of three rows, or a batch, whose symmetric part is positive definite."""
    return Drawn((*batch, 3, 3), diagonal=(3.0, 4.5, 6.0))


def covariance() -> Drawn:
    """A matrix of three rows that the program makes symmetric and positive definite."""
    return Drawn((3, 3), enters=lambda x: x @ x.T + 3.0 * jax.numpy.eye(3))


def complex_numbers(*shape: int) -> Drawn:
    """Complex numbers: an array of their real and imaginary parts."""
    return Drawn((2, *shape), enters=lambda x: jax.lax.complex(x[0], x[1]))


def _filled(tree: Any, arrays: Sequence[Any]) -> Any:
    """The arguments, with the arrays in the place of the marks, and the other floats in their precision."""
    rest = iter(arrays)

    def at(leaf: Any) -> Any:
        if isinstance(leaf, Drawn):
            return leaf.enters(next(rest)) if leaf.enters else next(rest)
        if isinstance(leaf, numpy.ndarray) and leaf.dtype.kind == "f":
            return leaf.astype(arrays[0].dtype)
        return leaf

    return jax.tree.map(at, tree)
