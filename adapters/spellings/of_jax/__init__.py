"""The operations under JAX's names: NumPy's, SciPy's, and those of `jax.nn` and `jax.lax`.

A table for each family of `conformance.operations`.
"""

from __future__ import annotations

from collections.abc import Mapping

from adapters.spellings.compositions import OF_NUMPY
from adapters.spellings.of_jax.activations import ACTIVATIONS
from adapters.spellings.of_jax.arithmetic import ARITHMETIC
from adapters.spellings.of_jax.attention import ATTENTION
from adapters.spellings.of_jax.complex_numbers import COMPLEX_NUMBERS
from adapters.spellings.of_jax.convolution import CONVOLUTION
from adapters.spellings.of_jax.creation import CREATION
from adapters.spellings.of_jax.elementwise import ELEMENTWISE
from adapters.spellings.of_jax.fft import FFT
from adapters.spellings.of_jax.indexing import INDEXING
from adapters.spellings.of_jax.interpolation import INTERPOLATION
from adapters.spellings.of_jax.linear_algebra import LINEAR_ALGEBRA
from adapters.spellings.of_jax.loops import LOOPS
from adapters.spellings.of_jax.losses import LOSSES
from adapters.spellings.of_jax.normalisation import NORMALISATION
from adapters.spellings.of_jax.norms import NORMS
from adapters.spellings.of_jax.ordering import ORDERING
from adapters.spellings.of_jax.products import PRODUCTS
from adapters.spellings.of_jax.reductions import REDUCTIONS
from adapters.spellings.of_jax.scans import SCANS
from adapters.spellings.of_jax.shaping import SHAPING
from adapters.spellings.of_jax.special import SPECIAL
from adapters.spellings.of_numpy import numpy_like
from conformance.protocol import Spelling

SPELLINGS: Mapping[str, Spelling] = {
    **numpy_like("jax.numpy"),
    **OF_NUMPY,
    **ACTIVATIONS,
    **ARITHMETIC,
    **ATTENTION,
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
