"""Why a public function of JAX has no item, where that is not seen by calling it."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

__all__ = ["reason_for"]

# Reasons by the names of the functions.
REASONS: Mapping[str, str] = {
    "reads a file, or another library's memory": "numpy.load numpy.frombuffer numpy.fromstring numpy.from_dlpack",
    "says how arrays are printed": "numpy.array_repr numpy.array_str",
    "is about shapes and dtypes, not numbers": (
        "numpy.einsum_path numpy.isdtype numpy.issubdtype numpy.promote_types numpy.isscalar lax.conv_dimension_numbers"
        " lax.conv_general_permutations lax.conv_general_shape_tuple lax.conv_shape_tuple"
        " lax.conv_transpose_shape_tuple lax.padtype_to_pads lax.reduce_window_shape_tuple lax.shape_as_value lax.dtype"
    ),
    "makes an array of numbers that are no arguments": (
        "numpy.arange numpy.bartlett numpy.blackman numpy.empty numpy.empty_like numpy.eye numpy.fromfunction"
        " numpy.hamming numpy.hanning numpy.indices numpy.mask_indices numpy.ones numpy.tri numpy.zeros"
        " lax.broadcasted_iota lax.empty lax.iota"
    ),
    "takes or returns integers, booleans or indices": (
        "numpy.argpartition numpy.argwhere numpy.diag_indices_from numpy.digitize numpy.flatnonzero numpy.isin"
        " numpy.lexsort numpy.nonzero numpy.ravel_multi_index numpy.searchsorted numpy.tril_indices_from"
        " numpy.triu_indices_from numpy.unpackbits numpy.unravel_index"
        " numpy.linalg.matrix_rank lax.argmax lax.argmin lax.bitcast_convert_type"
        " lax.linalg.lu_pivots_to_permutation lax.reduce_and lax.reduce_or lax.reduce_xor"
    ),
    "draws random numbers": "lax.rng_bit_generator lax.rng_uniform",
    "orders effects": "lax.after_all lax.dce_sink",
    "is about several devices": (
        "lax.axis_index lax.axis_size lax.pbroadcast lax.pcast lax.precv lax.psend lax.ragged_all_to_all"
        " lax.with_sharding_constraint"
    ),
    "is documented not to be differentiable": "scipy.optimize.minimize",
    "runs on GPUs alone": "nn.get_scaled_dot_general_config nn.scaled_matmul",
    "is a part of the derivative of another function, and has no rule": "lax.igamma_grad_a lax.random_gamma_grad",
}
BY_NAME = {f"jax.{name}": reason for reason, names in REASONS.items() for name in names.split()}


def reason_for(name: str, function: Callable[..., Any]) -> str | None:
    """Why a function has no item; None where it may have one."""
    if str(getattr(function, "__module__", "")).partition(".")[0] == "numpy":
        return "is a function of NumPy's"
    return BY_NAME.get(name)
