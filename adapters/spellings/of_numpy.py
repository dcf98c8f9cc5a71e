"""The operations that JAX and HIPS autograd have under the names of NumPy, in an array module of their own.

A name that a module lacks is no operation of its engine.
"""

from __future__ import annotations

from conformance.protocol import Spelling, same

# Under NumPy's names, by family.
SAME = {
    "complex_numbers": "real imag conj angle",
    "creation": "zeros_like ones_like full_like",
    "elementwise": "exp expm1 log log1p sqrt square abs sign sin cos tan tanh floor ceil round trunc isnan signbit"
    " maximum minimum copysign hypot logaddexp where clip",
    "indexing": "take",
    "interpolation": "interp",
    "ordering": "argmax sort argsort searchsorted",
    "products": "matmul outer",
    "reductions": "sum mean prod max min amax amin count_nonzero",
    "shaping": "reshape transpose broadcast_to stack",
    "special": "sinc",
}
LINEAR_ALGEBRA = "det eigvalsh svdvals"
FFT = "fft ifft rfft irfft hfft ihfft fft2 ifft2 rfft2 irfft2 fftn ifftn rfftn irfftn fftshift ifftshift"


def numpy_like(module: str) -> dict[str, Spelling]:
    """The spellings of an array module with NumPy's names, such as `jax.numpy`."""
    renamed: dict[str, Spelling] = {
        "pow": f"{module}.power",
        "atan2": f"{module}.arctan2",
        "concat": f"{module}.concatenate",
        "odd_rfft": f"{module}.fft.rfft",
        "odd_irfft": f"{module}.fft.irfft",
    }
    named = same(module, " ".join(SAME.values()))
    return named | same(f"{module}.linalg", LINEAR_ALGEBRA) | same(f"{module}.fft", FFT) | renamed
