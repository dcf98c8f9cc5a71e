"""Directional derivatives of a program by forward and reverse mode, to be composed: each is a program again."""

from __future__ import annotations

from collections.abc import Callable
from typing import TypeAlias

from conformance.operations.problem import Problem
from conformance.protocol.types import Array, Program

__all__ = ["Derivative", "forward", "gradient", "repeated", "reverse"]

# The derivative of a problem's program along the direction of that number.
Derivative: TypeAlias = Callable[[Problem, Program, int], Program]


def reverse(problem: Problem, program: Program, number: int) -> Program:
    """The inner product of the gradient with the direction."""
    # Once, so that an engine that compiles the gradient does so once.
    gradient = problem.ad.grad(program, problem.argnums)

    def derivative(*xs: Array) -> Array:
        return problem.dot(gradient(*xs), problem.directions(number))

    return derivative


def forward(problem: Problem, program: Program, number: int) -> Program:
    """The tangent of the program for the direction."""

    def derivative(*xs: Array) -> Array:
        output, tangent = problem.ad.jvp(program, xs, problem.directions(number))
        # A tape's output that no dual number has reached has none.
        return output * 0.0 if tangent is None else tangent

    return derivative


def repeated(derivative: Derivative, order: int) -> Derivative:
    """The derivative of that order along one direction, by the same mode each time."""

    def composed(problem: Problem, program: Program, number: int) -> Program:
        for _ in range(order):
            program = derivative(problem, program, number)
        return program

    return composed


def gradient(problem: Problem) -> Program:
    """The gradient of the problem's program by all its arguments."""
    found: Program = problem.ad.grad(problem.scalar, problem.argnums)
    return found
