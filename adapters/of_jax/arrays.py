"""Making, reading and copying arrays."""

from __future__ import annotations

from typing import Any, ClassVar

import jax
import jax.numpy as jnp
import jax.scipy.special
import jax.scipy.stats
import numpy as np
from jax.experimental import sparse

from adapters.spellings.of_jax import SPELLINGS
from conformance.protocol import Namespace
from conformance.protocol.types import Array, DType, Mode, Numbers, Shape, Tree


class JaxArrayVerbs:
    """The groups Arrays, Detaching, Updates and Interchange of the protocol, and the modes that look for NaN."""

    np: ClassVar[Namespace] = Namespace(jax, SPELLINGS)

    def array(self, value: Numbers, dtype: DType | None = None) -> Array:
        return jnp.array(value, dtype=dtype)

    def bfloat16(self, value: Any) -> Array:
        return jnp.array(value, dtype=jnp.bfloat16)

    # BCOO wants a row of indices for each element, the protocol has a column, as PyTorch.
    def sparse_array(self, indices: Any, values: Array, shape: Shape) -> Array:
        return sparse.BCOO((values, jnp.array(indices).T), shape=shape)

    def dtype_of(self, x: Array) -> str:
        # float0, the dtype of empty cotangents, is a structured dtype, which has no name.
        return "float0" if x.dtype == jax.dtypes.float0 else str(x.dtype)

    def detach(self, x: Array) -> Array:
        return jax.lax.stop_gradient(x)

    def detach_tree(self, tree: Tree) -> Tree:
        return jax.lax.stop_gradient(tree)

    def clone(self, x: Array) -> Array:
        # Arrays of JAX are immutable, but a check may ask for other memory.
        return jnp.array(x, copy=True)

    def set_at(self, x: Array, index: Array, values: Array) -> Array:
        return x.at[index].set(values)

    def add_at(self, x: Array, index: Array, values: Array) -> Array:
        return x.at[index].add(values)

    def set_block(self, x: Array, start: int, block: Array) -> Array:
        # It wants a start for each axis, and clamps it rather than raise an error.
        return jax.lax.dynamic_update_slice(x, block, (start,) + (0,) * (x.ndim - 1))

    def cast(self, x: Array, dtype: DType) -> Array:
        return x.astype(dtype)

    def as_array(self, value: Numbers, dtype: DType | None = None) -> Array:
        return jnp.asarray(value, dtype=dtype)

    def number_of(self, x: Array) -> Any:
        return x.item()

    def list_of(self, x: Array) -> Any:
        return x.tolist()

    def numpy_of(self, x: Array) -> Any:
        return np.asarray(x)

    to_numpy = numpy_of

    def double_precision(self, flag: bool) -> Mode:
        # A context manager; the switch for the whole process is in `set_up`.
        return jax.enable_x64(flag)

    def detect_anomaly(self) -> Mode:
        """Idiom: JAX's debug_nans, which checks the forward pass too."""
        return jax.debug_nans(True)

    def set_detect_anomaly(self, flag: bool) -> Mode:
        """Idiom: the same, by a flag."""
        return jax.debug_nans(flag)
