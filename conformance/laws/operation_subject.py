"""An operation at a sample, as a subject of laws: a row of the table, or an item of an engine's inventory."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from contextlib import suppress
from copy import copy
from functools import cached_property
from typing import Any, NamedTuple

import numpy

from conformance.laws import quantity as quantities
from conformance.laws.joint import jointly
from conformance.laws.kept import kept
from conformance.laws.quantity import Quantity, Tree
from conformance.laws.subject import NumPyArray, Subject
from conformance.operations.row import RowError
from conformance.operations.samples import Sample
from conformance.protocol import Joint
from conformance.protocol.types import Array
from conformance.trial import current, running


class OutputOutline(NamedTuple):
    """An output without its numbers."""

    shape: tuple[int, ...]
    dtype: str

    @property
    def is_complex(self) -> bool:
        """Whether the numbers are complex."""
        return self.dtype.startswith("complex")


class OperationSubject(Subject):
    """A sample on an engine: its arguments are arrays of the engine, its outputs are summed with fixed cotangents."""

    def __init__(self, ad: Any, sample: Sample, dtype: str | None = None) -> None:
        dtype = dtype or sample.operation.dtype
        super().__init__(ad, sample.differentiated, dtype)
        self.sample, self.operation = sample, sample.operation
        # Of an adapter that is not in a trial, such as of a plot, nothing is computed together.
        self._joint: Joint | None = getattr(ad, "joint_now", None)
        compiles = running() and getattr(ad, "compiles_operations", False)
        self._compile: Callable[..., Any] | None = ad.compile_operation if compiles else None
        self._order = 1
        # Arguments without a derivative: masks and indices keep their dtype, numbers take that of the subject.
        self._given = {
            at: ad.array(value.tolist(), dtype if value.dtype.kind == "f" else None)
            for at, (argument, value) in enumerate(zip(self.operation.arguments, sample.values, strict=True))
            if argument.is_given
        }

    def ask(self, quantity: Quantity, *extras: NumPyArray) -> Tree:
        """The arrays of a quantity: of an engine that compiles, by the joint function."""
        if self._joint and quantities.QUANTITIES.get(quantity.name) is quantity:
            together = jointly(self, self._joint, quantity, extras)
            if together is not None:
                return together
            if running():
                current().untraced = True
        return super().ask(quantity, *extras)

    def bound(
        self,
        ad: Any,
        primals: Sequence[Array],
        others: Sequence[Array],
        directions: Mapping[int, Sequence[Array]],
        cotangents: Sequence[Array],
    ) -> OperationSubject:
        """The same, as part of a joint function, which does not call another."""
        bound = super().bound(ad, primals, others, directions, cotangents)
        bound._joint = None
        return bound

    def scalar_along(self, direction: Sequence[NumPyArray]) -> Callable[[float], float]:
        """`scalar` as a function of the distance from the point along a direction."""
        if self._joint is None:
            return super().scalar_along(direction)
        weights = self.numbers(self.cotangents)

        def line(t: float) -> float:
            at = self.moved_to([x + t * v for x, v in zip(self.point, direction, strict=True)])
            return float(sum(numpy.sum(x * w) for x, w in zip(at.ask_numbers(quantities.values), weights, strict=True)))

        return line

    def outputs(self, *xs: Array) -> list[Array]:
        """The outputs of the operation that are numbers, as `observed`."""
        results = self.call(*xs)
        if self.operation.observed:
            results = self.operation.observed(self.ad, *(results if isinstance(results, tuple) else (results,)))
        outputs = results if isinstance(results, tuple) else (results,)
        numeric = ("float", "bfloat", "complex")
        # Indices, signs and flags have no derivative, and None is an output that was not asked for.
        return [x for x in outputs if x is not None and self.ad.dtype_of(x).startswith(numeric)]

    @property
    def inputs(self) -> list[Array]:
        """All arrays that the operation is called with: differentiated, or masks and indices."""
        return [*self.primals, *self._given.values()]

    def call(self, *xs: Array) -> Any:
        """The result of the operation for these arguments."""
        free = iter(xs)
        arguments = [
            self._given[at] if argument.is_given else self._entered(at, next(free))
            for at, argument in enumerate(self.operation.arguments)
        ]
        positional = [value for name, value in self.sample.options.items() if name in self.operation.required]
        named = {name: value for name, value in self.sample.options.items() if name not in self.operation.required}
        operation = self.operation.call or getattr(self.ad.np, self.operation.name)
        joined = self.operation.joined
        if not self._compile:
            return operation(*([arguments] if joined else arguments), *positional, **named)
        # The engine's own function, as no compiler can trace the record of what a check calls.
        plain = getattr(operation, "__wrapped__", operation)
        compiled = kept(self, "compiled operations")
        key = self.sample.variant, self._order
        if key not in compiled:
            compiled[key] = self._compile(
                lambda *xs: plain(*([list(xs)] if joined else xs), *positional, **named), self._order
            )
        return compiled[key](*arguments)

    def compiled(self, order: int) -> OperationSubject:
        """The same where derivatives up to that order are compiled; of order zero, nothing is."""
        other = self._without_derived()
        # Looked up here: on a column that compiles no operations, this ends the check.
        other._compile, other._order = self.ad.compile_operation if order else None, order
        return other

    def _entered(self, at: int, x: Array) -> Array:
        enters = self.operation.arguments[at].enters
        return enters(self.ad, x) if enters else x

    @cached_property
    def outline(self) -> list[OutputOutline]:
        """The shape and the dtype of each output: the same at all points of a shape."""
        known = kept(self, "outlines")
        key = self.sample.variant, self.dtype, tuple(x.shape for x in self.point)
        if key not in known:
            known[key] = [OutputOutline(tuple(x.shape), self.ad.dtype_of(x)) for x in self._outputs_or_outlines()]
        outline: list[OutputOutline] = known[key]
        return outline

    def _outputs_or_outlines(self) -> Sequence[Array]:
        """The outputs, or what an engine that compiles knows of them without that it computes them."""
        if self._joint:
            plain = copy(self)
            plain.ad, plain._joint = self._joint.adapter, None
            with suppress(Exception):  # what cannot be traced is computed
                outlines: Sequence[Array] = self._joint.outline(plain.outputs, *self.primals)
                return outlines
        return self.outputs(*self.primals)

    @cached_property
    def cotangents(self) -> tuple[Array, ...]:
        """The cotangents of the outputs."""
        if self._bound_cotangents is not None:
            return tuple(self._bound_cotangents)
        shapes = [
            (number, output.shape)
            for at, output in enumerate(self.outline)
            for number in ((at, -1 - at) if output.is_complex else (at,))
        ]
        return tuple(self.array(self.cotangent(number, shape)) for number, shape in shapes)

    def parts(self, *xs: Array) -> list[tuple[int, Array]]:
        """Real outputs, each with the number of its cotangent. Raises RowError where there are none."""
        if parts := super().parts(*xs):
            return parts
        raise RowError(f"operation {self.operation.name!r} returns no output of a float dtype")

    def direction(self, number: int) -> tuple[NumPyArray, ...]:
        """The sample's direction of that number."""
        return self.sample.directions(number)

    def cotangent(self, number: int, shape: tuple[int, ...]) -> NumPyArray:
        """The sample's cotangent of that number."""
        return self.sample.cotangent(number, shape)

    def neighbour(self) -> OperationSubject:
        """The operation at another point of the same kind."""
        return OperationSubject(self.ad, self.sample.neighbour(), self.dtype)

    @property
    def rounding(self) -> float:  # type: ignore[override]
        """Zero in a tail: there a derivative is tiny, and no sum."""
        return 0.0 if self.sample.in_tail else float(numpy.finfo("float64").eps)
