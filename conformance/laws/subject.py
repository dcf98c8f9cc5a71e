"""Subjects of laws: something differentiable at a point, on an engine.

A maker (an operation at a sample, a generated program, a function) defines the few methods that raise
NotImplementedError here. Laws know nothing else of a subject, so they are written once.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from copy import copy
from functools import cached_property
from typing import Any, TypeAlias, TypeVar

import numpy

from conformance.laws import quantity as quantities
from conformance.laws.comparison import RELATIVE, largest
from conformance.laws.quantity import Quantity, Tree
from conformance.protocol.types import Array, Arrays, Program

# A subject as it is made by its maker.
Made = TypeVar("Made", bound="Subject")
NumPyArray: TypeAlias = "numpy.ndarray[Any, Any]"
# What is computed from primals, directions and cotangents, and so is another with others.
DERIVED = ("primals", "gradient", "_gradient_numbers", "cotangents", "known")


def numpy_of(ad: Any, x: Array) -> NumPyArray:
    """An array of the engine as NumPy's; of bfloat16, which not every NumPy knows, as doubles."""
    is_bfloat16 = str(getattr(x, "dtype", "")).endswith("bfloat16")
    return numpy.asarray(ad.to_numpy(ad.cast(x, "float64") if is_bfloat16 else x))


class Subject:
    """A function at `point` (NumPy's arrays), whose outputs are summed with cotangents: a number, `scalar`."""

    # Distance that is allowed between a derivative and differences of values, beside the size of the numbers.
    nearness = RELATIVE
    # Rounding that is left where terms of about 1 cancel.
    rounding = 0.0
    # Whether there are no kinks: then a discrepancy counts, although it is not seen at a neighbouring point.
    smooth = False

    def __init__(self, ad: Any, point: Sequence[NumPyArray], dtype: str | None = None) -> None:
        self.ad, self.point, self.dtype = ad, tuple(point), dtype
        # Those of a joint function: arguments of it, and no constants in it.
        self._bound_directions: Mapping[int, Sequence[Array]] = {}
        self._bound_cotangents: Sequence[Array] | None = None

    # What a maker defines.

    def outputs(self, *xs: Array) -> Sequence[Array]:
        """The outputs of the function that are numbers."""
        raise NotImplementedError

    def direction(self, number: int) -> Sequence[NumPyArray]:
        """A direction for each primal: the same for the same number."""
        raise NotImplementedError

    def cotangent(self, number: int, shape: tuple[int, ...]) -> NumPyArray:
        """A cotangent for the output of that number; of number -1 - n for the imaginary part of output n."""
        raise NotImplementedError

    def neighbour(self) -> Subject:
        """The same at another point of the same kind, of the same shapes."""
        raise NotImplementedError

    def scale(self, whole: Arrays, terms: Arrays) -> float:
        """Size by which rounding is measured, where a result is a part of `whole`, or a sum of `terms`."""
        return largest(self.numbers(whole))

    def other_point(self) -> Sequence[NumPyArray]:
        """Another point, beside the subject's in a batch."""
        return self.neighbour().point

    # What laws use.

    def ask(self, quantity: Quantity, *extras: NumPyArray) -> Tree:
        """The arrays of a quantity, with these numbers in the place of its extras."""
        return quantity.compute(self, *map(self.array, extras or quantity.extras(self)))

    def ask_numbers(self, quantity: Quantity, *extras: NumPyArray) -> list[NumPyArray]:
        """The same as NumPy's arrays."""
        return self.numbers(self.ask(quantity, *extras))

    def bound(
        self: Made,
        ad: Any,
        primals: Sequence[Array],
        others: Sequence[Array],
        directions: Mapping[int, Sequence[Array]],
        cotangents: Sequence[Array],
    ) -> Made:
        """The same on an adapter, with these arrays in the place of its own: those of a trace."""
        bound = self._without_derived()
        bound.ad, bound.__dict__["primals"], bound.other_primals = ad, tuple(primals), tuple(others)
        bound._bound_directions, bound._bound_cotangents = directions, cotangents
        return bound

    def moved_to(self: Made, point: Sequence[NumPyArray]) -> Made:
        """The same at another point, with the same directions and cotangents."""
        other, cotangents = self._without_derived(), self.__dict__.get("cotangents")
        if cotangents is not None:
            other.__dict__["cotangents"] = cotangents
        other.point = tuple(point)
        return other

    def with_cotangents(self: Made, cotangents: Sequence[NumPyArray]) -> Made:
        """The same with other cotangents of the outputs."""
        other = self._without_derived()
        other._bound_cotangents = other.__dict__["cotangents"] = tuple(map(self.array, cotangents))
        return other

    def anew(self: Made) -> Made:
        """The same with the same arrays, of which nothing is known yet."""
        other = self._without_derived()
        other.__dict__ |= {"primals": self.primals, "cotangents": self.cotangents}
        return other

    def _without_derived(self: Made) -> Made:
        other = copy(self)
        for name in DERIVED:
            other.__dict__.pop(name, None)
        return other

    @cached_property
    def primals(self) -> tuple[Array, ...]:
        """The point as arrays of the engine."""
        return tuple(map(self.array, self.point))

    @cached_property
    def other_primals(self) -> tuple[Array, ...]:
        """The other point as arrays of the engine."""
        return tuple(map(self.array, self.other_point()))

    @cached_property
    def known(self) -> dict[Any, Any]:
        """The arrays of quantities that were computed together, by the joint function."""
        return {}

    @cached_property
    def argnums(self) -> tuple[int, ...]:
        """All primals."""
        return tuple(range(len(self.primals)))

    def scalar(self, *xs: Array) -> Array:
        """The sum of all outputs, each times its cotangent: a real number."""
        # Cotangents are made anew: the engine's array may belong to the trace in which it was made.
        parts = self.parts(*xs)
        return self.dot([part for _, part in parts], self.weights(parts))

    def weighted(self, *arrays: Array) -> Array:
        """`scalar` as a function of the primals and the cotangents: what is compiled once for many points."""
        count = len(self.primals)
        return self.dot([part for _, part in self.parts(*arrays[:count])], arrays[count:])

    @cached_property
    def cotangents(self) -> tuple[Array, ...]:
        """The cotangents of the outputs."""
        return self.weights(self.parts(*self.primals))

    def parts(self, *xs: Array) -> list[tuple[int, Array]]:
        """The outputs, of complex ones the real and the imaginary part, each with the number of its cotangent."""
        np, parts = self.ad.np, list[tuple[int, Array]]()
        for number, output in enumerate(self.outputs(*xs)):
            if self.ad.dtype_of(output).startswith("complex"):
                parts += [(number, np.real(output)), (-1 - number, np.imag(output))]
            else:
                parts.append((number, output))
        return parts

    def weights(self, parts: Sequence[tuple[int, Array]]) -> tuple[Array, ...]:
        """A cotangent for each part."""
        bound = self._bound_cotangents
        # Of a program with other outputs, such as those of a broadcast input, they are constants.
        if bound is not None and [part.shape for _, part in parts] == [x.shape for x in bound]:
            return tuple(bound)
        return tuple(self.array(self.cotangent(number, tuple(part.shape))) for number, part in parts)

    def cubic(self, *xs: Array) -> Array:
        """`scalar`, and a cube of each primal: all three derivatives of any function depend on all of them.

        On a tape, a derivative that is constant is not part of a graph, and cannot be asked for another derivative.
        """
        cubes = [self.ad.np.sum(x * x * x) * (1 / 6) for x in xs]
        return sum(cubes, self.scalar(*xs))

    def connected(self, *xs: Array) -> Array:
        """`scalar`, whose three derivatives depend on all primals as those of `cubic` do: by the cubes of zeros.

        They add nothing, at sizes too at which a cube would hide the derivative, or overflow.
        """
        zeros = [x * 0.0 for x in xs]
        return sum([self.ad.np.sum(x * x * x) for x in zeros], self.scalar(*xs))

    @cached_property
    def gradient(self) -> tuple[Array, ...]:
        """The gradient of `scalar` in reverse mode."""
        return tuple(self.ask(quantities.gradient))

    @cached_property
    def _gradient_numbers(self) -> list[NumPyArray]:
        return self.numbers([*self.gradient])

    def directions(self, number: int) -> tuple[Array, ...]:
        """The direction of that number as arrays of the engine."""
        if number in self._bound_directions:
            return tuple(self._bound_directions[number])
        return tuple(map(self.array, self.direction(number)))

    def dot(self, xs: Sequence[Array], ys: Sequence[Array]) -> Array:
        """The inner product of two sequences of arrays."""
        parts = [self.ad.np.sum(x * y) for x, y in zip(xs, ys, strict=True)]
        # Not from 0: that is an addition more, also in each check that is written as source.
        return sum(parts[1:], parts[0])

    def stacked(self, *points: Sequence[Array]) -> list[Array]:
        """A batch of points: for each primal, an array with those of all points along the first axis."""
        return [self.ad.np.stack(list(xs)) for xs in zip(*points, strict=True)]

    def scalar_along(self, direction: Sequence[NumPyArray]) -> Callable[[float], float]:
        """`scalar` as a function of the distance from the point along a direction."""
        return self.line(self.scalar, direction)

    def along(self, program: Program, number: int) -> Callable[[float], float]:
        """The program's value as a function of the distance from the point along the direction of that number."""
        return self.line(program, self.direction(number))

    def line(self, program: Program, direction: Sequence[NumPyArray]) -> Callable[[float], float]:
        """The same along a direction, which has an array for each primal."""
        return lambda t: self.number(program(*self.moved(direction, t)))

    def moved(self, direction: Sequence[NumPyArray], t: float) -> tuple[Array, ...]:
        """The point at a distance along a direction."""
        return tuple(self.array(x + t * v) for x, v in zip(self.point, direction, strict=True))

    def number(self, x: Array) -> float:
        """The number in an array of a single element."""
        return float(numpy.real(numpy_of(self.ad, x)))

    def numbers(self, xs: Arrays) -> list[NumPyArray]:
        """The arrays as NumPy's."""
        # Several laws compare with the gradient, and each conversion is a call of the engine.
        if xs and xs is self.__dict__.get("gradient"):
            return self._gradient_numbers
        return [numpy_of(self.ad, x) for x in xs]

    def array(self, x: NumPyArray) -> Array:
        """The numbers as an array of the engine."""
        return self.ad.array(x.tolist(), self.dtype)
