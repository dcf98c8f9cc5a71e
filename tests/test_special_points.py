"""Special points: each row has some, or a reason for having none, which is compared with the operation's values."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import suppress
from functools import cache
from typing import Any

import numpy
import pytest

from autograd_conformance.operation_texts import points_of
from conformance.engines import EngineError, load, parse
from conformance.laws.operation_subject import OperationSubject
from conformance.operations import TABLE
from conformance.operations.reasons import LINEAR, MULTILINEAR, POLYNOMIAL, STEPS
from conformance.operations.samples import Sample, numbers_of, samples
from conformance.protocol.spellings import NotOffered

CHECKED = {name: row for name, row in TABLE.items() if row.ordinary in {LINEAR, MULTILINEAR, POLYNOMIAL, STEPS}}
# Binomial coefficients with alternating signs: of a polynomial of a lower degree, such a sum of values is zero.
DIFFERENCES = {1: (-1.0, 1.0), 2: (1.0, -2.0, 1.0), 5: (-1.0, 5.0, -10.0, 10.0, -5.0, 1.0)}
# A power of two, whose multiples are exact.
STEP = 1 / 64


def test_each_row_has_special_points_or_a_reason() -> None:
    """A new row needs one of both: `smooth` and `kinks`, or `ordinary`."""
    assert [name for name, row in TABLE.items() if bool(row.special) == bool(row.ordinary)] == []


def test_a_negative_zero_is_beside_each_zero_of_an_elementwise_operation() -> None:
    """A quotient by it has another sign."""
    (point,) = (point for point in TABLE["exp"].smooth if point.kind == "negative zero")
    assert numpy.signbit(point.values[0])


def test_a_page_says_which_points_are_special() -> None:
    """Or why none is."""
    assert points_of(TABLE["fmax"]).startswith("Special points, smooth: zero, second zero,")
    assert "; kinks: tie, tie at zero, tie at zero, negative." in points_of(TABLE["fmax"])
    assert points_of(TABLE["transpose"]) == f"No special point: {LINEAR}."


def test_a_point_has_the_options_that_the_table_names() -> None:
    """A zero row is a smooth point of `normalize` with an eps that differences can see."""
    at = {sample.at: sample.options for sample in samples(TABLE["normalize"])}
    assert (at["zero component"], at["zero row"]) == ({}, {"eps": 0.5})


def test_true_values_are_asked_for_at_finite_points_of_the_first_options() -> None:
    """High precision has no number beside infinity, and one function for an operation."""
    points = {sample.at for sample in numbers_of(TABLE["exp"])}
    assert "tail" in points
    assert "minus infinity" not in points
    assert "one, of degree seven" not in {sample.at for sample in numbers_of(TABLE["hermite_polynomial_he"])}


@pytest.mark.parametrize("name", CHECKED)
def test_a_reason_is_true_of_the_values(name: str) -> None:
    """Of all options: linear in all arguments together or in each, of low degree, or constant beside the point."""
    row = CHECKED[name]
    for sample in samples(row):
        subject = _values(name, sample)
        # Of a polynomial of lower degree than the order, the difference is zero.
        order = {LINEAR: 2, MULTILINEAR: 2, POLYNOMIAL: 5, STEPS: 1}[row.ordinary]
        for line in _lines(subject, alone=row.ordinary == MULTILINEAR):
            values = [line(STEP * at) for at in range(order + 1)]
            total = sum(weight * value for weight, value in zip(DIFFERENCES[order], values, strict=True))
            # Rounding of a few values, with weights up to ten.
            assert abs(total) <= 1e-13 * (1 + max(map(abs, values))), sample.options


def _lines(subject: OperationSubject, *, alone: bool) -> Iterator[Callable[[float], float]]:
    """The operation along a direction of all arguments, or of each by itself."""
    direction = subject.direction(0)
    if not alone:
        yield subject.line(subject.scalar, direction)
        return
    for number in range(len(direction)):
        only = [x if at == number else numpy.zeros_like(x) for at, x in enumerate(direction)]
        yield subject.line(subject.scalar, only)


@cache
def _engines() -> tuple[Any, ...]:
    """The engines that can be loaded here, the reference engine first."""
    engines = [load(parse("reference"))]
    with suppress(EngineError):
        engines.append(load(parse("torch")))
    with suppress(EngineError):
        engines.append(load(parse("jax")))
    return tuple(engines)


def _values(name: str, sample: Sample) -> OperationSubject:
    """The sample on the first engine that has the operation with its options."""
    for ad in _engines():
        subject = OperationSubject(ad, sample)
        with suppress(NotOffered):
            subject.number(subject.scalar(*subject.primals))
            return subject
    pytest.skip(f"no engine here has {name}")
