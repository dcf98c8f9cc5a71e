"""Ends of functions of a number: the data file, compared with mpmath, and where it is used."""

from __future__ import annotations

import math
import random

import pytest

from conformance.operations import TABLE
from conformance.operations.ends import ends, kept
from workshop.ends import LARGEST, SMALLEST, derivative, with_ends

SAMPLE = sorted(random.Random(1).sample(sorted(kept()), 6))


@pytest.mark.parametrize("name", SAMPLE)
def test_derivatives_at_the_ends_are_those_of_mpmath(name: str) -> None:
    """Of each kind of end, the first: a normal number."""
    for end in kept()[name]:
        assert math.isclose(end.derivatives[0], derivative(TABLE[name], end.at, 1), rel_tol=1e-15)
        assert SMALLEST <= abs(end.derivatives[0]) <= LARGEST


def test_ends_are_those_of_rows() -> None:
    """Every one is of a function of a number with a true value, and within its domain."""
    assert set(kept()) <= {row.name for row in with_ends()}
    for name, points in kept().items():
        assert all(TABLE[name].arguments[0].holds(end.at) for end in points), name


def test_an_end_is_a_sample_of_one_number() -> None:
    """All elements are the end: exp reaches the largest numbers just below 710."""
    at = {sample.at: sample.differentiated[0] for sample in ends(TABLE["exp"])}
    assert 700 < at["largest"][0] < 710
    assert (at["largest"] == at["largest"][0]).all()
