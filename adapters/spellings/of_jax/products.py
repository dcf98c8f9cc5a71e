"""Products of vectors, matrices and tensors, in JAX."""

from __future__ import annotations

from collections.abc import Mapping

from conformance.protocol import Spelling, same

PRODUCTS: Mapping[str, Spelling] = {
    **same("jax.numpy", "vecdot matvec vecmat"),
    "vecdot_broadcast": "jax.numpy.vecdot",
    "cross": lambda jax, x, y, axis=-1: jax.numpy.cross(x, y, axis=axis),
    "cross_broadcast": "jax.numpy.cross",
    "einsum": lambda jax, x, y, subscripts: jax.numpy.einsum(subscripts, x, y),
    "einsum_of_diagonals": lambda jax, x, y, subscripts: jax.numpy.einsum(subscripts, x, y),
    "einsum_diagonal": lambda jax, x, subscripts: jax.numpy.einsum(subscripts, x),
    "einsum_of_one": lambda jax, x, subscripts: jax.numpy.einsum(subscripts, x),
    "einsum_of_three": lambda jax, x, y, z, subscripts: jax.numpy.einsum(subscripts, x, y, z),
    "einsum_broadcast": lambda jax, x, y: jax.numpy.einsum("ij,ij->j", x, y),
    "mv": "jax.lax.dot",
    "mm": "jax.lax.dot",
    "bmm": "jax.lax.batch_matmul",
    "dot_general": lambda jax, x, y: jax.lax.dot_general(x, y, (((2,), (1,)), ((0,), (0,)))),
    "ragged_dot": "jax.lax.ragged_dot",
    "symmetric_product": lambda jax, x, c, alpha=1.0, beta=0.0: jax.lax.linalg.symmetric_product(
        x, c, alpha=alpha, beta=beta, symmetrize_output=True
    ),
}
