"""The operations under HIPS autograd's names: NumPy's and SciPy's, wrapped, and some that its examples write out.

A table for each family of `conformance.operations`.
"""

from __future__ import annotations

from collections.abc import Mapping

from adapters.spellings.compositions import OF_NUMPY
from adapters.spellings.of_hips_autograd.activations import ACTIVATIONS
from adapters.spellings.of_hips_autograd.arithmetic import ARITHMETIC
from adapters.spellings.of_hips_autograd.complex_numbers import COMPLEX_NUMBERS
from adapters.spellings.of_hips_autograd.convolution import CONVOLUTION
from adapters.spellings.of_hips_autograd.creation import CREATION
from adapters.spellings.of_hips_autograd.elementwise import ELEMENTWISE
from adapters.spellings.of_hips_autograd.fft import FFT
from adapters.spellings.of_hips_autograd.indexing import INDEXING
from adapters.spellings.of_hips_autograd.interpolation import INTERPOLATION
from adapters.spellings.of_hips_autograd.linear_algebra import LINEAR_ALGEBRA
from adapters.spellings.of_hips_autograd.loops import LOOPS
from adapters.spellings.of_hips_autograd.losses import LOSSES
from adapters.spellings.of_hips_autograd.normalisation import NORMALISATION
from adapters.spellings.of_hips_autograd.norms import NORMS
from adapters.spellings.of_hips_autograd.ordering import ORDERING
from adapters.spellings.of_hips_autograd.products import PRODUCTS
from adapters.spellings.of_hips_autograd.reductions import REDUCTIONS
from adapters.spellings.of_hips_autograd.scans import SCANS
from adapters.spellings.of_hips_autograd.shaping import SHAPING
from adapters.spellings.of_hips_autograd.special import SPECIAL
from adapters.spellings.of_numpy import numpy_like
from conformance.protocol import Spelling

SPELLINGS: Mapping[str, Spelling] = {
    **numpy_like("autograd.numpy"),
    **OF_NUMPY,
    **ACTIVATIONS,
    **ARITHMETIC,
    **COMPLEX_NUMBERS,
    **CONVOLUTION,
    **CREATION,
    **ELEMENTWISE,
    **FFT,
    **INDEXING,
    **INTERPOLATION,
    **LINEAR_ALGEBRA,
    **LOOPS,
    **LOSSES,
    **NORMALISATION,
    **NORMS,
    **ORDERING,
    **PRODUCTS,
    **REDUCTIONS,
    **SCANS,
    **SHAPING,
    **SPECIAL,
}
