"""Directional derivatives of a program by forward and reverse mode, to be composed: each is a program again."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from functools import cache
from typing import Any, TypeAlias

from conformance.laws.law import Comparison, EqualityLaw
from conformance.laws.quantity import ALONG_LINES, Quantity, register
from conformance.laws.subject import Subject
from conformance.protocol.types import Array, Arrays, Program

# The derivative of a subject's program along the direction of that number.
Derivative: TypeAlias = Callable[[Subject, Program, int], Program]


def reverse(subject: Subject, program: Program, number: int) -> Program:
    """The inner product of the gradient with the direction."""
    # Once, so that an engine that compiles the gradient does so once.
    gradient = subject.ad.grad(program, subject.argnums)

    def derivative(*xs: Array) -> Array:
        return subject.dot(gradient(*xs), subject.directions(number))

    return derivative


def forward(subject: Subject, program: Program, number: int) -> Program:
    """The tangent of the program for the direction."""

    def derivative(*xs: Array) -> Array:
        output, tangent = subject.ad.jvp(program, xs, subject.directions(number))
        # A tape's output that no dual number has reached has none.
        return output * 0.0 if tangent is None else tangent

    return derivative


def repeated(derivative: Derivative, order: int) -> Derivative:
    """The derivative of that order along a direction, by the same mode each time."""

    def composed(subject: Subject, program: Program, number: int) -> Program:
        for _ in range(order):
            program = derivative(subject, program, number)
        return program

    return composed


@dataclass(frozen=True)
class Composition:
    """Modes of differentiation, one after the other, the innermost first: a derivative of that order."""

    modes: tuple[Derivative, ...]

    @property
    def order(self) -> int:
        """The number of derivatives."""
        return len(self.modes)

    @property
    def inner(self) -> Composition:
        """What the outermost mode differentiates: the derivative of an order less."""
        return Composition(self.modes[:-1])

    def program(self, at: Subject, number: int, cubic: bool) -> Program:
        """The derivative as a program: along direction `number` of those along direction 0."""
        return self.of(at, at.cubic if cubic else at.scalar, number)

    def of(self, at: Subject, program: Program, number: int) -> Program:
        """The derivative of a program of the subject's primals, likewise."""
        for along, mode in enumerate(self.modes, 1):
            program = mode(at, program, number if along == self.order else 0)
        return program

    def value(self, at: Any) -> float:
        """The derivative at the point, along direction 1 of those along direction 0."""
        (number,) = at.ask(_derivative(self))
        return float(at.number(number))

    def value_before(self, at: Any) -> Callable[[float], float]:
        """The value of what the outermost mode differentiates, as a function of the distance along direction 1."""
        if self.order == 1:
            line: Callable[[float], float] = at.scalar_along(at.direction(1))
            return line
        before = _before_another(self.inner)

        def value(t: float) -> float:
            moved = at.moved_to([x + t * v for x, v in zip(at.point, at.direction(1), strict=True)])
            return float(at.number(moved.ask(before)[0]))

        return value

    def __str__(self) -> str:
        return " over ".join(mode.__name__ for mode in reversed(self.modes))


@cache
def _derivative(composition: Composition) -> Quantity:
    """A derivative of operations that are differentiable that many times."""
    order = composition.order
    return Quantity(
        str(composition),
        lambda at: [composition.program(at, 1, cubic=order > 1)(*at.primals)],
        concerns=lambda at: at.operation.order >= order,
    )


@cache
def _before_another(composition: Composition) -> Quantity:
    """A derivative that is to be differentiated once more."""
    order = composition.order
    return Quantity(
        f"{composition} before another",
        lambda at: [composition.program(at, 0, cubic=True)(*at.primals)],
        concerns=lambda at: at.operation.order > order,
        asked=ALONG_LINES,
    )


def derivative_alone(composition: Composition) -> Quantity:
    """A derivative of a function of numbers without the cubes that hide small numbers."""
    order = composition.order
    return Quantity(
        f"{composition} without cubes",
        lambda at: [composition.of(at, at.connected, 1)(*at.primals)],
        concerns=lambda at: at.operation.true_by_element and at.operation.order >= order,
    )


REVERSE, FORWARD = Composition((reverse,)), Composition((forward,))
REVERSE_OVER_REVERSE, FORWARD_OVER_REVERSE = Composition((reverse, reverse)), Composition((reverse, forward))
REVERSE_OVER_FORWARD, FORWARD_OVER_FORWARD = Composition((forward, reverse)), Composition((forward, forward))
REVERSE_THREE_TIMES, FORWARD_THREE_TIMES = Composition((reverse,) * 3), Composition((forward,) * 3)
for _composition in (
    *(REVERSE, FORWARD, REVERSE_OVER_REVERSE, FORWARD_OVER_REVERSE, REVERSE_OVER_FORWARD, FORWARD_OVER_FORWARD),
    *(REVERSE_THREE_TIMES, FORWARD_THREE_TIMES),
):
    register(_derivative(_composition))
for _composition in (REVERSE, FORWARD, REVERSE_OVER_REVERSE):
    register(_before_another(_composition))


@EqualityLaw.of_operations
def modes_agree(at: Subject) -> Iterator[Comparison]:
    """The derivative along a direction is the same in forward and in reverse mode."""
    expected = at.dot(at.gradient, at.directions(0))
    got = forward(at, at.scalar, 0)(*at.primals)
    yield Comparison(got, expected, "JVP beside VJP along a direction", terms=at.gradient)


@EqualityLaw
def orders_of_modes(at: Subject) -> Iterator[Comparison]:
    """The second derivative along the directions is the same by each composition of the modes."""
    # All compositions are compared with reverse over reverse, which needs `grad` alone.
    by_reverse, by_forward = reverse(at, at.scalar, 0), forward(at, at.scalar, 0)
    terms, expected = _second(at, by_reverse)
    yield Comparison(forward(at, by_reverse, 0)(*at.primals), expected, "JVP of a VJP", terms=terms)
    yield Comparison(_second(at, by_forward)[1], expected, "VJP of a JVP", terms=terms)


@EqualityLaw
def forward_over_forward(at: Subject) -> Iterator[Comparison]:
    """The second derivative along the directions by forward mode alone is that of the reverse mode's gradient."""
    by_forward = forward(at, at.scalar, 0)
    terms, expected = _second(at, by_forward)
    yield Comparison(forward(at, by_forward, 0)(*at.primals), expected, "JVP of a JVP", terms=terms)


def _second(at: Subject, derivative: Program) -> tuple[Arrays, Array]:
    """The gradient of a first derivative, and its inner product with the direction."""
    gradient = at.ad.grad(derivative, at.argnums)(*at.primals)
    return gradient, at.dot(gradient, at.directions(0))
