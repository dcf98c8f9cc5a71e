"""Complex numbers and their parts."""

from __future__ import annotations

from typing import Any

from conformance.operations.reasons import LINEAR
from conformance.operations.row import Argument, array, family, number, row


def _into_complex(ad: Any, x: Any) -> Any:
    """Complex numbers whose parts both depend on x, and that are never zero."""
    return x * (0.6 + 0.8j) + (0.8 - 0.6j)


def complex_array(*shape: int) -> Argument:
    """An array of which a program makes complex numbers first."""
    return array(*shape, enters=_into_complex)


# Where the number itself is real, or has no real part: x = 0.75, and x = -4 / 3.
SPECIAL = {"real number": 0.75, "imaginary number": -4 / 3}

COMPLEX_NUMBERS = family(
    "Complex",
    row("real(x)", "Real part.", complex_array(3), smooth=SPECIAL, complex=True),
    row("imag(x)", "Imaginary part.", complex_array(3), smooth=SPECIAL, complex=True),
    row("conj(x)", "Complex conjugate.", complex_array(3), smooth=SPECIAL, complex=True),
    row("conj_physical(x)", "Complex conjugate, in a new array.", complex_array(3), complex=True),
    row("angle(x)", "Argument of a complex number.", complex_array(3), smooth=SPECIAL, complex=True),
    row(
        "angle_of_real(x)",
        "Argument of a real number: 0, or pi.",
        number(),
        smooth={"negative": -1.0},
        truth=lambda mpmath, x: mpmath.mpf(0),
        degree=0,
    ),
    row("abs_of_complex(x)", "Absolute value of a complex number.", complex_array(3), smooth=SPECIAL, complex=True),
    row("sgn(x)", "x / |x|, and 0 of 0.", complex_array(3), smooth=SPECIAL, complex=True),
    row("real_of_real(x)", "Real part of a real number: itself.", number(), truth=lambda mpmath, x: x),
    row("conj_of_real(x)", "Conjugate of a real number: itself.", number(), truth=lambda mpmath, x: x),
    row("view_as_real(x)", "Real and imaginary part along a new last axis.", complex_array(2, 2), complex=True),
    row(
        "view_as_complex(x)",
        "Complex numbers of pairs along the last axis.",
        array(3, 2),
        smooth={"zero": 0.0},
        degree=1,
    ),
    row("complex(x, y)", "x + iy.", number(), number(), smooth={"zero": (0.0, 0.0)}, degree=1),
    row(
        "polar(r, angle)",
        "The complex number of absolute value r at an angle.",
        number(0),
        number(),
        smooth={"zero radius": (0.0, 1.0), "zero angle": (1.0, 0.0)},
    ),
    row("adjoint(x)", "The conjugate of the transpose.", complex_array(2, 3), complex=True),
    row(
        "real_if_close(x)",
        "The real part of numbers that are nearly real; else x itself.",
        complex_array(3),
        complex=True,
    ),
    ordinary=LINEAR,
)
