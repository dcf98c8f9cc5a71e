"""A program on an engine, as a function of its inputs whose value is one number; and what oracles compare of it."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Any

import msgspec
import numpy

from conformance.programs.execution import Execution, inputs_of
from conformance.programs.generator.draws import SeedStream
from conformance.programs.program import Program
from conformance.protocol.types import Array

__all__ = ["Difference", "ProgramCase", "apart", "each_apart"]

# Relative to the size of the numbers: a derivative is a longer computation than its function.
RELATIVE = 1e-7


@dataclass(frozen=True)
class Difference:
    """What an oracle found: what kind of difference it is, what was got, and what was expected.

    `at` is the number of the value, where it is one of the program's values that is not as expected.
    """

    kind: str
    got: str
    expected: str
    at: int | None = None


def apart(got: Any, expected: Any, scale: float = 0.0) -> Difference | None:
    """None where two arrays of numbers agree up to rounding; `scale` is a size of the numbers that they come from."""
    one, other = numpy.asarray(got, dtype="float64"), numpy.asarray(expected, dtype="float64")
    if one.shape != other.shape:
        return Difference("shape", str(one.shape), str(other.shape))
    size = max(1.0, scale, float(numpy.max(numpy.abs(other), initial=0.0, where=numpy.isfinite(other))))
    with numpy.errstate(invalid="ignore"):
        wrong = numpy.abs(one - other) > RELATIVE * size
    wrong |= numpy.isnan(one) != numpy.isnan(other)
    wrong &= one != other
    if not numpy.any(wrong):
        return None
    nans = (kind for kind, x in (("NaN", one), ("no NaN", other)) if numpy.any(numpy.isnan(x[wrong])))
    return Difference(next(nans, "numbers"), _shown(one), _shown(other))


def each_apart(got: Iterable[Any], expected: Iterable[Any]) -> Difference | None:
    """The first difference between arrays of two sequences of one length."""
    differences = (apart(one, other) for one, other in zip(got, expected, strict=True))
    return next((one for one in differences if one is not None), None)


def _shown(x: Any) -> str:
    return str(numpy.asarray(x).tolist())


class ProgramCase:
    """A program that returns a value, on an engine, with directions and a cotangent drawn for it.

    The function that is differentiated is the inner product of the value with the cotangent, and the square of each
    input: so it depends on all of them, and so does its gradient.
    """

    def __init__(self, program: Program, ad: Any) -> None:
        self.program, self.ad = program, ad
        self.numbers = [numpy.array(one.numbers).reshape(one.shape) for one in program.inputs]
        self.xs: list[Array] = [ad.array(one) for one in inputs_of(program)]

    @cached_property
    def directions(self) -> list[Any]:
        """A direction for each input, as NumPy's arrays. Its numbers are short, so that it can be shown."""
        draws = SeedStream(len(self.numbers), *(len(one.numbers) for one in self.program.inputs))
        drawn = ([round(0.5 + draws.unit(), 2) for _ in range(x.size)] for x in self.numbers)
        return [numpy.array(numbers).reshape(x.shape) for numbers, x in zip(drawn, self.numbers, strict=True)]

    @cached_property
    def tangents(self) -> list[Array]:
        """The same as arrays of the engine."""
        return [self.ad.array(v.tolist()) for v in self.directions]

    def value(self, *xs: Array, run: Execution | None = None) -> Array:
        """What the program returns."""
        return (run or Execution(self.ad)).returned(self.program.body, (), xs)

    @cached_property
    def plain(self) -> tuple[Any, list[Any]]:
        """The program's value as an array of NumPy, and the numbers through which no derivative flows."""
        constants: list[Any] = []
        found = self.value(*self.xs, run=Execution(self.ad, constants))
        return numpy.asarray(self.ad.to_numpy(found)), constants

    @cached_property
    def weights(self) -> Any:
        """The cotangent, as an array of NumPy."""
        shape = self.plain[0].shape
        at = numpy.arange(self.plain[0].size)
        return (1.0 + 0.25 * at - 0.05 * at * at).reshape(shape)

    @cached_property
    def cotangent(self) -> Array:
        """The same as an array of the engine. It is made before a transform is under way, whose trace could keep it."""
        return self.ad.array(self.weights.tolist())

    def prepared(self) -> ProgramCase:
        """Run the program once, so that all that is constant is there before it is differentiated."""
        self.cotangent  # noqa: B018
        return self

    def scalar(self, *xs: Array) -> Array:
        """The function that is differentiated."""
        return self.weighed(self.value(*xs), xs)

    def weighed(self, value: Array, xs: Sequence[Array]) -> Array:
        """The inner product of a value with the cotangent, and the squares."""
        np = self.ad.np
        total = np.sum(value * self.cotangent)
        for x in xs:
            total = total + np.sum(x * x)
        return total

    def moved(self, t: float) -> list[Any]:
        """The inputs at a distance along the directions, as NumPy's arrays."""
        return [x + t * v for x, v in zip(self.numbers, self.directions, strict=True)]

    def value_at(self, t: float) -> Any:
        """What the program returns at a distance along the directions, as an array of NumPy."""
        return numpy.asarray(self.ad.to_numpy(self.value(*[self.ad.array(x.tolist()) for x in self.moved(t)])))

    def neighbour(self) -> ProgramCase:
        """The program at a point nearby, where numbers that were equal, or zero, are not."""
        inputs = (
            msgspec.structs.replace(one, numbers=tuple(x.ravel().tolist()))
            for one, x in zip(self.program.inputs, self.moved(0.013), strict=True)
        )
        return ProgramCase(msgspec.structs.replace(self.program, inputs=tuple(inputs)), self.ad).prepared()

    def beside(self, t: float) -> float:
        """The same at a distance along the directions, as a number; no derivative flows through what is constant."""
        run = Execution(self.ad, self.plain[1])
        moved = self.moved(t)
        value = self.value(*[self.ad.array(x.tolist()) for x in moved], run=run)
        total = numpy.sum(numpy.asarray(self.ad.to_numpy(value)) * self.weights)
        return float(total + sum(numpy.sum(x * x) for x in moved))

    @property
    def argnums(self) -> tuple[int, ...]:
        """All inputs."""
        return tuple(range(len(self.xs)))

    @cached_property
    def gradient(self) -> list[Any]:
        """The gradient in reverse mode, as NumPy's arrays."""
        return self.arrays(self.ad.grad(self.scalar, self.argnums)(*self.xs))

    def arrays(self, xs: Sequence[Array]) -> list[Any]:
        """Arrays of the engine as NumPy's."""
        return [numpy.asarray(self.ad.to_numpy(x)) for x in xs]

    @cached_property
    def forward(self) -> float:
        """The derivative along the directions, in forward mode."""
        return self.number(self.ad.jvp(self.scalar, tuple(self.xs), tuple(self.tangents))[1])

    def number(self, x: Array) -> float:
        """The number in an array of one element."""
        return float(self.ad.to_numpy(x))

    @cached_property
    def reverse(self) -> tuple[float, float]:
        """The derivative along the directions, in reverse mode, and the size of the numbers that it is the sum of."""
        return self.along(self.gradient)

    def along(self, gradient: Sequence[Any]) -> tuple[float, float]:
        """The inner product of a gradient with the directions, and the size of the numbers that it is the sum of."""
        parts = [g * v for g, v in zip(gradient, self.directions, strict=True)]
        return float(sum(map(numpy.sum, parts))), float(sum(numpy.sum(numpy.abs(part)) for part in parts))
