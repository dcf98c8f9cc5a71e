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
    "indexing": "take take_along_axis compress",
    "ordering": "argmax sort argsort searchsorted",
    "products": "matmul outer",
    "reductions": "sum mean prod max min amax amin count_nonzero",
    "shaping": "reshape ravel transpose matrix_transpose swapaxes moveaxis broadcast_to atleast_2d"
    " atleast_3d squeeze expand_dims flip fliplr flipud roll rot90 tile repeat stack hstack vstack dstack column_stack"
    " append tril triu diag diagflat diagonal",
    "special": "sinc",
}
LINEAR_ALGEBRA = "det eigvalsh svdvals"


def numpy_like(module: str) -> dict[str, Spelling]:
    """The spellings of an array module with NumPy's names, such as `jax.numpy`."""
    renamed: dict[str, Spelling] = {
        "pow": f"{module}.power",
        "atan2": f"{module}.arctan2",
        "concat": f"{module}.concatenate",
        "permute_dims": f"{module}.transpose",
        "angle_of_real": f"{module}.angle",
        "abs_of_complex": f"{module}.abs",
        "real_of_real": f"{module}.real",
        "conj_of_real": f"{module}.conj",
        "diagonal_of_matrix": f"{module}.diag",
    }
    return same(module, " ".join(SAME.values())) | same(f"{module}.linalg", LINEAR_ALGEBRA) | renamed
