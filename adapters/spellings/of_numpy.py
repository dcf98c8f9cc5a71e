"""The operations that JAX and HIPS autograd have under the names of NumPy, in an array module of their own.

A name that a module lacks is no operation of its engine.
"""

from __future__ import annotations

from conformance.protocol import Spelling, same

# Under NumPy's names, by family.
SAME = {
    "complex_numbers": "real imag conj angle",
    "creation": "zeros_like ones_like full_like",
    "arithmetic": "add subtract multiply divide floor_divide remainder fmod divmod float_power ldexp maximum minimum"
    " fmax fmin clip where copysign heaviside hypot logaddexp logaddexp2",
    "elementwise": "exp exp2 expm1 log log2 log10 log1p sqrt cbrt square reciprocal sin cos tan sinh cosh tanh"
    " deg2rad rad2deg positive negative abs fabs sign floor ceil round rint trunc fix modf isnan signbit nan_to_num",
    "indexing": "take take_along_axis compress",
    "interpolation": "interp",
    "norms": "trace",
    "ordering": "argmax sort argsort searchsorted partition",
    "products": "matmul outer dot vdot inner tensordot kron polymul polyval convolve correlate",
    "reductions": "sum mean prod max min amax amin ptp count_nonzero corrcoef median nanmedian percentile"
    " nansum nanprod nanmean nanstd nanvar nanmax nanmin",
    "scans": "cumulative_sum cumulative_prod nancumsum nancumprod diff ediff1d unwrap trapezoid",
    "shaping": "reshape ravel transpose matrix_transpose swapaxes moveaxis broadcast_to atleast_2d"
    " atleast_3d squeeze expand_dims flip fliplr flipud roll rot90 tile repeat stack hstack vstack dstack column_stack"
    " append tril triu diag diagflat diagonal",
    "special": "sinc",
}
LINEAR_ALGEBRA = (
    "det eigvals eigvalsh svdvals inv pinv solve cholesky matrix_power cond tensorinv tensorsolve multi_dot"
)
FFT = "fft ifft rfft irfft hfft ihfft fft2 ifft2 rfft2 irfft2 fftn ifftn rfftn irfftn fftshift ifftshift"
# Operations whose rows differ in the shapes of their arguments alone.
SHAPES = {
    "matmul": "of_squares of_vectors of_vector_and_matrix of_matrix_and_vector of_stacks of_stack_and_matrix"
    " of_matrix_and_stack of_stack_and_vector of_vector_and_stack of_broadcast_stacks of_thin",
    "dot": "of_matrices of_tensors with_scalar",
    "inner": "of_vectors",
    "kron": "of_vectors of_unequal",
    "convolve": "shorter",
    "linalg.multi_dot": "of_vectors",
    "linalg.pinv": "of_tall of_wide",
    "linalg.solve": "batch of_stack",
}


def numpy_like(module: str) -> dict[str, Spelling]:
    """The spellings of an array module with NumPy's names, such as `jax.numpy`."""
    renamed: dict[str, Spelling] = {
        "pow": f"{module}.power",
        "pow_of_number": f"{module}.power",
        "pow_of_exponents": f"{module}.power",
        "round_to": f"{module}.round",
        "atan2": f"{module}.arctan2",
        "asin": f"{module}.arcsin",
        "acos": f"{module}.arccos",
        "atan": f"{module}.arctan",
        "asinh": f"{module}.arcsinh",
        "acosh": f"{module}.arccosh",
        "atanh": f"{module}.arctanh",
        "concat": f"{module}.concatenate",
        "permute_dims": f"{module}.transpose",
        "angle_of_real": f"{module}.angle",
        "abs_of_complex": f"{module}.abs",
        "real_of_real": f"{module}.real",
        "conj_of_real": f"{module}.conj",
        "diagonal_of_matrix": f"{module}.diag",
        "odd_rfft": f"{module}.fft.rfft",
        "odd_irfft": f"{module}.fft.irfft",
    }
    shaped = {
        f"{name.rpartition('.')[2]}_{shape}": f"{module}.{name}"
        for name, shapes in SHAPES.items()
        for shape in shapes.split()
    }
    named = same(module, " ".join(SAME.values())) | same(f"{module}.fft", FFT)
    return named | same(f"{module}.linalg", LINEAR_ALGEBRA) | shaped | renamed
