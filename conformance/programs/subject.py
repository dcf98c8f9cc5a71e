"""A generated program that returns a value, as a subject of laws, with directions and a cotangent drawn for it."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import cached_property
from typing import Any

import msgspec
import numpy

from conformance.laws.differences import Estimate
from conformance.laws.subject import NumPyArray, Subject
from conformance.programs.execution import Execution
from conformance.programs.forms import KINKED
from conformance.programs.generator.draws import SeedStream
from conformance.programs.out_of_place import OutOfPlace
from conformance.programs.program import Program, walk
from conformance.programs.shrinking.slices import resliced
from conformance.programs.unrolled import PythonLoops
from conformance.protocol.types import Array, Arrays
from conformance.protocol.types import Program as Function

# Numbers of a program are sums and products of many: rounding is that of a number of this size at least.
UNIT = 1.0


def has_kinks(program: Program) -> bool:
    """Whether a program has an operation with kinks, at which its derivative is a convention."""
    return any(step.form in KINKED for step in walk(program.body))


class ProgramSubject(Subject):
    """The function that is differentiated is the inner product of the value with the cotangent, and the square of each
    input: so it depends on all of them, and so does its gradient.

    What several laws need (value, gradient, directions, cotangent) is computed once.
    """

    nearness = 1e-5

    def __init__(self, program: Program, ad: Any) -> None:
        super().__init__(ad, [numpy.array(x.numbers).reshape(x.shape) for x in program.inputs])
        self.program = program

    @cached_property
    def smooth(self) -> bool:  # type: ignore[override]
        """Whether no operation has a kink."""
        return not has_kinks(self.program)

    def scale(self, whole: Arrays, terms: Arrays) -> float:
        """Each array is measured by itself, and a sum by the sizes of its terms: the products with the directions."""
        if not terms:
            return UNIT
        products = (x * v for x, v in zip(self.numbers(terms), self._direction, strict=True))
        return max(UNIT, float(sum(numpy.sum(numpy.abs(product)) for product in products)))

    def direction(self, number: int) -> Sequence[NumPyArray]:
        """One direction, for all numbers."""
        return self._direction

    @cached_property
    def _direction(self) -> list[NumPyArray]:
        """Numbers that are short, so that they can be shown."""
        draws = SeedStream(len(self.point), *(len(x.numbers) for x in self.program.inputs))
        drawn = ([round(0.5 + draws.unit(), 2) for _ in range(x.size)] for x in self.point)
        return [numpy.array(numbers).reshape(x.shape) for numbers, x in zip(drawn, self.point, strict=True)]

    def directions(self, number: int) -> tuple[Array, ...]:
        """The same as arrays of the engine."""
        return self._directions

    @cached_property
    def _directions(self) -> tuple[Array, ...]:
        return tuple(map(self.array, self._direction))

    def value(self, *xs: Array, run: Execution | None = None) -> Array:
        """The result of the program."""
        return (run or Execution(self.ad)).returned(self.program.body, (), xs)

    @cached_property
    def plain(self) -> tuple[NumPyArray, list[Any]]:
        """The program's value, and the numbers through which no derivative flows."""
        constants: list[Any] = []
        value = self.value(*self.primals, run=Execution(self.ad, constants))
        return numpy.asarray(self.ad.to_numpy(value)), constants

    @cached_property
    def weights_of_value(self) -> NumPyArray:
        """The cotangent."""
        at = numpy.arange(self.plain[0].size)
        # Not all equal, so that the order of the value's elements matters.
        return (1.0 + 0.25 * at - 0.05 * at * at).reshape(self.plain[0].shape)

    @cached_property
    def cotangents(self) -> tuple[Array, ...]:
        """The cotangent as an array of the engine, made before a transform is under way, whose trace could keep it."""
        return (self.array(self.weights_of_value),)

    def prepared(self) -> ProgramSubject:
        """Run the program once, so that all that is constant is there before it is differentiated."""
        self.cotangents  # noqa: B018
        return self

    def scalar(self, *xs: Array) -> Array:
        """The function that is differentiated."""
        return self.weighted(*xs, *self.cotangents)

    def weighted(self, *arrays: Array) -> Array:
        """The same as a function of the inputs and the cotangent."""
        *xs, cotangent = arrays
        return self._weighed(self.value(*xs), xs, cotangent)

    def _weighed(self, value: Array, xs: Sequence[Array], cotangent: Array) -> Array:
        np = self.ad.np
        total = np.sum(value * cotangent)
        for x in xs:
            total = total + np.sum(x * x)
        return total

    def _moved_point(self, t: float) -> list[NumPyArray]:
        return [x + t * v for x, v in zip(self.point, self._direction, strict=True)]

    def value_at(self, t: float) -> NumPyArray:
        """The result of the program at a distance along the directions."""
        return numpy.asarray(self.ad.to_numpy(self.value(*map(self.array, self._moved_point(t)))))

    # Of an engine that detaches a value, the derivative is that of the function in which the value is a constant.
    def along(self, program: Function, number: int) -> Callable[[float], float]:
        """`scalar` as a function of the distance along the directions; no derivative flows through what is constant."""
        assert program == self.scalar

        def line(t: float) -> float:
            moved = self._moved_point(t)
            value = self.value(*map(self.array, moved), run=Execution(self.ad, self.plain[1]))
            total = numpy.sum(numpy.asarray(self.ad.to_numpy(value)) * self.weights_of_value)
            return float(total + sum(numpy.sum(x * x) for x in moved))

        return line

    def rough_estimate(self) -> Estimate:
        """The derivative by four values, which is enough for nearly every program."""
        line, h = self.along(self.scalar, 0), 0.01
        # A step of Richardson's extrapolation. Where it disagrees, `beside_differences` takes more values.
        wide, narrow = (line(h) - line(-h)) / (2 * h), (line(h / 2) - line(-h / 2)) / h
        return Estimate(narrow + (narrow - wide) / 3, 0.0)

    def neighbour(self) -> ProgramSubject:
        """The program at a point nearby, where numbers that were equal, or zero, are not."""
        inputs = (
            msgspec.structs.replace(x, numbers=tuple(moved.ravel().tolist()))
            for x, moved in zip(self.program.inputs, self._moved_point(0.013), strict=True)
        )
        return ProgramSubject(msgspec.structs.replace(self.program, inputs=tuple(inputs)), self.ad).prepared()

    def other_point(self) -> Sequence[NumPyArray]:
        """Another point, beside the subject's in a batch."""
        return self._moved_point(0.25)

    # The gradient of the same function by other programs.

    def gradient_of_resliced(self) -> Sequence[Array]:
        """Without the steps that the result does not depend on, or with more of them."""
        return self._gradient_by(ProgramSubject(resliced(self.program), self.ad).prepared().scalar)

    def gradient_out_of_place(self) -> Sequence[Array]:
        """With operations in the place of in-place writes, and indices of views."""
        return self._gradient_by(
            lambda *xs: self._weighed(self.value(*xs, run=OutOfPlace(self.ad)), xs, *self.cotangents)
        )

    def gradient_unrolled(self) -> Sequence[Array]:
        """With Python's loops in the place of scans."""
        return self._gradient_by(ProgramSubject(self.program, PythonLoops(self.ad)).prepared().scalar)

    def _gradient_by(self, scalar: Function) -> Sequence[Array]:
        gradient: Sequence[Array] = self.ad.grad(scalar, self.argnums)(*self.primals)
        return gradient
