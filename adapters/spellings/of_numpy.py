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
    "ordering": "argmax sort argsort searchsorted",
    "products": "matmul outer dot vdot inner tensordot kron polymul polyval convolve correlate",
    "reductions": "sum mean prod max min amax amin count_nonzero",
    "shaping": "reshape transpose broadcast_to stack",
    "special": "sinc",
}
LINEAR_ALGEBRA = (
    "det eigvals eigvalsh svdvals inv pinv solve cholesky matrix_power cond tensorinv tensorsolve multi_dot"
)
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
        "atan2": f"{module}.arctan2",
        "concat": f"{module}.concatenate",
    }
    shaped = {
        f"{name.rpartition('.')[2]}_{shape}": f"{module}.{name}"
        for name, shapes in SHAPES.items()
        for shape in shapes.split()
    }
    return same(module, " ".join(SAME.values())) | same(f"{module}.linalg", LINEAR_ALGEBRA) | shaped | renamed
