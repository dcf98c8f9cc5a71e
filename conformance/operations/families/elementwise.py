"""Elementwise functions of real numbers."""

from __future__ import annotations

from conformance.operations.row import family, number, row

ELEMENTWISE = family(
    "Elementwise",
    row("exp(x)", "e to the power x.", number(), truth="exp", smooth={"zero": 0.0, "tail": -40.0}, complex=True),
    row("log(x)", "Natural logarithm.", number(0), truth="log", smooth={"one": 1.0}, complex=True),
    row("sqrt(x)", "Square root.", number(0), truth="sqrt", complex=True),
    row("abs(x)", "Absolute value.", number(), truth="fabs", kinks={"zero": 0.0}),
    row("sin(x)", "Sine.", number(), truth="sin", smooth={"zero": 0.0}, complex=True),
    row("tanh(x)", "Hyperbolic tangent.", number(), truth="tanh", smooth={"zero": 0.0, "tail": 20.0}, complex=True),
    row("sinc(x)", "sin(pi x) / (pi x), and 1 at 0.", number(), truth="sincpi", smooth={"zero": 0.0, "one": 1.0}),
    row("hypot(x, y)", "sqrt(x^2 + y^2).", number(), number(), truth="hypot", smooth={"equal": (1.0, 1.0), "zero": (0.0, 1.0)}),
    row("maximum(x, y)", "The larger of x and y.", number(), number(), kinks={"tie": (0.7, 0.7)}),
    row("digamma(x)", "Derivative of the logarithm of the gamma function.", number(0), truth="digamma", smooth={"one": 1.0}),
    row("pow(x, y)", "x to the power y.", number(0), number(), truth="power", smooth={"zero exponent": (1.5, 0.0)}),
)
