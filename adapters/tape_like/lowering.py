"""How a program of its leaves runs on a tape: the lowering of `grad`, `vjp` and the other transforms.

Make leaves of the arguments, run the program, make one call to `torch.autograd.grad` with the engine's own defaults.
The one flag that is ever given is `create_graph`, and only inside another transform, whose derivative must be able to
flow through. What the engine raises, stands.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from contextvars import ContextVar
from typing import Any

from adapters.tape_like.base import Array, Base

__all__ = ["Lowering"]

Program = Callable[..., Any]
_depth: ContextVar[int] = ContextVar("depth", default=0)


@contextmanager
def _inside_a_transform() -> Iterator[bool]:
    """Whether the program about to run stands inside another transform's program."""
    depth = _depth.get()
    token = _depth.set(depth + 1)
    try:
        yield depth > 0
    finally:
        _depth.reset(token)


class Lowering(Base):
    """The groups Transforms, CustomRules and Checkpointing of the protocol."""

    def _leaf_of(self, x: Array) -> Array:
        """A leaf with the value of `x`; inside another transform, a new name for `x` that its graph knows."""
        if x.requires_grad:
            return x.view_as(x)
        return x.detach().requires_grad_()

    def grad(self, program: Program, argnums: int | tuple[int, ...] = 0) -> Program:
        chosen = (argnums,) if isinstance(argnums, int) else argnums

        def gradient(*args: Array) -> Any:
            with _inside_a_transform() as nested:
                leaves = [self._leaf_of(x) if n in chosen else x for n, x in enumerate(args)]
                output = program(*leaves)
                gradients = self.torch.autograd.grad(output, [leaves[n] for n in chosen], create_graph=nested)
            return gradients[0] if isinstance(argnums, int) else tuple(gradients)

        return gradient

    def vjp(self, program: Program, *primals: Array) -> tuple[Any, Program]:
        with _inside_a_transform() as nested:
            leaves = [self._leaf_of(x) for x in primals]
            output = program(*leaves)

        def pullback(cotangent: Any) -> tuple[Array, ...]:
            return tuple(self.torch.autograd.grad(output, leaves, cotangent, create_graph=nested))

        return output, pullback

    def jvp(self, program: Program, primals: tuple[Array, ...], tangents: tuple[Array, ...]) -> tuple[Any, Any]:
        forward_ad = self.torch.autograd.forward_ad
        with forward_ad.dual_level():
            duals = [forward_ad.make_dual(x, t) for x, t in zip(primals, tangents, strict=True)]
            output, tangent = forward_ad.unpack_dual(program(*duals))
        return output, tangent

    def jacobian(self, program: Program) -> Program:
        return lambda x: self.torch.autograd.functional.jacobian(program, x)

    def hessian(self, program: Program) -> Program:
        return lambda x: self.torch.autograd.functional.hessian(program, x)

    def vmap(self, program: Program) -> Program:
        mapped: Program = self.torch.func.vmap(program)
        return mapped

    def check_gradients(self, program: Program, *primals: Array) -> Any:
        return self.torch.autograd.gradcheck(program, [self._leaf_of(x) for x in primals])

    def check_second_gradients(self, program: Program, *primals: Array) -> Any:
        return self.torch.autograd.gradgradcheck(program, [self._leaf_of(x) for x in primals])

    def custom_vjp(self, forward: Program, backward: Program) -> Program:
        class Custom(self.torch.autograd.Function):  # type: ignore[name-defined,misc]
            @staticmethod
            def forward(ctx: Any, *args: Any) -> Any:
                output, residuals = forward(*args)
                ctx.save_for_backward(*residuals)
                return output

            @staticmethod
            def backward(ctx: Any, cotangent: Any) -> Any:
                return backward(ctx.saved_tensors, cotangent)

        applied: Program = Custom.apply
        return applied

    def checkpoint(self, program: Program, use_reentrant: bool | None = None) -> Program:
        # The engine asks for the choice to be made; the one that it recommends stands where a check does not choose.
        chosen = False if use_reentrant is None else use_reentrant
        return lambda *args: self.torch.utils.checkpoint.checkpoint(program, *args, use_reentrant=chosen)
