"""Derivatives given by hand, solvers, and memory traded for recomputation."""

from __future__ import annotations

import io
from collections.abc import Iterator
from contextlib import contextmanager, redirect_stdout
from typing import Any

import jax
import jax.ad_checkpoint
import jax.custom_batching
import jax.custom_derivatives
import jax.scipy.sparse.linalg

from conformance.protocol import Namespace, same
from conformance.protocol.types import Array, Arrays, Mode, Program, Rule, Tree

# Since JAX 0.11.1 (logs) and 0.12.
YOUNG = same("jax.custom_vjp", "defvjp_with_logs defvjp_with_accums defremat defremat_with_logs")
# Required by the documented rules for rematerialization.
REMATERIALIZING = ("jax_custom_vjp3", "jax_remat3")


@contextmanager
def _flags_on(*flags: str) -> Iterator[None]:
    """Turn on flags of JAX's configuration, those that it has, and back to what they were."""
    before = {flag: getattr(jax.config, flag) for flag in flags if hasattr(jax.config, flag)}
    try:
        for flag in before:
            jax.config.update(flag, True)
        yield
    finally:
        for flag, was in before.items():
            jax.config.update(flag, was)


class JaxRuleVerbs:
    """The groups CustomRules, Solvers and Checkpointing of the protocol."""

    def custom_vjp(
        self,
        forward: Rule,
        backward: Rule,
        primal: Rule = None,
        nondiff_argnums: tuple[int, ...] = (),
        symbolic_zeros: bool = False,
    ) -> Program:
        # Without a primal function the output of forward is that of the program.
        run = primal or (lambda *args: forward(*args)[0])  # type: ignore[misc]
        custom: Any = jax.custom_vjp(run, nondiff_argnums=nondiff_argnums)
        if forward is not None:
            custom.defvjp(forward, backward, symbolic_zeros=symbolic_zeros)
        return custom

    def custom_jvp(
        self, program: Program, rule: Rule, nondiff_argnums: tuple[int, ...] = (), symbolic_zeros: bool = False
    ) -> Program:
        custom: Any = jax.custom_jvp(program, nondiff_argnums=nondiff_argnums)
        if rule is not None:
            custom.defjvp(rule, symbolic_zeros=symbolic_zeros)
        return custom

    def is_symbolic_zero(self, value: Any) -> bool:
        return isinstance(value, jax.custom_derivatives.SymbolicZero)

    def unpack_record(self, record: Any) -> tuple[Array, bool]:
        return record.value, record.perturbed

    def custom_jvps(self, program: Program, *rules: Rule, nondiff_argnums: tuple[int, ...] = ()) -> Program:
        custom: Any = jax.custom_jvp(program, nondiff_argnums=nondiff_argnums)
        custom.defjvps(*rules)
        return custom

    def custom_gradient(self, program: Program, with_logs: bool = False) -> Program:
        # Passed only where asked for, as older versions of JAX lack the argument.
        given: dict[str, Any] = {"with_logs": True} if with_logs else {}
        return jax.custom_gradient(program, **given)

    def custom_vjp_with_logs(self, forward: Program, backward: Program, primal: Program) -> Program:
        custom: Any = jax.custom_vjp(primal)
        Namespace(jax, YOUNG).defvjp_with_logs(custom, forward, backward)
        return custom

    def custom_vjp_with_accumulators(self, forward: Program, backward: Program, primal: Program) -> Program:
        def push(residuals: Tree, cotangent: Tree, *accumulators: Tree) -> Any:
            return backward(residuals, cotangent, *jax.tree.map(lambda one: one.accum, accumulators))

        custom: Any = jax.custom_vjp(primal)
        Namespace(jax, YOUNG).defvjp_with_accums(custom, forward, push)
        return custom

    def custom_rematerialization(self) -> Mode:
        return _flags_on(*REMATERIALIZING)

    def custom_vjp_with_rematerialization(
        self, forward: Program, rematerialize: Program, backward: Program, primal: Program, with_logs: bool = False
    ) -> Program:
        young, custom = Namespace(jax, YOUNG), jax.custom_vjp(primal)
        define = young.defremat_with_logs if with_logs else young.defremat
        define(custom, forward, rematerialize, backward)
        return custom

    def pull_back_with_logs(self, pullback: Program, cotangent: Tree) -> tuple[Arrays, dict[str, Tree]]:
        return pullback.with_logs(cotangent)  # type: ignore[attr-defined]

    def custom_vmap(self, program: Program, rule: Program) -> Program:
        custom = jax.custom_batching.custom_vmap(program)
        custom.def_vmap(rule)
        return custom

    def sequential_vmap(self, program: Program) -> Program:
        return jax.custom_batching.sequential_vmap(program)

    def closure_convert(self, program: Program, *args: Array) -> tuple[Program, list[Array]]:
        return jax.closure_convert(program, *args)

    def custom_root(self, program: Program, guess: Array, solve: Program, tangent_solve: Program) -> Array:
        return jax.lax.custom_root(program, guess, solve, tangent_solve)

    def custom_linear_solve(
        self, matvec: Program, b: Array, solve: Program, transpose_solve: Rule = None, symmetric: bool = False
    ) -> Array:
        return jax.lax.custom_linear_solve(matvec, b, solve, transpose_solve, symmetric)

    def conjugate_gradient(self, matvec: Program, b: Array) -> Array:
        # The second result, information on convergence, is None in JAX.
        return jax.scipy.sparse.linalg.cg(matvec, b)[0]

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
        # Some policies are functions to use as they are, others factories.
        return policy(*args, **options) if args or options else policy

    def checkpoint_name(self, x: Array, name: str) -> Array:
        return jax.ad_checkpoint.checkpoint_name(x, name)

    def saved_residuals(self, program: Program, *args: Array) -> list[str]:
        """Idiom: JAX prints the list; here it is caught."""
        with redirect_stdout(io.StringIO()) as printed:
            jax.ad_checkpoint.print_saved_residuals(program, *args)
        return printed.getvalue().splitlines()
