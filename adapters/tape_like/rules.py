"""Derivatives given by hand, batching, and memory traded for recomputation."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from adapters.tape_like.base import Array, Base

__all__ = ["CheckpointVerbs", "CustomFunctionVerbs", "RuleVerbs"]

Program = Callable[..., Any]


class RuleVerbs(Base):
    """The group CustomRules of the protocol."""

    def custom_vjp(self, forward: Program, backward: Program) -> Program:
        class Custom(self.torch.autograd.Function):  # type: ignore[name-defined]
            @staticmethod
            def forward(ctx: Any, *args: Any) -> Any:
                output, residuals = forward(*args)
                ctx.save_for_backward(*residuals)
                return output

            @staticmethod
            def backward(ctx: Any, *cotangents: Any) -> Any:
                return backward(ctx.saved_tensors, cotangents if len(cotangents) > 1 else cotangents[0])

        applied: Program = Custom.apply
        return applied


class CustomFunctionVerbs(Base):
    """The groups CustomFunctions and, of CustomRules, `custom_jvp`."""

    def custom_function(
        self,
        forward: Program | None = None,
        backward: Program | None = None,
        setup_context: Program | None = None,
        jvp: Program | None = None,
        vmap: Program | None = None,
        generate_vmap_rule: bool = False,
    ) -> Program:
        given = {"forward": forward, "backward": backward, "setup_context": setup_context, "jvp": jvp, "vmap": vmap}
        members: dict[str, Any] = {name: staticmethod(rule) for name, rule in given.items() if rule is not None}
        members["generate_vmap_rule"] = generate_vmap_rule
        applied: Program = type("Custom", (self.torch.autograd.Function,), members).apply  # type: ignore[attr-defined]
        return applied

    def custom_jvp(self, program: Program, rule: Program | None) -> Program:
        class Custom(self.torch.autograd.Function):  # type: ignore[name-defined]
            @staticmethod
            def forward(*args: Any) -> Any:
                return program(*args)

            @staticmethod
            def setup_context(ctx: Any, inputs: Any, output: Any) -> None:
                ctx.save_for_forward(*inputs)

        def jvp(ctx: Any, *tangents: Any) -> Any:
            return rule(ctx.saved_tensors, tangents)[1]  # type: ignore[misc]

        if rule is not None:
            Custom.jvp = staticmethod(jvp)
        applied: Program = Custom.apply
        return applied

    def once_differentiable(self, backward: Program) -> Program:
        once: Program = self.torch.autograd.function.once_differentiable(backward)
        return once

    def save_for_backward_(self, ctx: Any, *values: Array | None) -> None:
        ctx.save_for_backward(*values)

    def save_for_forward_(self, ctx: Any, *values: Array | None) -> None:
        ctx.save_for_forward(*values)

    def saved(self, ctx: Any) -> tuple[Array | None, ...]:
        return tuple(ctx.saved_tensors)

    def keep_(self, ctx: Any, value: Any) -> None:
        ctx.kept = value

    def kept(self, ctx: Any) -> Any:
        return ctx.kept

    def needs_input_grad(self, ctx: Any) -> tuple[bool, ...]:
        return tuple(ctx.needs_input_grad)

    def mark_dirty_(self, ctx: Any, *values: Array) -> None:
        ctx.mark_dirty(*values)

    def mark_non_differentiable_(self, ctx: Any, *values: Array) -> None:
        ctx.mark_non_differentiable(*values)

    def set_materialize_grads_(self, ctx: Any, flag: bool) -> None:
        ctx.set_materialize_grads(flag)

    def batch_of(self, info: Any) -> tuple[int, str]:
        return info.batch_size, info.randomness


class CheckpointVerbs(Base):
    """The groups Checkpointing and, of Transforms, `vmap`."""

    def checkpoint(
        self,
        program: Program,
        use_reentrant: bool | None = None,
        preserve_rng_state: bool = True,
        determinism_check: str | None = None,
    ) -> Program:
        # The engine asks for the choice to be made; the one that it recommends stands where a check does not choose.
        chosen = False if use_reentrant is None else use_reentrant
        options: dict[str, Any] = {"use_reentrant": chosen, "preserve_rng_state": preserve_rng_state}
        if determinism_check is not None:
            options["determinism_check"] = determinism_check
        return lambda *args: self.torch.utils.checkpoint.checkpoint(program, *args, **options)

    def vmap(
        self,
        program: Program,
        in_axes: Any = 0,
        out_axes: Any = 0,
        randomness: str = "error",
        chunk_size: int | None = None,
    ) -> Program:
        mapped: Program = self.torch.func.vmap(program, in_axes, out_axes, randomness, chunk_size=chunk_size)
        return mapped
