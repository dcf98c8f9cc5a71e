"""An operation at a point, as a program of an engine's arrays whose value is one number."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import cached_property
from typing import Any

import numpy

from conformance.operations.row import RowError
from conformance.operations.samples import NumPyArray, Sample
from conformance.protocol.types import Array, Arrays, Program

__all__ = ["OperationSubject"]


class OperationSubject:
    """A sample on an engine: its arguments are arrays of the engine, its outputs are summed with fixed cotangents."""

    def __init__(self, ad: Any, sample: Sample, dtype: str | None = None) -> None:
        self.ad, self.sample, self.operation, self.dtype = ad, sample, sample.operation, dtype
        self.primals: tuple[Array, ...] = tuple(ad.array(x.tolist(), dtype) for x in sample.differentiated)
        self._given = {
            at: ad.array(value.tolist(), dtype if value.dtype.kind == "f" else None)
            for at, (one, value) in enumerate(zip(self.operation.arguments, sample.values, strict=True))
            if one.is_given
        }

    @cached_property
    def argnums(self) -> tuple[int, ...]:
        """All arguments of the program."""
        return tuple(range(len(self.primals)))

    def outputs(self, *xs: Array) -> list[Array]:
        """The outputs of the operation that are numbers, as `observed`."""
        found = self.call(*xs)
        if self.operation.observed:
            found = self.operation.observed(self.ad, *(found if isinstance(found, tuple) else (found,)))
        outputs = found if isinstance(found, tuple) else (found,)
        return [
            one
            for one in outputs
            if one is not None and self.ad.dtype_of(one).startswith(("float", "bfloat", "complex"))
        ]

    def call(self, *xs: Array) -> Any:
        """What the operation returns for these arguments."""
        free = iter(xs)
        arguments = [
            self._given[at] if one.is_given else self._entered(at, next(free))
            for at, one in enumerate(self.operation.arguments)
        ]
        positional = [value for name, value in self.sample.options.items() if name in self.operation.required]
        named = {name: value for name, value in self.sample.options.items() if name not in self.operation.required}
        operation = self.operation.call or getattr(self.ad.np, self.operation.name)
        return operation(*([arguments] if self.operation.joined else arguments), *positional, **named)

    def _entered(self, at: int, x: Array) -> Array:
        enters = self.operation.arguments[at].enters
        return enters(self.ad, x) if enters else x

    def scalar(self, *xs: Array) -> Array:
        """The sum of all outputs, each times its cotangent: a real number. Raises RowError where there is none."""
        parts = [self._part(number, output) for number, output in enumerate(self.outputs(*xs))]
        if not parts:
            raise RowError(f"operation {self.operation.name!r} returns no output of a float dtype")
        return sum(parts[1:], parts[0])

    def _part(self, number: int, output: Array) -> Array:
        np = self.ad.np
        cotangent = self._cotangent(number, tuple(output.shape))
        if self.ad.dtype_of(output).startswith("complex"):
            other = self._cotangent(-1 - number, tuple(output.shape))
            return np.sum(np.real(output) * cotangent) + np.sum(np.imag(output) * other)
        return np.sum(output * cotangent)

    def _cotangent(self, number: int, shape: tuple[int, ...]) -> Array:
        # Not kept: the engine's array may belong to the trace in which it was made.
        return self.array(self.sample.cotangent(number, shape))

    def cubic(self, *xs: Array) -> Array:
        """`scalar`, and a cube of each argument: of any operation, all three derivatives depend on all of them.

        On a tape, a derivative that is constant is not part of a graph, and cannot be asked for another derivative.
        """
        cubes = [self.ad.np.sum(x * x * x) * (1 / 6) for x in xs]
        return sum(cubes, self.scalar(*xs))

    def directions(self, number: int) -> tuple[Array, ...]:
        """The sample's directions as arrays of the engine."""
        return tuple(map(self.array, self.sample.directions(number)))

    def dot(self, xs: Sequence[Array], ys: Sequence[Array]) -> Array:
        """The inner product of two sequences of arrays."""
        parts = [self.ad.np.sum(x * y) for x, y in zip(xs, ys, strict=True)]
        return sum(parts[1:], parts[0])

    def along(self, program: Program, number: int) -> Callable[[float], float]:
        """The program's value as a function of the distance from the point along the direction of that number."""
        return self.line(program, self.sample.directions(number))

    def line(self, program: Program, direction: Sequence[NumPyArray]) -> Callable[[float], float]:
        """The same along a direction, which has an array for each argument."""
        return lambda t: self.number(program(*self.moved(direction, t)))

    def moved(self, direction: Sequence[NumPyArray], t: float) -> tuple[Array, ...]:
        """The point at a distance along a direction."""
        return tuple(self.array(x + t * v) for x, v in zip(self.sample.differentiated, direction, strict=True))

    def number(self, x: Array) -> float:
        """The number in an array of one element."""
        return float(numpy.real(self.ad.to_numpy(x)))

    def numbers(self, xs: Arrays) -> list[NumPyArray]:
        """The arrays as NumPy's."""
        return [numpy.asarray(self.ad.to_numpy(x)) for x in xs]

    def array(self, x: NumPyArray) -> Array:
        """The numbers as an array of the engine."""
        return self.ad.array(x.tolist(), self.dtype)
