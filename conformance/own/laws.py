"""Laws that are asked of people's own functions alone, beside those on operations."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import suppress
from dataclasses import replace
from functools import partial
from itertools import combinations
from typing import Any

import numpy

from conformance.behaviour import MUST, Behaviour
from conformance.laws.comparison import Difference, compared, compared_each, first_of, shown, without_warnings
from conformance.laws.compositions import REVERSE, modes_agree
from conformance.laws.judge import agrees_with_differences, hold
from conformance.laws.operation_subject import OperationSubject
from conformance.laws.quantity import gradient, values
from conformance.laws.subject import NumPyArray
from conformance.laws.subsets import both_gradients, of_outputs
from conformance.operations import Cases
from conformance.operations.row import Operation
from conformance.operations.samples import generic, samples
from conformance.own.arguments import OwnCall
from conformance.own.function import NAME, OwnFunction, operation_of
from conformance.protocol.types import Array

# In these, values along a line are fitted up to this distance.
HALVES, REACH = ("float16", "bfloat16"), 0.3
# Precisions in which functions are called at special points, and how near to those of double precision their values
# are where they do not overflow.
LOW, ROUGHLY = ("float32", "float16"), 1e-2
Judge = Callable[[OperationSubject], Difference | None]


def law(
    name: str, statement: str, operation: Operation, judge: Judge, smooth: bool = False, chapter: str = "own"
) -> Behaviour:
    """A law on the function as a behaviour, which cites no documentation."""

    def check(ad: Any, operation: Operation) -> None:
        hold(ad, samples(operation, smooth=smooth), judge)

    cases = Cases(lambda _: True, {NAME: operation})
    return Behaviour(chapter, name, MUST, statement, (), check, cases)


def laws_on_own(
    ad: Any, own: OwnFunction, reference: Callable[..., Any] | None, compiler: str | None
) -> Iterator[Behaviour]:
    """The laws."""
    operation, at = own.operation, OperationSubject(ad, generic(own.operation))
    yield from _laws_on_any(operation)
    if pairs := _pairs(operation):
        yield law(
            "one_array_in_two_arguments_has_the_sum_of_the_gradients",
            "The gradient of an array that is given twice is the sum of the gradients by both arguments.",
            operation,
            lambda at: first_of(_given_twice(at, *pair) for pair in pairs),
        )
    if len(at.cotangents) > 1:
        yield law(
            "the_gradient_of_some_outputs_is_that_with_zeros_for_the_others",
            "The gradient of each output alone is that with zeros as the cotangents of the others.",
            operation,
            _single_outputs,
        )
    if _takes_no_rows(at):
        yield law("the_gradient_without_rows_is_empty", "Of no rows, the gradient has no rows.", operation, _of_no_rows)
    for dtype in LOW:
        yield law(
            f"{dtype}_overflows_nowhere_but_in_the_values",
            f"At special points where the values are numbers of {dtype}, the gradient is so, too.",
            operation,
            partial(_is_finite, dtype),
            True,
        )
    if own.computed in HALVES:
        statement = "The VJP agrees with the slope of a cubic that is fitted to values along a random direction."
        yield law("reverse_mode_gives_the_slope_in_half_precision", statement, operation, _slope)
    if reference:
        judge = _like(own.call.with_function(reference))
        yield law("the_reference_agrees", "Values and gradient are those of the reference.", operation, judge, True)
    if compiler and (compiled := own.call.functions.compiled(own.call, compiler)):
        other = replace(operation, call=compiled)
        statement = f"The gradient of the function as {compiler} compiles it is that of the function."
        yield law("compilation_changes_no_gradient", statement, operation, lambda at: _same_gradient(at, other))


def _laws_on_any(operation: Operation) -> Iterator[Behaviour]:
    """The laws that concern functions of any arguments."""
    yield law("the_modes_agree", "The JVP is the VJP, along a random direction.", operation, modes_agree, True)
    yield law(
        "a_call_before_the_backward_pass_changes_nothing",
        "The gradient is the same if the function is called with other arguments before the backward pass.",
        operation,
        _calls_between,
    )
    yield law(
        "a_gradient_is_kept_by_the_next_backward_pass",
        "A gradient has the same numbers after the gradient at another point is computed.",
        operation,
        _kept,
    )
    yield law(
        "vmap_of_the_values_is_the_loop",
        "vmap of the function is the function of each element of the batch.",
        operation,
        _mapped,
        chapter="transforms",
    )


def shapes_of(own: OwnFunction) -> Iterator[tuple[str, Operation]]:
    """The function for a single row and for an odd number of them, as operations, where it takes them."""
    operation, values = own.operation, own.call.values
    # Those of the array with most axes: of a vector beside a matrix, the axis may be that of the columns.
    shape = max((x.shape for x in values), key=len)
    rows = shape[0] if shape else 0
    # Data has as many rows as the call, or indices of them; not every engine raises an error.
    data = (x for at, (_, x) in enumerate(own.call.leaves) if at not in own.call.at)
    if not rows or any(map(own.call.functions.is_array, data)):
        return
    if rows in shape[1:] and len({x.ndim for x in values}) > 1:
        return
    for count in (1, 2 * rows + 1):
        changed = tuple(_with_rows(x, count) if x.ndim and x.shape[0] == rows else x for x in values)
        yield f"{count} rows", operation_of(own.call, operation.meaning, changed, operation.order, operation.dtype)


def _with_rows(x: NumPyArray, count: int) -> NumPyArray:
    # Unlike rows: of equal ones, no mistake would be seen.
    return numpy.concatenate([x * (1 - 0.1 * at) for at in range(1 + count // len(x))])[:count]


def shape_law(where: str, operation: Operation) -> Behaviour:
    """The derivative for another number of rows."""
    return law(
        f"reverse_mode_gives_the_derivative_for_{where.replace(' ', '_')}",
        f"The VJP for {where} agrees with central differences.",
        operation,
        lambda at: agrees_with_differences(at, REVERSE),
    )


def _pairs(operation: Operation) -> list[tuple[int, int]]:
    shapes = [argument.shape for argument in operation.arguments]
    return [(i, j) for i, j in combinations(range(len(shapes)), 2) if shapes[i] == shapes[j]]


def _calls_between(at: OperationSubject) -> Difference | None:
    """Both calls are part of the same graph, so that a backward pass follows another call."""
    count, other = len(at.primals), at.moved_to(at.other_point())

    def both(*xs: Array) -> Array:
        return at.scalar(*xs[:count]) + at.scalar(*xs[count:])

    got = at.ad.grad(both, tuple(range(2 * count)))(*at.primals, *other.primals)
    expected = [*at.ask_numbers(gradient), *other.ask_numbers(gradient)]
    return compared_each(at.numbers([*got]), expected, "gradient of two calls")


def _kept(at: OperationSubject) -> Difference | None:
    """A rule may return memory that its next call overwrites."""
    first = [*at.ad.grad(at.scalar, at.argnums)(*at.primals)]
    expected = [x.copy() for x in at.numbers(first)]
    at.ad.grad(at.scalar, at.argnums)(*at.other_primals)
    return compared_each(at.numbers(first), expected, "gradient after that at another point")


def _mapped(at: OperationSubject) -> Difference | None:
    """Values: of a linear function, gradients are the same for every batch."""
    other = at.other_primals
    (got,) = at.numbers([at.ad.vmap(at.scalar)(*at.stacked(at.primals, other))])
    looped = at.numbers([at.scalar(*at.primals), at.scalar(*other)])
    return compared(got, numpy.stack(looped), "value under vmap")


def _slope(at: OperationSubject) -> Difference | None:
    """Of many values, rounding cancels: differences of a few of half precision are rounding alone."""
    direction, steps = at.direction(1), numpy.linspace(-REACH, REACH, 41)
    weights = at.numbers(at.cotangents)

    def total(t: float) -> float:
        moved = at.moved_to([x + t * v for x, v in zip(at.point, direction, strict=True)])
        return float(sum(numpy.sum(x * w) for x, w in zip(moved.ask_numbers(values), weights, strict=True)))

    (_, _, slope, _), covariance = numpy.polyfit(steps, [total(t) for t in steps], 3, cov=True)
    terms = [x * v for x, v in zip(at.ask_numbers(gradient), direction, strict=True)]
    size = sum(float(numpy.sum(numpy.abs(x))) for x in terms)
    got = sum(float(numpy.sum(x)) for x in terms)
    return compared(got, slope, "derivative along a direction", float(numpy.sqrt(covariance[2, 2])), size)


def _given_twice(at: OperationSubject, first: int, second: int) -> Difference | None:
    point = [at.point[first] if n == second else x for n, x in enumerate(at.point)]
    moved = at.moved_to(point)
    parts = moved.ask_numbers(gradient)

    def once(x: Array) -> Array:
        return at.scalar(*(x if n in (first, second) else other for n, other in enumerate(moved.primals)))

    (got,) = at.numbers([*at.ad.grad(once, (0,))(moved.primals[first])])
    return compared(got, parts[first] + parts[second], f"gradient of an array in arguments {first} and {second}")


def _single_outputs(at: OperationSubject) -> Difference | None:
    singles = [of_outputs((number,)) for number in range(len(at.cotangents))]
    return first_of(compared_each(*both_gradients(at, single), single.name) for single in singles)


def _takes_no_rows(at: OperationSubject) -> bool:
    with suppress(Exception), without_warnings():
        at.scalar(*_without_rows(at))
        return any(x.ndim for x in at.point)
    return False


def _without_rows(at: OperationSubject) -> list[Array]:
    rows = max((x.shape[0] for x in at.point if x.ndim), default=0)
    return [x[:0] if x.ndim and x.shape[0] == rows else x for x in at.primals]


def _of_no_rows(at: OperationSubject) -> Difference | None:
    empty = _without_rows(at)
    got = at.ad.grad(at.scalar, at.argnums)(*empty)
    return first_of(
        Difference("shape", f"shape {tuple(x.shape)}", f"shape {tuple(y.shape)}", what="gradient of no rows")
        for x, y in zip(got, empty, strict=True)
        if tuple(x.shape) != tuple(y.shape)
    )


def _is_finite(dtype: str, at: OperationSubject) -> Difference | None:
    """Where the values are those of double precision, but for rounding."""
    low = OperationSubject(at.ad, at.sample, dtype)
    expected, got = at.ask_numbers(gradient), low.ask_numbers(gradient)
    pairs = [*zip(low.ask_numbers(values), at.ask_numbers(values), strict=True)]
    same = all(numpy.allclose(x, y, ROUGHLY, ROUGHLY) for x, y in pairs)
    if not same:
        return None
    return first_of(
        Difference("NaN", shown(x), shown(y), what=f"gradient in {dtype}")
        for x, y in zip(got, expected, strict=True)
        if not numpy.isfinite(x).all() and numpy.isfinite(y.astype(dtype)).all()
    )


def _same_gradient(at: OperationSubject, other: Operation) -> Difference | None:
    sample = replace(at.sample, operation=other)
    got = OperationSubject(at.ad, sample, at.dtype).ask_numbers(gradient)
    return compared_each(got, at.ask_numbers(gradient), "gradient")


def _like(call: OwnCall) -> Judge:
    """The judge of values and gradient beside those of another function, which takes the same arguments."""

    def judge(at: OperationSubject) -> Difference | None:
        other = OperationSubject(at.ad, replace(at.sample, operation=replace(at.operation, call=call)), at.dtype)
        pairs = [at.numbers(pair) for pair in zip(at.outputs(*at.primals), other.outputs(*other.primals), strict=True)]
        wrong = first_of(compared(got, expected, "value beside the reference") for got, expected in pairs)
        return wrong or compared_each(at.ask_numbers(gradient), other.ask_numbers(gradient), "gradient beside it")

    return judge
