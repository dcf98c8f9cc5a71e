"""Derivatives given by hand, and memory traded for recomputation."""

from __future__ import annotations

import io
from contextlib import redirect_stdout
from typing import Any

import jax
import jax.ad_checkpoint
import jax.custom_batching

from conformance.protocol.types import Array, Program, Rule


class JaxRuleVerbs:
    """The groups CustomRules and Checkpointing of the protocol."""

    def custom_vjp(
        self, forward: Rule, backward: Rule, primal: Rule = None, nondiff_argnums: tuple[int, ...] = ()
    ) -> Program:
        run = primal or (lambda *args: forward(*args)[0])  # type: ignore[misc]
        custom: Any = jax.custom_vjp(run, nondiff_argnums=nondiff_argnums)
        if forward is not None:
            custom.defvjp(forward, backward)
        return custom

    def custom_jvp(self, program: Program, rule: Rule, nondiff_argnums: tuple[int, ...] = ()) -> Program:
        custom: Any = jax.custom_jvp(program, nondiff_argnums=nondiff_argnums)
        if rule is not None:
            custom.defjvp(rule)
        return custom

    def custom_jvps(self, program: Program, *rules: Rule, nondiff_argnums: tuple[int, ...] = ()) -> Program:
        custom: Any = jax.custom_jvp(program, nondiff_argnums=nondiff_argnums)
        custom.defjvps(*rules)
        return custom

    def custom_vmap(self, program: Program, rule: Program) -> Program:
        custom = jax.custom_batching.custom_vmap(program)
        custom.def_vmap(rule)
        return custom

    def sequential_vmap(self, program: Program) -> Program:
        return jax.custom_batching.sequential_vmap(program)

    def custom_gradient(self, program: Program) -> Program:
        return jax.custom_gradient(program)

    def closure_convert(self, program: Program, *args: Array) -> tuple[Program, list[Array]]:
        return jax.closure_convert(program, *args)

    def checkpoint(self, program: Program, policy: str | None = None) -> Program:
        chosen = None if policy is None else getattr(jax.checkpoint_policies, policy)
        return jax.checkpoint(program, policy=chosen)

    def checkpoint_name(self, x: Array, name: str) -> Array:
        return jax.ad_checkpoint.checkpoint_name(x, name)

    def saved_residuals(self, program: Program, *args: Array) -> list[str]:
        """Idiom: JAX prints the list; here it is caught."""
        with redirect_stdout(io.StringIO()) as printed:
            jax.ad_checkpoint.print_saved_residuals(program, *args)
        return printed.getvalue().splitlines()
