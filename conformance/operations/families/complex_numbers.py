"""Complex numbers and their parts."""

from __future__ import annotations

from conformance.operations.row import family, row

COMPLEX_NUMBERS = family(
    "Complex",
    row("real(x)", "Real part."),
    row("imag(x)", "Imaginary part."),
    row("conj(x)", "Complex conjugate."),
    row("angle(x)", "Argument of a complex number."),
    row("view_as_real(x)", "Real and imaginary part along a new last axis."),
)
