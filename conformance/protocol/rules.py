"""The verbs for custom derivative rules, implicit differentiation, and checkpointing."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, Protocol

from conformance.protocol.types import Array, Arrays, Context, DType, Mode, OptionalArrays, Program, Rule, Tree

__all__ = ["Checkpointing", "CustomFunctions", "CustomRules", "Solvers"]


class CustomRules(Protocol):
    """Custom rules given as functions."""

    def custom_vjp(
        self,
        forward: Rule,
        backward: Rule,
        primal: Rule = None,
        nondiff_argnums: tuple[int, ...] = (),
        symbolic_zeros: bool = False,
    ) -> Program:
        """A function with a custom VJP rule.

        `forward(*args)` returns the output and a tuple of residuals; `backward(residuals, cotangent)` returns a
        cotangent per argument, and receives a tuple of cotangents for a tuple of outputs. `primal` is what runs where
        nothing is differentiated (by default `forward`, without residuals). The arguments `nondiff_argnums` are no
        arrays, and come first in the arguments of `backward`. None for both rules: no rule is given. With
        `symbolic_zeros`, `forward` gets a record for each array, and `backward` a symbolic zero for a cotangent that
        is zero.
        """

    def custom_jvp(
        self, program: Program, rule: Rule, nondiff_argnums: tuple[int, ...] = (), symbolic_zeros: bool = False
    ) -> Program:
        """A function with a custom JVP rule: `rule(primals, tangents)` returns the output and its tangent.

        The arguments `nondiff_argnums` are no arrays, and are the first arguments of the rule. None: no rule is given.
        With `symbolic_zeros`, the tangent of an argument that is not differentiated is a symbolic zero.
        """

    def is_symbolic_zero(self, value: Any) -> bool:
        """Whether a rule was given a symbolic zero in the place of an array."""

    def unpack_record(self, record: Any) -> tuple[Array, bool]:
        """Of the record that `forward` gets with `symbolic_zeros`: the array, and whether it is differentiated."""

    def custom_jvps(self, program: Program, *rules: Rule, nondiff_argnums: tuple[int, ...] = ()) -> Program:
        """The same, with a `rule(tangent, output, *primals)` per argument; their results are added, None is zero."""

    def custom_gradient(self, program: Program, with_logs: bool = False) -> Program:
        """A function that returns its output and its VJP rule, `rule(cotangent)`.

        With `with_logs`, the rule returns cotangents and a dict to log.
        """

    def custom_vjp_with_logs(self, forward: Program, backward: Program, primal: Program) -> Program:
        """The same as `custom_vjp`, whose `backward` returns cotangents and a dict to log."""

    def custom_vjp_with_accumulators(self, forward: Program, backward: Program, primal: Program) -> Program:
        """The same as `custom_vjp`, with a `backward(residuals, cotangent, *accumulators)` that returns no cotangents.

        It has an accumulator per argument, in the structure of the arguments, and calls it with each cotangent.
        """

    def custom_rematerialization(self) -> Mode:
        """Within it, the engine has rules for rematerialization."""

    def custom_vjp_with_rematerialization(
        self, forward: Program, rematerialize: Program, backward: Program, primal: Program, with_logs: bool = False
    ) -> Program:
        """The same as `custom_vjp`, with the rule `rematerialize(residuals, *args)`.

        It gets what `forward` saved, and returns the output and the residuals that `backward` gets. With `with_logs`,
        `backward` returns cotangents and a dict to log.
        """

    def pull_back_with_logs(self, pullback: Program, cotangent: Tree) -> tuple[Arrays, dict[str, Tree]]:
        """The result of a pullback, and what rules logged on its way."""

    def custom_vmap(self, program: Program, rule: Program) -> Program:
        """A function with a custom rule for vmap: `rule(axis_size, in_batched, *args)` returns output and flags.

        The flags `in_batched`, and those that the rule returns, say which arguments and outputs are batched.
        """

    def sequential_vmap(self, program: Program) -> Program:
        """A function that vmap calls for each example in turn."""

    def closure_convert(self, program: Program, *args: Array) -> tuple[Program, list[Array]]:
        """The program with the arrays of its closure as further arguments, and these arrays."""


class Solvers(Protocol):
    """Solvers that are differentiated by the equation that their result satisfies."""

    def custom_root(self, program: Program, guess: Array, solve: Program, tangent_solve: Program) -> Array:
        """A root of `program`: `solve(program, guess)`; `tangent_solve(g, y)` solves g(x) = y for a linear g."""

    def custom_linear_solve(
        self, matvec: Program, b: Array, solve: Program, transpose_solve: Rule = None, symmetric: bool = False
    ) -> Array:
        """The x with matvec(x) = b: `solve(matvec, b)`. `transpose_solve(vecmat, b)` solves the transposed system."""

    def conjugate_gradient(self, matvec: Program, b: Array) -> Array:
        """The x with matvec(x) = b for a symmetric positive definite map, by the method of conjugate gradients."""


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
        vjp: Rule = None,
        boxed_grads_call: bool = False,
        clear_saved_tensors_on_access: bool = False,
    ) -> Program:
        """An operation, applied. `forward(ctx, *args)`, `backward(ctx, *cotangents)`, `jvp(ctx, *tangents)`.

        With `setup_context(ctx, args, output)`, forward is called without context. `vmap(info, in_axes, *args)` returns
        output and its axes. `vjp` is another name of `backward`, which with `boxed_grads_call` is given a list of
        cotangents. With `clear_saved_tensors_on_access` the saved values can be read once. What is None is not defined.
        """

    # A decorator in PyTorch; a verb, so that a check need not import the engine.
    def once_differentiable(self, backward: Program) -> Program:
        """A backward function whose result cannot be differentiated again: that raises an error."""

    def save_for_backward_(self, ctx: Context, *values: Array | None) -> None:
        """Save values for backward by the engine's own method."""

    def save_for_forward_(self, ctx: Context, *values: Array | None) -> None:
        """Save values for the JVP rule by the engine's own method."""

    # Verbs for what is an attribute of the context, so that their use is recorded as a feature.
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

    def set_output_gradient_dtypes_(self, ctx: Context, *dtypes: DType | None) -> None:
        """Declare for each output the dtype in which backward gets its gradient; None: as it is."""

    def input_gradient_buffers(self, ctx: Context) -> OptionalArrays:
        """For each argument the buffer in which its gradient is being summed, or None, in a backward pass."""

    def vmap_info(self, info: Any) -> tuple[int, str]:
        """Batch size and randomness, from the `info` that a vmap rule is given."""


class Checkpointing(Protocol):
    """Recomputation in the place of saved values."""

    def checkpoint(
        self,
        program: Program,
        use_reentrant: bool | None = None,
        preserve_rng_state: bool = True,
        policy: Any = None,
        determinism_check: str | None = None,
        early_stop: bool | None = None,
        debug: bool | None = None,
        context_fn: Any = None,
        static_argnums: tuple[int, ...] = (),
        spelling: str = "checkpoint",
    ) -> Program:
        """The same program, whose intermediate values are computed again in the backward pass.

        `policy`, or `context_fn`, selects what is saved nevertheless, `determinism_check` how the second run is
        compared with the first. Arguments `static_argnums` are Python values. `spelling`: the engine's name of the
        function. None: the engine's default.
        """

    def checkpoint_sequence(
        self, functions: Sequence[Program], segments: int, use_reentrant: bool | None = None
    ) -> Program:
        """The composition of the functions, the first applied first, checkpointed in that number of segments."""

    def checkpoint_early_stop(self, flag: bool) -> Mode:
        """A scope whose checkpoints stop running again once all needed values are there, or do not."""

    # None is a value here, and not the absence of the argument.
    def checkpoint_debug(self, flag: bool | None) -> Mode:
        """A scope whose checkpoints add a trace of operations to messages, or do not; None: as each was set."""

    def backward_group(self) -> Mode:
        """A scope whose backward passes together run each checkpoint again once."""

    def selective_contexts(self, chosen: Any, allow_cache_entry_mutation: bool = False) -> Any:
        """The `context_fn` of a checkpoint that saves what some operations return.

        `chosen` is a tuple of their names, or `chosen(context, name)` returns the name of the engine's choice.
        """

    def checkpoint_policy(self, name: str, *args: Any, **options: Any) -> Any:
        """The policy of that name; with arguments, the policy that it returns for them."""

    def checkpoint_name(self, x: Array, name: str) -> Array:
        """`x` with a name by which a policy can save it."""

    def saved_residuals(self, program: Program, *args: Array) -> list[str]:
        """One line for each value that would be saved for the backward pass."""
