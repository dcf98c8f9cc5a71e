"""Derivatives given by hand, and memory traded for recomputation."""

from __future__ import annotations

import io
from collections.abc import Callable
from contextlib import redirect_stdout
from typing import Any

import jax
import jax.ad_checkpoint

__all__ = ["RuleVerbs"]

Array = Any
Program = Callable[..., Any]


class RuleVerbs:
    """The groups CustomRules and Checkpointing of the protocol."""

    def custom_vjp(
        self,
        forward: Program | None,
        backward: Program | None,
        primal: Program | None = None,
        nondiff_argnums: tuple[int, ...] = (),
    ) -> Program:
        run = primal or (lambda *args: forward(*args)[0])  # type: ignore[misc]
        custom: Any = jax.custom_vjp(run, nondiff_argnums=nondiff_argnums)
        if forward is not None:
            custom.defvjp(forward, backward)
        ruled: Program = custom
        return ruled

    def custom_jvp(self, program: Program, rule: Program | None, nondiff_argnums: tuple[int, ...] = ()) -> Program:
        custom: Any = jax.custom_jvp(program, nondiff_argnums=nondiff_argnums)
        if rule is not None:
            custom.defjvp(rule)
        ruled: Program = custom
        return ruled

    def custom_jvps(self, program: Program, *rules: Program | None, nondiff_argnums: tuple[int, ...] = ()) -> Program:
        custom: Any = jax.custom_jvp(program, nondiff_argnums=nondiff_argnums)
        custom.defjvps(*rules)
        ruled: Program = custom
        return ruled

    def custom_gradient(self, program: Program) -> Program:
        ruled: Program = jax.custom_gradient(program)
        return ruled

    def closure_convert(self, program: Program, *args: Array) -> tuple[Program, list[Array]]:
        converted, captured = jax.closure_convert(program, *args)
        return converted, captured

    def checkpoint(self, program: Program, policy: str | None = None) -> Program:
        chosen = None if policy is None else getattr(jax.checkpoint_policies, policy)
        rematerialized: Program = jax.checkpoint(program, policy=chosen)
        return rematerialized

    def checkpoint_name(self, x: Array, name: str) -> Array:
        return jax.ad_checkpoint.checkpoint_name(x, name)

    def report_of_residuals(self, program: Program, *args: Array) -> list[str]:
        """Idiom: JAX prints the list; here it is caught."""
        with redirect_stdout(io.StringIO()) as printed:
            jax.ad_checkpoint.print_saved_residuals(program, *args)
        return printed.getvalue().splitlines()
