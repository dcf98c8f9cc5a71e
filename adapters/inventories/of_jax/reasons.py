"""Why a public function of JAX has no item, where that is not seen by calling it."""

from __future__ import annotations

import inspect
from collections.abc import Callable, Mapping
from typing import Any

__all__ = ["reason_for"]

ABOUT_SHAPES = "is about shapes and dtypes, not numbers"
# Reasons by the names of the functions.
REASONS: Mapping[str, str] = {
    "reads or writes a file, or another library's memory": (
        "numpy.load numpy.fromfile numpy.frombuffer numpy.fromiter numpy.fromstring numpy.from_dlpack"
    ),
    "says how arrays are printed": (
        "numpy.get_printoptions numpy.printoptions numpy.set_printoptions numpy.array_repr numpy.array_str"
    ),
    ABOUT_SHAPES: (
        "numpy.broadcast_shapes numpy.einsum_path numpy.isdtype numpy.issubdtype numpy.promote_types numpy.result_type"
        " numpy.shape numpy.size numpy.ndim numpy.isscalar numpy.iscomplexobj numpy.isrealobj lax.broadcast_shapes"
        " lax.conv_dimension_numbers lax.conv_general_permutations lax.conv_general_shape_tuple lax.conv_shape_tuple"
        " lax.conv_transpose_shape_tuple lax.padtype_to_pads lax.reduce_window_shape_tuple lax.shape_as_value lax.dtype"
    ),
    "makes an array of integers, or of numbers that are no arguments": (
        "numpy.arange numpy.bartlett numpy.blackman numpy.diag_indices_from numpy.empty numpy.empty_like numpy.eye"
        " numpy.fromfunction numpy.hamming numpy.hanning numpy.indices numpy.mask_indices numpy.ones numpy.ones_like"
        " numpy.tri numpy.tril_indices_from numpy.triu_indices_from numpy.zeros numpy.zeros_like lax.broadcasted_iota"
        " lax.empty lax.iota"
    ),
    "takes or returns integers, booleans or indices": (
        "numpy.argmax_ numpy.argpartition numpy.argwhere numpy.digitize numpy.flatnonzero numpy.isin numpy.lexsort"
        " numpy.nonzero numpy.packbits numpy.ravel_multi_index numpy.searchsorted numpy.unpackbits"
        " numpy.unravel_index lax.argmax lax.argmin lax.linalg.lu_pivots_to_permutation lax.reduce_and lax.reduce_or"
        " lax.reduce_xor numpy.linalg.matrix_rank lax.bitcast_convert_type"
    ),
    "draws random numbers": "lax.rng_bit_generator lax.rng_uniform",
    "orders effects, or is a token of their order": "lax.after_all lax.create_token lax.dce_sink",
    "is about several devices": (
        "lax.axis_index lax.axis_size lax.pbroadcast lax.pcast lax.precv lax.psend lax.ragged_all_to_all"
        " lax.with_sharding_constraint"
    ),
    "runs on GPUs alone": "nn.get_scaled_dot_general_config nn.scaled_matmul",
    "is the derivative of another function, by a rule, and has none itself": "lax.igamma_grad_a lax.random_gamma_grad",
}
BY_NAME = {f"jax.{name}": reason for reason, names in REASONS.items() for name in names.split()}


def reason_for(name: str, function: Callable[..., Any]) -> str | None:
    """Why a function has no item; None where it may have one."""
    if inspect.getmodule(function) is not None and str(getattr(function, "__module__", "")).startswith("numpy"):
        return "is a function of NumPy's, under another name"
    return BY_NAME.get(name)
