"""People's own functions on JAX: custom_vjp, custom_jvp and plain functions."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from typing import Any

import jax

from conformance.protocol import OwnFunctions

__all__ = ["JaxFunctions"]

FORWARD = "define the rule with jax.custom_jvp and defjvp, which serves both modes"
# Those that the adapter sets.
SWITCHES = (
    "jax_enable_x64",
    "jax_traceback_filtering",
    "jax_compilation_cache_dir",
    "jax_persistent_cache_min_compile_time_secs",
    "jax_persistent_cache_enable_xla_caches",
)
RULES = "give the function its rules: defvjp(forward, backward), or defjvp"


class JaxFunctions(OwnFunctions):
    """A call in JAX."""

    package = "jax"
    remedies: Mapping[str, str] = {
        "to a custom_vjp function": FORWARD,
        "Differentiation rule for 'custom_lin' not implemented": FORWARD,
        "using defvjp": RULES,
        "using defjvp": RULES,
        "Pure callbacks do not support JVP": "give the callback a rule: jax.custom_jvp or jax.custom_vjp",
        "vmap_method": "set vmap_method of the callback, or write a rule with jax.custom_batching.custom_vmap",
    }

    def is_array(self, value: Any) -> bool:
        return isinstance(value, jax.Array)

    @contextmanager
    def kept(self) -> Iterator[None]:
        switches = {name: getattr(jax.config, name) for name in SWITCHES}
        yield
        for name, value in switches.items():
            jax.config.update(name, value)

    def fixed(self, array: Any, like: Any) -> Any:
        return array.astype(like.dtype) if jax.numpy.issubdtype(array.dtype, jax.numpy.floating) else array
