"""Special functions: gamma, beta, error and Bessel functions, and their kin."""

from __future__ import annotations

from conformance.operations.row import family, number, row

SPECIAL = family(
    "Special functions",
    row("sinc(x)", "sin(pi x) / (pi x), and 1 at 0.", number(), truth="sincpi", smooth={"zero": 0.0, "one": 1.0}),
    row(
        "digamma(x)",
        "Derivative of the logarithm of the gamma function.",
        number(0),
        truth="digamma",
        smooth={"one": 1.0},
    ),
    row("spence(x)", "Dilogarithm, in SciPy's form, which is 0 at 1."),
    row("underived(x)", "A smooth function that the engine cannot differentiate; each engine has another."),
)
