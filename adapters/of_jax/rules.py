"""Derivatives given by hand, and memory traded for recomputation."""

from __future__ import annotations

import io
from contextlib import redirect_stdout
from typing import Any

import jax
import jax.ad_checkpoint

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

    def custom_gradient(self, program: Program) -> Program:
        return jax.custom_gradient(program)

    def closure_convert(self, program: Program, *args: Array) -> tuple[Program, list[Array]]:
        return jax.closure_convert(program, *args)

    def checkpoint(
        self,
        program: Program,
        policy: Any = None,
        static_argnums: tuple[int, ...] = (),
        spelling: str = "checkpoint",
    ) -> Program:
        return getattr(jax, spelling)(program, policy=policy, static_argnums=static_argnums)

    def checkpoint_policy(self, name: str, *args: Any, **options: Any) -> Any:
        policy = getattr(jax.checkpoint_policies, name)
        return policy(*args, **options) if args or options else policy

    def checkpoint_name(self, x: Array, name: str) -> Array:
        return jax.ad_checkpoint.checkpoint_name(x, name)

    def saved_residuals(self, program: Program, *args: Array) -> list[str]:
        """Idiom: JAX prints the list; here it is caught."""
        with redirect_stdout(io.StringIO()) as printed:
            jax.ad_checkpoint.print_saved_residuals(program, *args)
        return printed.getvalue().splitlines()
