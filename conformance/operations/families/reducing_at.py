"""Reductions of numbers at the same index: products, means, the least and the greatest."""

from __future__ import annotations

from typing import Any

from conformance.operations.row import Operation, array, given, row

# Rows 0 and 2 are written, row 2 twice, and row 1 never.
TWICE = given([2, 0, 2])
ONCE = given([2, 0])
ROWS, TWO_ROWS = array(3, 2), array(2, 2)

# Points of the reductions of three numbers x with numbers y written to places 2, 0, 2.
FACTORS = {
    "zero of x": ([0.0, 0.0, 0.0], [2.0, 3.0, 4.0]),
    "one zero factor": ([2.0, 3.0, 4.0], [0.0, 5.0, 6.0]),
    "two zero factors": ([2.0, 3.0, 4.0], [0.0, 0.0, 0.0]),
    "zero of x and zero factor": ([0.0, 3.0, 0.0], [5.0, 0.0, 0.0]),
}
TIES = {
    "tie with x": ([1.0, 2.0, 3.0], [3.0, 1.0, 3.0]),
    "tie among those written": ([0.0, 0.0, 0.0], [1.0, 1.0, 1.0]),
}
# x is overwritten: equal numbers in it make no tie.
EQUAL = {"equal to what was overwritten": ([1.0, 2.0, 5.0], [4.0, 1.0, 5.0])}


def _reduced(function: str, reduction: str, meaning: str, **points: Any) -> tuple[Operation, Operation]:
    """The rows of a reduction of numbers at repeated indices, together with what x has there, and without."""
    x, source = array(3), array(3)
    return (
        row(
            f"{function}_{reduction}(x, indices, source)",
            f"{meaning} x and source at each index.",
            x,
            TWICE,
            source,
            **points,
        ),
        row(
            f"{function}_{reduction}_anew(x, indices, source)",
            f"{meaning} source at each index, in the place of x.",
            x,
            TWICE,
            source,
            **_anew(points),
        ),
    )


def _anew(points: dict[str, Any]) -> dict[str, Any]:
    """The points where x, which is overwritten, is equal to the result; ties are among the written values."""
    if "kinks" not in points:
        return points
    return {"smooth": EQUAL, "kinks": {"tie among those written": TIES["tie among those written"]}}


def _reductions(function: str) -> list[Operation]:
    return [
        *_reduced(function, "prod", "The product of", smooth=FACTORS),
        *_reduced(function, "mean", "The mean of"),
        *_reduced(function, "amax", "The greatest of", kinks=TIES),
        *_reduced(function, "amin", "The least of", kinks=TIES),
    ]


# Rows of the family `indexing`.
REDUCING_AT = (
    row(
        "at_multiply(x, indices, values)",
        "x with rows multiplied by values.",
        ROWS,
        ONCE,
        TWO_ROWS,
        smooth={"zero factor": (2.0, 0.0), "zero": (0.0, 0.0)},
    ),
    row(
        "at_multiply_twice(x, indices, values)",
        "x with rows multiplied by values, one twice.",
        array(3),
        TWICE,
        array(3),
        smooth=FACTORS,
    ),
    row(
        "at_divide(x, indices, values)",
        "x with rows divided by values.",
        ROWS,
        ONCE,
        array(2, 2, low=0.5, high=2.0),
        smooth={"zero": (0.0, 1.5), "ones": (1.0, 1.0)},
    ),
    row(
        "at_power(x, indices, values)",
        "x with rows raised to powers.",
        array(3, 2, low=0.5, high=2.0),
        ONCE,
        TWO_ROWS,
        smooth={"zero exponent": (1.5, 0.0), "base one": (1.0, [[1.0, 2.0], [-1.0, 0.0]])},
    ),
    row(
        "at_min(x, indices, values)",
        "x with the least of each row and the values for it.",
        array(3),
        TWICE,
        array(3),
        kinks=TIES,
        degree=1,
    ),
    row(
        "at_max(x, indices, values)",
        "x with the greatest of each row and the values for it.",
        array(3),
        TWICE,
        array(3),
        kinks=TIES,
        degree=1,
    ),
    *_reductions("index_reduce"),
    row(
        "scatter_reduce_shorter(x, indices, source)",
        "The sum of x and the first elements of a longer source at each index.",
        array(3),
        ONCE,
        array(3),
    ),
    *_reduced("scatter_reduce", "sum", "The sum of"),
    *_reductions("scatter_reduce"),
    # Segments.
    row(
        "segment_sum(x, segments, num_segments)",
        "The sum of the elements of each segment.",
        array(4),
        given([0, 2, 0, 2]),
        options=[{"num_segments": 3}],
    ),
    row(
        "segment_prod(x, segments, num_segments)",
        "The product of the elements of each segment.",
        array(4),
        given([0, 2, 0, 2]),
        options=[{"num_segments": 3}],
        smooth={"one zero factor": [0.0, 2.0, 3.0, 4.0], "two zero factors": [0.0, 2.0, 0.0, 4.0]},
    ),
    row(
        "segment_max(x, segments, num_segments)",
        "The greatest element of each segment.",
        array(4),
        given([0, 1, 0, 1]),
        options=[{"num_segments": 2}],
        kinks={"tie": [1.0, 2.0, 1.0, 3.0]},
        degree=1,
    ),
    row(
        "segment_min(x, segments, num_segments)",
        "The least element of each segment.",
        array(4),
        given([0, 1, 0, 1]),
        options=[{"num_segments": 2}],
        kinks={"tie": [1.0, 2.0, 1.0, 3.0]},
        degree=1,
    ),
    row(
        "segment_reduce(x, lengths, reduce)",
        "The sum, mean, product, greatest or least element of each run of these lengths.",
        array(5),
        given([2, 3]),
        options=[{"reduce": "prod"}, {"reduce": "sum"}, {"reduce": "mean"}, {"reduce": "max"}, {"reduce": "min"}],
        smooth={"one zero factor": [0.0, 2.0, 3.0, 4.0, 5.0], "two zero factors": [2.0, 3.0, 0.0, 0.0, 4.0]},
        degree=[None, 1, 1, 1, 1],
    ),
)
