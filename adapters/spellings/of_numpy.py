"""The operations that JAX and HIPS autograd have under the names of NumPy, in an array module of their own."""

from __future__ import annotations

from conformance.protocol import Spelling, same

SAME = """
    exp expm1 log log1p sqrt square abs sign sin cos tan tanh sinc floor ceil round trunc isnan signbit
    maximum minimum copysign hypot logaddexp where clip real imag conj angle
    sum mean prod max min amax amin count_nonzero argmax sort argsort searchsorted take
    reshape transpose broadcast_to stack zeros_like ones_like full_like matmul outer
"""
LINEAR_ALGEBRA = "det eigvalsh svdvals"


def numpy_like(module: str) -> dict[str, Spelling]:
    """The spellings of an array module with NumPy's names, such as `jax.numpy`."""
    renamed = {"pow": f"{module}.power", "atan2": f"{module}.arctan2", "concat": f"{module}.concatenate"}
    return same(module, SAME) | same(f"{module}.linalg", LINEAR_ALGEBRA) | renamed
