"""The operations under PyTorch's names; `import reference_engine as torch` reads the same tables.

A table for each family of `conformance.operations`.
"""

from __future__ import annotations

from collections.abc import Mapping

from adapters.spellings.compositions import COMPOSITIONS
from adapters.spellings.of_torch.activations import ACTIVATIONS
from adapters.spellings.of_torch.arithmetic import ARITHMETIC
from adapters.spellings.of_torch.attention import ATTENTION
from adapters.spellings.of_torch.complex_numbers import COMPLEX_NUMBERS
from adapters.spellings.of_torch.convolution import CONVOLUTION
from adapters.spellings.of_torch.creation import CREATION
from adapters.spellings.of_torch.elementwise import ELEMENTWISE
from adapters.spellings.of_torch.fft import FFT
from adapters.spellings.of_torch.indexing import INDEXING
from adapters.spellings.of_torch.interpolation import INTERPOLATION
from adapters.spellings.of_torch.linear_algebra import LINEAR_ALGEBRA
from adapters.spellings.of_torch.losses import LOSSES
from adapters.spellings.of_torch.normalisation import NORMALISATION
from adapters.spellings.of_torch.norms import NORMS
from adapters.spellings.of_torch.ordering import ORDERING
from adapters.spellings.of_torch.products import PRODUCTS
from adapters.spellings.of_torch.recurrent import RECURRENT
from adapters.spellings.of_torch.reductions import REDUCTIONS
from adapters.spellings.of_torch.scans import SCANS
from adapters.spellings.of_torch.shaping import SHAPING
from adapters.spellings.of_torch.special import SPECIAL
from adapters.spellings.of_torch.weighted_losses import WEIGHTED_LOSSES
from conformance.protocol import Spelling, same

SPELLINGS: Mapping[str, Spelling] = {
    **ACTIVATIONS,
    **ARITHMETIC,
    **ATTENTION,
    **COMPLEX_NUMBERS,
    **COMPOSITIONS,
    **CONVOLUTION,
    **CREATION,
    **ELEMENTWISE,
    **FFT,
    **INDEXING,
    **INTERPOLATION,
    **LINEAR_ALGEBRA,
    **LOSSES,
    **NORMALISATION,
    **NORMS,
    **ORDERING,
    **PRODUCTS,
    **RECURRENT,
    **REDUCTIONS,
    **SCANS,
    **SHAPING,
    **SPECIAL,
    **WEIGHTED_LOSSES,
}

# The namespace `ad.functional`.
FUNCTIONAL: Mapping[str, Spelling] = same("torch.autograd.functional", "jacobian hessian vjp jvp vhp hvp")
