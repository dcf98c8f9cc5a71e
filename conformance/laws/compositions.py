"""Directional derivatives of a program by forward and reverse mode, to be composed: each is a program again."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import TypeAlias

from conformance.laws.law import Comparison, EqualityLaw
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


@EqualityLaw
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
