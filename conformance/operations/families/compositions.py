"""Two functions one after the other that a compiler may replace by another.

Points are as far out as the squares and cubes of each value are normal numbers: beyond, a chain of derivatives that are
each right overflows.
"""

from __future__ import annotations

from conformance.operations.families import truths
from conformance.operations.row import array, family, number, row

COMPOSITIONS = family(
    "Compositions",
    # Of a function and its inverse.
    row(
        "log_of_exp(x)",
        "log(exp(x)), which is x.",
        number(),
        truth=lambda mp, x: +x,
        smooth={"zero": 0.0, "exp is large": 100.0, "exp is small": -100.0},
    ),
    row(
        "exp_of_log(x)",
        "exp(log(x)), which is x.",
        number(0),
        truth=lambda mp, x: +x,
        smooth={"one": 1.0, "large": 1e50},
    ),
    row(
        "sqrt_of_square(x)",
        "sqrt(square(x)) of a negative number, which is -x.",
        number(high=0),
        truth="fabs",
        smooth={"minus one": -1.0, "large": -1e50},
    ),
    row(
        "square_of_sqrt(x)",
        "square(sqrt(x)), which is x.",
        number(0),
        truth=lambda mp, x: +x,
        smooth={"one": 1.0, "large": 1e50},
    ),
    row(
        "log1p_of_expm1(x)",
        "log1p(expm1(x)), which is x.",
        number(),
        truth=lambda mp, x: +x,
        smooth={"zero": 0.0, "expm1 is large": 100.0},
    ),
    row(
        "expm1_of_log1p(x)",
        "expm1(log1p(x)), which is x.",
        number(-1),
        truth=lambda mp, x: +x,
        smooth={"zero": 0.0, "large": 1e50},
    ),
    row(
        "reciprocal_of_reciprocal(x)",
        "1 / (1 / x), which is x.",
        number(0),
        truth=lambda mp, x: +x,
        smooth={"one": 1.0, "large": 1e50},
    ),
    # Of logarithms and roots of products: both factors are negative, so that the logarithm of each is NaN.
    row(
        "log_of_square(x)",
        "log(square(x)), which is 2 log(abs(x)).",
        number(high=0),
        truth=lambda mp, x: mp.log(x * x),
        smooth={"minus one": -1.0, "large": -1e50},
    ),
    row(
        "log_of_product(x, y)",
        "log(x y).",
        number(high=0),
        number(high=0),
        truth=lambda mp, x, y: mp.log(x * y),
        smooth={"ones": (-1.0, -1.0), "large": (-1e50, -1e50)},
    ),
    row(
        "sqrt_of_product(x, y)",
        "sqrt(x y).",
        number(high=0),
        number(high=0),
        truth=lambda mp, x, y: mp.sqrt(x * y),
        smooth={"ones": (-1.0, -1.0), "large": (-1e50, -1e50)},
    ),
    row(
        "sqrt_of_squares(x, y)",
        "sqrt(square(x) + square(y)).",
        number(),
        number(),
        truth="hypot",
        smooth={"zero": (0.0, 2.0), "large": (1e50, 1e50)},
    ),
    # Of exponentials, in sums and quotients.
    row(
        "log1p_of_exp(x)",
        "log1p(exp(x)).",
        number(),
        truth=lambda mp, x: mp.log1p(mp.exp(x)),
        smooth={"zero": 0.0, "large": 100.0, "tail": -40.0},
    ),
    row(
        "log_of_cosh(x)",
        "log(cosh(x)).",
        number(),
        truth=lambda mp, x: mp.log(mp.cosh(x)),
        smooth={"zero": 0.0, "large": 100.0, "negative and large": -100.0},
    ),
    row(
        "product_of_exps(x, y)",
        "exp(x) exp(y).",
        number(),
        number(),
        truth=lambda mp, x, y: mp.exp(x + y),
        smooth={"zero": (0.0, 0.0), "large and small": (100.0, -100.0)},
    ),
    row(
        "quotient_of_exps(x)",
        "exp(x) / (1 + exp(x)).",
        number(),
        truth=lambda mp, x: 1 / (1 + mp.exp(-x)),
        smooth={"zero": 0.0, "large": 100.0, "lower tail": -40.0, "far lower tail": -400.0},
    ),
    row(
        "quotient_of_sinh_and_cosh(x)",
        "sinh(x) / cosh(x).",
        number(),
        truth="tanh",
        smooth={"zero": 0.0, "large": 100.0, "negative and large": -100.0},
    ),
    # What is saturated, times a large number; and what nothing depends on.
    row(
        "product_with_tanh(x, y)",
        "y tanh(x).",
        number(),
        number(),
        truth=lambda mp, x, y: y * mp.tanh(x),
        smooth={"zero": (0.0, 2.0), "saturated times large": (20.0, 1e17)},
    ),
    row(
        "softmax_of_multiple(x)",
        "exp(y) / sum(exp(y)) for y = 0.3 x, less its maximum: as one expression, the difference need not be zero.",
        array(4),
        truth=lambda mp, x: truths.softmax(mp, x * mp.mpf(0.3)),
        smooth={"equal": 0.5, "large": [3e18, 1.0, -2.0, 0.5], "tail": [0.0, 1.0, -130.0, 0.5]},
    ),
    row(
        "twice_beside_sqrt(x)",
        "2 x; the square root of x is computed, too, and not used.",
        number(0),
        truth=lambda mp, x: 2 * x,
        smooth={"zero": 0.0},
    ),
)
