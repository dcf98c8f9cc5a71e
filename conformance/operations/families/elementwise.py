"""Elementwise functions of real numbers."""

from __future__ import annotations

from conformance.operations.row import family, number, row

ELEMENTWISE = family(
    "Elementwise",
    row("exp(x)", "e to the power x.", number(), truth="exp", smooth={"zero": 0.0, "tail": -40.0}, complex=True),
    row("expm1(x)", "exp(x) - 1."),
    row("log(x)", "Natural logarithm.", number(0), truth="log", smooth={"one": 1.0}, complex=True),
    row("log1p(x)", "log(1 + x)."),
    row("sqrt(x)", "Square root.", number(0), truth="sqrt", complex=True),
    row("rsqrt(x)", "1 / sqrt(x)."),
    row("square(x)", "x squared."),
    row("reciprocal(x)", "1 / x."),
    row("abs(x)", "Absolute value.", number(), truth="fabs", kinks={"zero": 0.0}),
    row("sign(x)", "Sign; of a complex number, x / abs(x)."),
    row("sin(x)", "Sine.", number(), truth="sin", smooth={"zero": 0.0}, complex=True),
    row("cos(x)", "Cosine."),
    row("tan(x)", "Tangent."),
    row("tanh(x)", "Hyperbolic tangent.", number(), truth="tanh", smooth={"zero": 0.0, "tail": 20.0}, complex=True),
    row("floor(x)", "Round towards minus infinity."),
    row("ceil(x)", "Round towards infinity."),
    row("round(x)", "Round to the nearest integer, half to even."),
    row("trunc(x)", "Round towards zero."),
    row("isnan(x)", "Whether x is NaN."),
    row("signbit(x)", "Whether the sign bit is set."),
    row("pow(x, y)", "x to the power y.", number(0), number(), truth="power", smooth={"zero exponent": (1.5, 0.0)}),
    row("maximum(x, y)", "The larger of x and y.", number(), number(), kinks={"tie": (0.7, 0.7)}),
    row("minimum(x, y)", "The smaller of x and y."),
    row("copysign(x, y)", "abs(x) with the sign of y."),
    row(
        "hypot(x, y)",
        "sqrt(x^2 + y^2).",
        number(),
        number(),
        truth="hypot",
        smooth={"equal": (1.0, 1.0), "zero": (0.0, 1.0)},
    ),
    row("logaddexp(x, y)", "log(exp(x) + exp(y))."),
    row("atan2(x, y)", "Angle of the point (y, x)."),
    row("where(condition, x, y)", "x where the condition is true, y elsewhere."),
    row("clip(x, lowest, highest)", "x limited to [lowest, highest]; each bound is an array, a number or None."),
)
