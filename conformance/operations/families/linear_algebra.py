"""Linear algebra: determinants, spectra, decompositions, inverses and solvers."""

from __future__ import annotations

from conformance.operations.families.decompositions import DECOMPOSITIONS, DETERMINANTS, MATRIX_FUNCTIONS, SPECTRA
from conformance.operations.families.solvers import INVERSES, STRUCTURED, SYSTEMS, WITH_FACTORS
from conformance.operations.row import family

LINEAR_ALGEBRA = family(
    "Linear algebra",
    *DETERMINANTS,
    *SPECTRA,
    *DECOMPOSITIONS,
    *MATRIX_FUNCTIONS,
    *INVERSES,
    *SYSTEMS,
    *WITH_FACTORS,
    *STRUCTURED,
)
