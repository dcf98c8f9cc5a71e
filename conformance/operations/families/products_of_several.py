"""Products that are added to an array, and products of several matrices."""

from __future__ import annotations

from conformance.operations.row import array, row

PRODUCTS_OF_SEVERAL = (
    row(
        "addmm(m, x, y, beta=1, alpha=1)",
        "beta m + alpha x y.",
        array(2, 2),
        array(2, 3),
        array(3, 2),
        options=[{}, {"beta": 0.5, "alpha": -2.0}, {"beta": 0}, {"alpha": 0}],
        complex=True,
    ),
    row("addmm_broadcast(m, x, y)", "m + x y, m a row.", array(2), array(2, 3), array(3, 2)),
    row(
        "addmv(m, x, y, beta=1, alpha=1)",
        "beta m + alpha x y, y a vector.",
        array(2),
        array(2, 3),
        array(3),
        options=[{}, {"beta": 0.5, "alpha": -2.0}],
        complex=True,
    ),
    row(
        "addr(m, x, y, beta=1, alpha=1)",
        "beta m + alpha times the outer product.",
        array(2, 3),
        array(2),
        array(3),
        options=[{}, {"beta": 0.5, "alpha": -2.0}],
        complex=True,
    ),
    row(
        "baddbmm(m, x, y, beta=1, alpha=1)",
        "beta m + alpha x y for stacks.",
        array(2, 2, 2),
        array(2, 2, 3),
        array(2, 3, 2),
        options=[{}, {"beta": 0.5, "alpha": -2.0}],
        complex=True,
    ),
    row(
        "addbmm(m, x, y, beta=1, alpha=1)",
        "beta m + alpha times the sum of the products of two stacks.",
        array(2, 2),
        array(2, 2, 3),
        array(2, 3, 2),
        options=[{}, {"beta": 0.5, "alpha": -2.0}],
        complex=True,
    ),
    row(
        "multi_dot(xs)",
        "Product of matrices, in the cheapest order.",
        array(2, 3),
        array(3, 4),
        array(4, 2),
        joined=True,
        smooth={"zero": (0.0, 0.0, 0.0)},
        complex=True,
        degree=3,
    ),
    row(
        "multi_dot_of_vectors(xs)", "The same with a vector at each end.", array(3), array(3, 2), array(2), joined=True
    ),
    row(
        "chain_matmul(xs)",
        "Product of matrices, in the cheapest order.",
        array(2, 3),
        array(3, 2),
        array(2, 2),
        joined=True,
    ),
)
