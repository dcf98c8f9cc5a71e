"""The verbs for custom derivative rules, and for checkpointing."""

from __future__ import annotations

from typing import Any, Protocol

from conformance.protocol.types import Array, Context, OptionalArrays, Program, Rule

__all__ = ["Checkpointing", "CustomFunctions", "CustomRules"]


class CustomRules(Protocol):
    """Custom rules given as functions."""

    def custom_vjp(
        self,
        forward: Rule,
        backward: Rule,
        primal: Rule = None,
        nondiff_argnums: tuple[int, ...] = (),
    ) -> Program:
        """A function with a custom VJP rule.

        `forward(*args)` returns the output and a tuple of residuals; `backward(residuals, cotangent)` returns one
        cotangent per argument, and receives a tuple of cotangents for a tuple of outputs. `primal` is what runs where
        nothing is differentiated (by default `forward`, without residuals). The arguments `nondiff_argnums` are no
        arrays, and come first in the arguments of `backward`. None for both rules: no rule is given.
        """

    def custom_jvp(self, program: Program, rule: Rule, nondiff_argnums: tuple[int, ...] = ()) -> Program:
        """A function with a custom JVP rule: `rule(primals, tangents)` returns the output and its tangent.

        The arguments `nondiff_argnums` are no arrays, and are the first arguments of the rule. None: no rule is given.
        """

    def custom_jvps(self, program: Program, *rules: Rule, nondiff_argnums: tuple[int, ...] = ()) -> Program:
        """The same, with a `rule(tangent, output, *primals)` per argument; their results are added, None is zero."""

    def custom_vmap(self, program: Program, rule: Program) -> Program:
        """A function with a custom rule for vmap: `rule(axis_size, in_batched, *args)` returns output and flags.

        The flags `in_batched`, and those that the rule returns, say which arguments and outputs are batched.
        """

    def sequential_vmap(self, program: Program) -> Program:
        """A function that vmap calls for one example after the other."""

    def custom_gradient(self, program: Program) -> Program:
        """A function that returns its output and its VJP rule, `rule(cotangent)`."""

    def closure_convert(self, program: Program, *args: Array) -> tuple[Program, list[Array]]:
        """The program with the arrays of its closure as further arguments, and these arrays."""


class CustomFunctions(Protocol):
    """Custom operations of the tape, whose functions share a context object."""

    def custom_function(
        self,
        forward: Rule = None,
        backward: Rule = None,
        setup_context: Rule = None,
        jvp: Rule = None,
        vmap: Rule = None,
        generate_vmap_rule: bool = False,
    ) -> Program:
        """An operation, applied. `forward(ctx, *args)`, `backward(ctx, *cotangents)`, `jvp(ctx, *tangents)`.

        With `setup_context(ctx, args, output)`, forward is called without context. `vmap(info, in_axes, *args)` returns
        output and its axes. What is None is not defined.
        """

    def once_differentiable(self, backward: Program) -> Program:
        """A backward function whose result cannot be differentiated again: that raises an error."""

    def save_for_backward_(self, ctx: Context, *values: Array | None) -> None:
        """Save values for backward by the engine's own method."""

    def save_for_forward_(self, ctx: Context, *values: Array | None) -> None:
        """Save values for the JVP rule by the engine's own method."""

    def saved(self, ctx: Context) -> OptionalArrays:
        """The saved values."""

    def needs_input_grad(self, ctx: Context) -> tuple[bool, ...]:
        """Which arguments need a gradient."""

    def mark_dirty_(self, ctx: Context, *values: Array) -> None:
        """Declare that forward wrote these arguments in place."""

    def mark_non_differentiable_(self, ctx: Context, *values: Array) -> None:
        """Declare that these outputs are not differentiable."""

    def set_materialize_grads_(self, ctx: Context, flag: bool) -> None:
        """Choose whether a missing cotangent or tangent is given as zeros or as None."""

    def batch_of(self, info: Any) -> tuple[int, str]:
        """Batch size and randomness, from the `info` that a vmap rule is given."""


class Checkpointing(Protocol):
    """Recomputation in the place of saved values."""

    def checkpoint(
        self,
        program: Program,
        use_reentrant: bool | None = None,
        preserve_rng_state: bool = True,
        policy: str | None = None,
        determinism_check: str | None = None,
    ) -> Program:
        """The same program, whose intermediate values are computed again in the backward pass.

        `policy` names what is saved nevertheless, `determinism_check` how the second run is compared with the first.
        None: the engine's default.
        """

    def checkpoint_name(self, x: Array, name: str) -> Array:
        """`x` with a name by which a policy can save it."""

    def saved_residuals(self, program: Program, *args: Array) -> list[str]:
        """One line for each value that would be saved for the backward pass."""
