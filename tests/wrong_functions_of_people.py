"""Custom derivatives in PyTorch with a single mistake each: twins of right ones."""

from __future__ import annotations

from typing import Any

import torch
from torch import Tensor

from tests.functions_of_people import Cube, Norm, Product, Sine, TwoOutputs, W, X, wrong


@wrong("derivatives.reverse_mode_gives", X)
class LostSign(Sine):
    @staticmethod
    def backward(ctx: Any, g: Tensor) -> Tensor:
        (x,) = ctx.saved_tensors
        return -g * x.cos()


@wrong("derivatives.forward_mode_gives", X)
class LostSignInForward(Sine):
    @staticmethod
    def jvp(ctx: Any, t: Tensor) -> Tensor:
        (x,) = ctx.saved_tensors
        return -t * x.cos()


@wrong("the_derivative_of_the_pullback", X)
class NotDifferentiable(Sine):
    """The derivative of backward by the cotangent is lost."""

    @staticmethod
    def backward(ctx: Any, g: Tensor) -> Tensor:
        (x,) = ctx.saved_tensors
        return g.detach() * x.cos()


@wrong("reverse_over_reverse", X)
class DetachedDerivative(Sine):
    """Second derivatives are silently zero."""

    @staticmethod
    def backward(ctx: Any, g: Tensor) -> Tensor:
        (x,) = ctx.saved_tensors
        return g * x.detach().cos()


@wrong("vmap", X)
class MixedExamples(Sine):
    """Its rule for vmap adds up the examples."""

    generate_vmap_rule = False

    @staticmethod
    def vmap(info: Any, in_dims: Any, x: Tensor) -> tuple[Tensor, int]:
        x = x.movedim(in_dims[0], 0)
        return MixedExamples.apply(x + 0 * x.sum(0)) + x.sum(0) * 0.01, 0


@wrong("expanded_cotangent", X)
class ReadsMemory(Cube):
    """As a kernel that walks over the memory of the cotangent."""

    @staticmethod
    def backward(ctx: Any, g: Tensor) -> Tensor:
        (x,) = ctx.saved_tensors
        if not g.is_contiguous():
            g = (
                g.as_strided(g.shape, torch.empty(g.shape).stride())
                if g.untyped_storage().nbytes() >= 8 * g.numel()
                else 0 * x
            )
        return 3 * g * x**2


@wrong("reverse_mode_writes_to_nothing", X)
class WritesToItsCotangent(Cube):
    @staticmethod
    def backward(ctx: Any, g: Tensor) -> Tensor:
        (x,) = ctx.saved_tensors
        return g.mul_(3 * x**2) if not torch.is_grad_enabled() else 3 * g * x**2


@wrong("reverse_mode_gives_the_derivative_for", X)
class OfTwoRows(Cube):
    """A block of two rows: more are left out."""

    @staticmethod
    def backward(ctx: Any, g: Tensor) -> Tensor:
        (x,) = ctx.saved_tensors
        block = (torch.arange(x.shape[0]) < 4).to(x.dtype).reshape(-1, *[1] * (x.ndim - 1))
        return 3 * g * x**2 * block


@wrong("a_call_before_the_backward_pass", X)
class KeepsOnTheClass(Cube):
    """State on the class is that of the last call."""

    @staticmethod
    def forward(ctx: Any, x: Tensor) -> Tensor:
        KeepsOnTheClass.x = x.detach().clone()  # type: ignore[attr-defined]
        ctx.save_for_backward(x)
        return x**3

    @staticmethod
    def backward(ctx: Any, g: Tensor) -> Tensor:
        (x,) = ctx.saved_tensors
        return 3 * g * (KeepsOnTheClass.x**2 + 0 * x)  # type: ignore[attr-defined]


@wrong("precision", X)
class HalfInside(Cube):
    """Backward rounds to half precision what is in single precision."""

    @staticmethod
    def backward(ctx: Any, g: Tensor) -> Tensor:
        (x,) = ctx.saved_tensors
        factor = 3 * x**2
        return g * (factor.bfloat16().to(x.dtype) if x.dtype == torch.float32 else factor)


@wrong("a_gradient_by_some_arguments", X, W)
class NeedsBoth(Product):
    """What is needed is computed for both or for none."""

    @staticmethod
    def backward(ctx: Any, g: Tensor) -> tuple[Tensor | None, ...]:
        x, w = ctx.saved_tensors
        needed = all(ctx.needs_input_grad)
        return (g * w if needed else 0 * w), g * x


@wrong("one_array_in_two_arguments", X, W)
class OncePerArray(Product):
    """An argument that is the other, too, gets the gradient once."""

    @staticmethod
    def backward(ctx: Any, g: Tensor) -> tuple[Tensor | None, ...]:
        x, w = ctx.saved_tensors
        return g * w, 0 * g if x.data_ptr() == w.data_ptr() else g * x


@wrong("derivatives.reverse_mode_gives", X, W)
class NoGradient(Product):
    """No gradient for the second argument."""

    @staticmethod
    def backward(ctx: Any, g: Tensor) -> tuple[Tensor | None, ...]:
        _, w = ctx.saved_tensors
        return g * w, None


@wrong("the_gradient_of_some_outputs", X)
class ForgetsTheFirst(TwoOutputs):
    """Of an output that nothing uses there is no cotangent; then it returns none at all."""

    @staticmethod
    def forward(ctx: Any, x: Tensor) -> tuple[Tensor, Tensor]:
        ctx.set_materialize_grads(False)
        return TwoOutputs.forward(ctx, x)

    @staticmethod
    def backward(ctx: Any, g: Tensor | None, h: Tensor | None) -> Tensor:
        (x,) = ctx.saved_tensors
        return 0 * x if g is None or h is None else g * x.cos() + 2 * h * x


@wrong("kink", X)
class NanAtZero(Norm):
    """A norm whose gradient is NaN at zero."""

    @staticmethod
    def backward(ctx: Any, g: Tensor) -> Tensor:
        x, y = ctx.saved_tensors
        return g * x / y
