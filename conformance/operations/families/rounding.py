"""Signs, parts, rounding and limits of a real number."""

from __future__ import annotations

from conformance.operations.reasons import STEPS
from conformance.operations.row import INFINITY, family, number, row

ROUNDING = family(
    "Elementwise",
    # Signs, parts and rounding.
    row("positive(x)", "x.", number(), truth=lambda mpmath, x: +x, smooth={"zero": 0.0}, complex=True, degree=1),
    row("negative(x)", "-x.", number(), truth=lambda mpmath, x: -x, smooth={"zero": 0.0}, complex=True, degree=1),
    row(
        "abs(x)",
        "Absolute value.",
        number(),
        truth="fabs",
        kinks={"zero": 0.0},
        complex=True,
        smooth={"small": 1e-200, "negative": -1.5},
        degree=1,
    ),
    row(
        "fabs(x)",
        "Absolute value of a real number.",
        number(),
        truth="fabs",
        kinks={"zero": 0.0},
        smooth={"small": 1e-200, "negative": -1.5},
        degree=1,
    ),
    row(
        "sign(x)",
        "Sign; of a complex number, x / abs(x).",
        number(),
        truth="sign",
        complex=True,
        smooth={"small": 1e-20, "negative": -1.5, "infinity": INFINITY},
    ),
    row("floor(x)", "Round towards minus infinity.", number(), truth="floor", smooth={"half": -0.5}),
    row("ceil(x)", "Round towards infinity.", number(), truth="ceil", smooth={"half": -0.5}),
    # Away from halves, where it jumps.
    row("round(x)", "Round to the nearest integer, half to even.", number(), truth="nint", smooth={"integer": 2.0}),
    row("rint(x)", "The same, under the name that C has for it.", number(), truth="nint", smooth={"integer": 2.0}),
    row(
        "round_to(x, decimals)",
        "Round to that many decimals; negative ones are places before the point.",
        number(0.1, 0.4),
        options=[{"decimals": 1}, {"decimals": 0}, {"decimals": -1}],
        ordinary=STEPS,
    ),
    row(
        "trunc(x)",
        "Round towards zero.",
        number(),
        truth=lambda mpmath, x: mpmath.sign(x) * mpmath.floor(abs(x)),
        smooth={"zero": 0.0, "negative": -1.5},
    ),
    row("fix(x)", "The same, under an older name.", number(), smooth={"zero": 0.0, "negative": -1.5}),
    row(
        "frac(x)",
        "x - trunc(x).",
        number(),
        truth=lambda mpmath, x: x - mpmath.sign(x) * mpmath.floor(abs(x)),
        smooth={"zero": 0.0, "negative": -1.5},
    ),
    row("modf(x)", "A pair: fractional and integral part, both with the sign of x.", number(), smooth={"zero": 0.0}),
    row(
        "mantissa_with_exponent(x)",
        "A pair: mantissa between 1/2 and 1, and integer exponent of 2.",
        number(0),
        smooth={"between powers": 3.0},
    ),
    row("isnan(x)", "Whether x is NaN."),
    row("signbit(x)", "Whether the sign bit is set."),
    row(
        "nan_to_num(x)",
        "x, with 0 for NaN and the largest numbers for infinities.",
        number(),
        smooth={"zero": 0.0, "infinity": INFINITY, "minus infinity": -INFINITY},
        degree=1,
    ),
    # Limits.
    row(
        "clip_by_numbers(x, lowest=None, highest=None)",
        "x limited to [lowest, highest]; each bound is a number that is no array, or None.",
        number(),
        options=[{"lowest": -1.0, "highest": 1.0}, {"lowest": -1.0}, {"highest": 1.0}],
        smooth={"middle": 0.0, "far": 30.0, "infinity": INFINITY, "minus infinity": -INFINITY},
        kinks={"lower bound": -1.0, "upper bound": 1.0},
    ),
)
