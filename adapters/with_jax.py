"""JAX, spoken to through its function transforms; `adapters.absences.of_jax` declares what it lacks by design."""

from __future__ import annotations

import os
from collections.abc import Mapping
from typing import Any, ClassVar

import jax

from adapters.absences.of_jax import TAPE_FEATURES
from adapters.of_jax.arrays import JaxArrayVerbs
from adapters.of_jax.joint import argument, compile_jointly
from adapters.of_jax.rules import JaxRuleVerbs
from adapters.of_jax.tracing import TracingVerbs
from adapters.of_jax.transforms import JaxTransformVerbs
from conformance.protocol import Absence, Adapter, Inventory, Joint, OwnFunctions


class JaxAdapter(JaxArrayVerbs, JaxTransformVerbs, JaxRuleVerbs, TracingVerbs, Adapter):
    """JAX, CPU, without jit, with 64-bit numbers."""

    name: ClassVar[str] = "jax"
    variants: ClassVar[Mapping[str, str]] = {"jit": "adapters.with_jax_jit:JaxJitAdapter"}
    absences: ClassVar[tuple[Absence, ...]] = TAPE_FEATURES

    def __init__(self, parameters: Mapping[str, str] | None = None) -> None:
        super().__init__(parameters)
        # A filtered traceback ends in JAX's own frames only by luck; the harness reads where an exception was raised.
        jax.config.update("jax_traceback_filtering", "off")
        # The worker's private copy of the cache, which the runner merges afterwards (see `conformance.running.cache`).
        cache = os.environ.get("AUTOGRAD_CONFORMANCE_CACHE")
        jax.config.update("jax_compilation_cache_dir", cache and f"{cache}/jax-{jax.__version__}")
        jax.config.update("jax_persistent_cache_min_compile_time_secs", 0)
        # XLA's own caches would make the folder's path a part of each key.
        jax.config.update("jax_persistent_cache_enable_xla_caches", "none")

    def set_up(self) -> None:
        jax.config.update("jax_enable_x64", True)

    @classmethod
    def inventory(cls) -> Inventory:
        # Its tables are imported for a run on the inventory alone.
        from adapters.inventories.of_jax import inventory

        return inventory()

    @property
    def joint(self) -> Joint:
        return Joint(self, compile_jointly, argument, jax.eval_shape, is_screen=True)

    @classmethod
    def own_functions(cls) -> OwnFunctions:
        from adapters.own_functions.of_jax import JaxFunctions

        return JaxFunctions()

    @property
    def version(self) -> str:
        return str(jax.__version__)

    @property
    def held_to(self) -> Mapping[str, str]:
        return {"jax": jax.__version__}

    def global_state(self) -> Mapping[str, Any]:
        return {name: getattr(jax.config, name) for name in ("jax_enable_x64", "jax_debug_nans")}

    def restore(self, state: Mapping[str, Any]) -> None:
        jax.config.update("jax_enable_x64", state["jax_enable_x64"])
        jax.config.update("jax_debug_nans", state["jax_debug_nans"])
