"""Derivatives given by hand, batching, and memory traded for recomputation."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from adapters.tape_like.base import Base
from conformance.protocol import Namespace, same
from conformance.protocol.types import Array, Axes, Context, DType, Mode, OptionalArrays, Program, Rule, Tree

CONTEXT = "torch.autograd.function.FunctionCtx"
YOUNG = same(CONTEXT, "set_output_grad_dtype") | {
    "input_grad_buffers": f"{CONTEXT}.input_grad_buffers.fget"
}  # since PyTorch 2.14, and 2.15


class RuleVerbs(Base):
    """The group CustomRules of the protocol."""

    def custom_vjp(self, forward: Program, backward: Program) -> Program:
        apply: Program = _ruled(self.torch.autograd.Function, forward, backward).apply

        def applied(*args: Any) -> Any:
            # Drop the residuals, which left forward as outputs.
            *outputs, count = apply(*args)
            return tuple(outputs[:count]) if count > 1 else outputs[0]

        return applied


def _ruled(function: Any, forward: Program, backward: Program) -> Any:
    """Idiom: with setup_context, residuals are outputs of forward: an input's number, or the array; then a count."""

    class Custom(function):
        # Else PyTorch raises an error for the function under vmap.
        generate_vmap_rule = True

        @staticmethod
        def forward(*args: Any) -> Any:
            output, residuals = forward(*args)
            outputs = output if isinstance(output, tuple) else (output,)
            # setup_context sees inputs and outputs only, so residuals must be among them.
            kept = [next((n for n, x in enumerate(args) if x is residual), residual) for residual in residuals]
            return *outputs, *kept, len(outputs)

        @staticmethod
        def setup_context(ctx: Context, inputs: Tree, output: Any) -> None:
            *values, ctx.outputs = output
            ctx.save_for_backward(*(inputs[x] if isinstance(x, int) else x for x in values[ctx.outputs :]))

        @staticmethod
        def backward(ctx: Context, *cotangents: Any) -> Any:
            # The residuals are outputs of forward too, and their cotangents are of no use.
            given = cotangents[: ctx.outputs]
            return backward(ctx.saved_tensors, given if len(given) > 1 else given[0])

    return Custom


class CustomFunctionVerbs(Base):
    """The groups CustomFunctions and, of CustomRules, `custom_jvp`."""

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
        # What is None is left out: the engine looks which functions a class defines.
        given = {"forward": forward, "backward": backward, "setup_context": setup_context, "jvp": jvp, "vmap": vmap}
        rules = {**given, "vjp": vjp}
        members: dict[str, Any] = {name: staticmethod(rule) for name, rule in rules.items() if rule is not None}
        members["generate_vmap_rule"] = generate_vmap_rule
        # Set only where asked for, so that the class has the engine's defaults otherwise.
        members |= {"boxed_grads_call": True} if boxed_grads_call else {}
        members |= {"clear_saved_tensors_on_access": True} if clear_saved_tensors_on_access else {}
        return type("Custom", (self.torch.autograd.Function,), members).apply  # type: ignore[attr-defined]

    def custom_jvp(self, program: Program, rule: Rule) -> Program:
        def setup_context(ctx: Context, inputs: Tree, output: Any) -> None:
            ctx.save_for_forward(*inputs)

        def jvp(ctx: Context, *tangents: Any) -> Any:
            # A JVP rule of the protocol returns output and tangent, as in JAX; PyTorch wants the tangent.
            return rule(ctx.saved_tensors, tangents)[1]  # type: ignore[misc]

        return self.custom_function(program, None, setup_context, jvp if rule else None, generate_vmap_rule=True)

    def once_differentiable(self, backward: Program) -> Program:
        return self.torch.autograd.function.once_differentiable(backward)

    def save_for_backward_(self, ctx: Context, *values: Array | None) -> None:
        ctx.save_for_backward(*values)

    def save_for_forward_(self, ctx: Context, *values: Array | None) -> None:
        ctx.save_for_forward(*values)

    def saved(self, ctx: Context) -> OptionalArrays:
        return tuple(ctx.saved_tensors)

    def needs_input_grad(self, ctx: Context) -> tuple[bool, ...]:
        return tuple(ctx.needs_input_grad)

    def mark_dirty_(self, ctx: Context, *values: Array) -> None:
        ctx.mark_dirty(*values)

    def mark_non_differentiable_(self, ctx: Context, *values: Array) -> None:
        ctx.mark_non_differentiable(*values)

    def set_materialize_grads_(self, ctx: Context, flag: bool) -> None:
        ctx.set_materialize_grads(flag)

    def set_output_gradient_dtypes_(self, ctx: Context, *dtypes: DType | None) -> None:
        declared = (None if dtype is None else getattr(self.torch, dtype) for dtype in dtypes)
        Namespace(self.torch, YOUNG).set_output_grad_dtype(ctx, *declared)

    def input_gradient_buffers(self, ctx: Context) -> OptionalArrays:
        return Namespace(self.torch, YOUNG).input_grad_buffers(ctx)

    def vmap_info(self, info: Any) -> tuple[int, str]:
        return info.batch_size, info.randomness


class CheckpointVerbs(Base):
    """The groups Checkpointing and, of Transforms, `vmap`."""

    def checkpoint(
        self,
        program: Program,
        use_reentrant: bool | None = None,
        preserve_rng_state: bool = True,
        determinism_check: str | None = None,
        early_stop: bool | None = None,
        debug: bool | None = None,
        context_fn: Any = None,
    ) -> Program:
        # PyTorch warns unless use_reentrant is given, and recommends False.
        chosen = False if use_reentrant is None else use_reentrant
        options: dict[str, Any] = {"use_reentrant": chosen, "preserve_rng_state": preserve_rng_state}
        # Options that are None are left to the engine, whose default is what is documented.
        if determinism_check is not None:
            options["determinism_check"] = determinism_check
        if early_stop is not None:
            options["early_stop"] = early_stop
        if debug is not None:
            options["debug"] = debug
        if context_fn is not None:
            options["context_fn"] = context_fn
        return lambda *args, **named: self.torch.utils.checkpoint.checkpoint(program, *args, **options, **named)

    def checkpoint_sequence(
        self, functions: Sequence[Program], segments: int, use_reentrant: bool | None = None
    ) -> Program:
        chosen = False if use_reentrant is None else use_reentrant
        return lambda x: self.torch.utils.checkpoint.checkpoint_sequential(functions, segments, x, use_reentrant=chosen)

    def checkpoint_early_stop(self, flag: bool) -> Mode:
        return self.torch.utils.checkpoint.set_checkpoint_early_stop(flag)

    def checkpoint_debug(self, flag: bool | None) -> Mode:
        return self.torch.utils.checkpoint.set_checkpoint_debug_enabled(flag)

    def backward_group(self) -> Mode:
        return self.torch.utils.checkpoint.GraphExecGroup()

    def selective_contexts(self, chosen: Any, allow_cache_entry_mutation: bool = False) -> Any:
        """Idiom: PyTorch's policy is given the operation, and returns a member of CheckpointPolicy."""
        selective = self.torch.utils.checkpoint

        def policy(context: Any, operation: Any, *args: Any, **named: Any) -> Any:
            # By the packet's name: that of an overload has a suffix, as in add.Tensor.
            return getattr(selective.CheckpointPolicy, chosen(context, operation.overloadpacket.__name__))

        listed = isinstance(chosen, tuple)
        # A list is to be of overloads: PyTorch raises an error for packets in it.
        given = [getattr(self.torch.ops.aten, name).default for name in chosen] if listed else policy
        # A function, as `context_fn` is called anew for each checkpoint.
        return lambda: selective.create_selective_checkpoint_contexts(given, allow_cache_entry_mutation)

    def vmap(
        self,
        program: Program,
        in_axes: Axes = 0,
        out_axes: Axes = 0,
        randomness: str = "error",
        chunk_size: int | None = None,
    ) -> Program:
        return self.torch.func.vmap(program, in_axes, out_axes, randomness, chunk_size=chunk_size)
