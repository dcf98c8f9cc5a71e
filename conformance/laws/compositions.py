"""Directional derivatives of a program by forward and reverse mode, to be composed: each is a program again."""

from __future__ import annotations

from collections.abc import Callable
from typing import TypeAlias

from conformance.laws.operation_subject import OperationSubject
from conformance.protocol.types import Array, Program

__all__ = ["Derivative", "forward", "gradient", "repeated", "reverse"]

# The derivative of a subject's program along the direction of that number.
Derivative: TypeAlias = Callable[[OperationSubject, Program, int], Program]


def reverse(subject: OperationSubject, program: Program, number: int) -> Program:
    """The inner product of the gradient with the direction."""
    # Once, so that an engine that compiles the gradient does so once.
    gradient = subject.ad.grad(program, subject.argnums)

    def derivative(*xs: Array) -> Array:
        return subject.dot(gradient(*xs), subject.directions(number))

    return derivative


def forward(subject: OperationSubject, program: Program, number: int) -> Program:
    """The tangent of the program for the direction."""

    def derivative(*xs: Array) -> Array:
        output, tangent = subject.ad.jvp(program, xs, subject.directions(number))
        # A tape's output that no dual number has reached has none.
        return output * 0.0 if tangent is None else tangent

    return derivative


def repeated(derivative: Derivative, order: int) -> Derivative:
    """The derivative of that order along one direction, by the same mode each time."""

    def composed(subject: OperationSubject, program: Program, number: int) -> Program:
        for _ in range(order):
            program = derivative(subject, program, number)
        return program

    return composed


def gradient(subject: OperationSubject) -> Program:
    """The gradient of the subject's program by all its arguments."""
    found: Program = subject.ad.grad(subject.scalar, subject.argnums)
    return found
