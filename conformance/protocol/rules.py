"""The verbs for derivatives given by hand, and for what is computed again rather than kept."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, Protocol

__all__ = ["Checkpointing", "CustomFunctions", "CustomRules"]

Array = Any
Context = Any
Program = Callable[..., Any]


class CustomRules(Protocol):
    """Derivatives given by hand, as functions."""

    def custom_vjp(
        self,
        forward: Program | None,
        backward: Program | None,
        primal: Program | None = None,
        nondiff_argnums: tuple[int, ...] = (),
    ) -> Program:
        """A function with its own reverse rule.

        `forward(*args)` returns the output and a tuple of residuals; `backward(residuals, cotangent)` returns one
        cotangent per argument, and receives a tuple of cotangents for a tuple of outputs. `primal` is what runs where
        nothing is differentiated (by default `forward`, without residuals). The arguments `nondiff_argnums` are no
        arrays, and lead those of `backward`. None for both rules: no rule is given.
        """

    def custom_jvp(self, program: Program, rule: Program | None, nondiff_argnums: tuple[int, ...] = ()) -> Program:
        """A function with its own forward rule: `rule(primals, tangents)` returns the output and its tangent.

        The arguments `nondiff_argnums` are no arrays, and lead those of the rule. None: no rule is given.
        """

    def custom_jvps(self, program: Program, *rules: Program | None, nondiff_argnums: tuple[int, ...] = ()) -> Program:
        """The same, with one `rule(tangent, output, *primals)` per argument, whose results are added; None is zero."""

    def custom_gradient(self, program: Program) -> Program:
        """A function whose own reverse rule the program returns beside its output: `rule(cotangent)`."""

    def closure_convert(self, program: Program, *args: Array) -> tuple[Program, list[Array]]:
        """The program with the arrays that it captures as further arguments, and these arrays."""


class CustomFunctions(Protocol):
    """Derivatives given by hand, as an operation of the tape, whose functions share a context."""

    def custom_function(
        self,
        forward: Program | None = None,
        backward: Program | None = None,
        setup_context: Program | None = None,
        jvp: Program | None = None,
        vmap: Program | None = None,
        generate_vmap_rule: bool = False,
    ) -> Program:
        """An operation, applied. `forward(ctx, *args)`, `backward(ctx, *cotangents)`, `jvp(ctx, *tangents)`.

        With `setup_context(ctx, args, output)`, forward is called without context. `vmap(info, in_axes, *args)` returns
        output and its axes. What is None is not defined.
        """

    def once_differentiable(self, backward: Program) -> Program:
        """A backward function whose result must not be differentiated again."""

    def save_for_backward_(self, ctx: Context, *values: Array | None) -> None:
        """Keep values for backward, in the care of the engine."""

    def save_for_forward_(self, ctx: Context, *values: Array | None) -> None:
        """Keep values for the forward rule, in the care of the engine."""

    def saved(self, ctx: Context) -> tuple[Array | None, ...]:
        """The values kept."""

    def keep_(self, ctx: Context, value: Any) -> None:
        """Keep anything on the context, as an attribute of it."""

    def kept(self, ctx: Context) -> Any:
        """What was kept so."""

    def needs_input_grad(self, ctx: Context) -> tuple[bool, ...]:
        """Which of the arguments need a gradient."""

    def mark_dirty_(self, ctx: Context, *values: Array) -> None:
        """Say that forward wrote these arguments in place."""

    def mark_non_differentiable_(self, ctx: Context, *values: Array) -> None:
        """Say that these outputs have no derivative."""

    def set_materialize_grads_(self, ctx: Context, flag: bool) -> None:
        """Say whether a missing cotangent or tangent comes as zeros or as None."""

    def batch_of(self, info: Any) -> tuple[int, str]:
        """The size of the batch and how random draws are treated, of what a batching rule is told first."""


class Checkpointing(Protocol):
    """Memory traded for recomputation."""

    def checkpoint(
        self,
        program: Program,
        use_reentrant: bool | None = None,
        preserve_rng_state: bool = True,
        policy: str | None = None,
        determinism_check: str | None = None,
    ) -> Program:
        """The same program, whose intermediate values are computed again in the backward pass.

        `policy` names what is kept nevertheless, `determinism_check` how the second run is held against the first;
        None: as the engine does unasked.
        """

    def checkpoint_name(self, x: Array, name: str) -> Array:
        """`x`, under a name by which a policy can keep it."""

    def report_of_residuals(self, program: Program, *args: Array) -> list[str]:
        """One line for each value that the backward pass would keep."""
