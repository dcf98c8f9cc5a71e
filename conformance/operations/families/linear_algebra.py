"""Linear algebra: determinants, spectra, decompositions, inverses and solvers."""

from __future__ import annotations

from conformance.operations.families.decompositions import DECOMPOSITIONS, MATRIX_FUNCTIONS
from conformance.operations.families.factor_solvers import WITH_FACTORS
from conformance.operations.families.inverses import INVERSES, STRUCTURED
from conformance.operations.families.solvers import SYSTEMS
from conformance.operations.families.spectra import DETERMINANTS, SPECTRA
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
