"""Custom derivatives in PyTorch: with a single mistake each, by the law that is about it; and right ones."""

from __future__ import annotations

import os
import traceback
from collections.abc import Callable
from typing import Any

import torch
from torch import Tensor
from torch.autograd import Function
from torch.autograd.function import once_differentiable

X, W = torch.tensor([[0.3, 0.5, -0.2], [0.1, -0.7, 0.9]]), torch.tensor([[1.3, 0.8, -0.6], [1.1, -0.4, 0.7]])
POSITIVE = torch.tensor([0.7, 1.3, 2.1])

# Of each: the call, and a part of the name of the law that is about the mistake.
WRONG: dict[str, tuple[Callable[..., Any], tuple[Any, ...], str]] = {}
RIGHT: dict[str, tuple[Callable[..., Any], tuple[Any, ...], dict[str, Any]]] = {}


def wrong(law: str, *arguments: Any) -> Callable[[type], type]:
    """Add the Function to those with a mistake."""

    def add(kind: type) -> type:
        WRONG[kind.__name__] = (kind.apply, arguments, law)
        return kind

    return add


def right(*arguments: Any, **declared: Any) -> Callable[[type], type]:
    """Add the Function to the right ones."""

    def add(kind: type) -> type:
        RIGHT[kind.__name__] = (kind.apply, arguments, declared)
        return kind

    return add


@right(X)
class Sine(Function):
    """In the style with setup_context: it composes with all transforms."""

    generate_vmap_rule = True

    @staticmethod
    def forward(x: Tensor) -> Tensor:
        return x.sin()

    @staticmethod
    def setup_context(ctx: Any, inputs: Any, output: Any) -> None:
        ctx.save_for_backward(*inputs)
        ctx.save_for_forward(*inputs)

    @staticmethod
    def backward(ctx: Any, g: Tensor) -> Tensor:
        (x,) = ctx.saved_tensors
        return g * x.cos()

    @staticmethod
    def jvp(ctx: Any, t: Tensor) -> Tensor:
        (x,) = ctx.saved_tensors
        return t * x.cos()


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


@right(X)
class Cube(Function):
    @staticmethod
    def forward(ctx: Any, x: Tensor) -> Tensor:
        ctx.save_for_backward(x)
        return x**3

    @staticmethod
    def backward(ctx: Any, g: Tensor) -> Tensor:
        (x,) = ctx.saved_tensors
        return 3 * g * x**2


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


@right(X, W)
class Product(Function):
    @staticmethod
    def forward(ctx: Any, x: Tensor, w: Tensor) -> Tensor:
        ctx.save_for_backward(x, w)
        return x * w

    @staticmethod
    def backward(ctx: Any, g: Tensor) -> tuple[Tensor | None, ...]:
        x, w = ctx.saved_tensors
        return g * w, g * x


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


@right(X)
class TwoOutputs(Function):
    @staticmethod
    def forward(ctx: Any, x: Tensor) -> tuple[Tensor, Tensor]:
        ctx.save_for_backward(x)
        return x.sin(), x**2

    @staticmethod
    def backward(ctx: Any, g: Tensor, h: Tensor) -> Tensor:
        (x,) = ctx.saved_tensors
        return g * x.cos() + 2 * h * x


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
class NanAtZero(Function):
    """A norm whose gradient is NaN at zero."""

    @staticmethod
    def forward(ctx: Any, x: Tensor) -> Tensor:
        y = (x * x).sum().sqrt()
        ctx.save_for_backward(x, y)
        return y

    @staticmethod
    def backward(ctx: Any, g: Tensor) -> Tensor:
        x, y = ctx.saved_tensors
        return g * x / y


@right(X)
class Norm(NanAtZero):
    @staticmethod
    def backward(ctx: Any, g: Tensor) -> Tensor:
        x, y = ctx.saved_tensors
        return torch.where(y > 0, g * x / torch.where(y > 0, y, 1.0), 0.0)


@right(X)
class Once(Cube):
    """An error for a second derivative."""

    @staticmethod
    @once_differentiable
    def backward(ctx: Any, g: Tensor) -> Tensor:
        (x,) = ctx.saved_tensors
        return 3 * g * x**2


@right(POSITIVE)
class Root(Function):
    """Defined for positive numbers; its derivative at zero is infinite."""

    @staticmethod
    def forward(ctx: Any, x: Tensor) -> Tensor:
        y = x.sqrt()
        ctx.save_for_backward(y)
        return y

    @staticmethod
    def backward(ctx: Any, g: Tensor) -> Tensor:
        (y,) = ctx.saved_tensors
        return g / (2 * y)


@right(torch.tensor([0.0, 1.0, -2.0]))
class Rectifier(Function):
    """At a kink, as it is given."""

    @staticmethod
    def forward(ctx: Any, x: Tensor) -> Tensor:
        ctx.save_for_backward(x)
        return x.clamp(min=0)

    @staticmethod
    def backward(ctx: Any, g: Tensor) -> Tensor:
        (x,) = ctx.saved_tensors
        return g * (x > 0)


@right(X)
class InSinglePrecision(Cube):
    """A kernel that computes in single precision, whatever it is given."""

    @staticmethod
    def forward(ctx: Any, x: Tensor) -> Tensor:
        ctx.save_for_backward(x)
        return (x.float() ** 3).to(x.dtype)

    @staticmethod
    def backward(ctx: Any, g: Tensor) -> Tensor:
        (x,) = ctx.saved_tensors
        return (3 * g.float() * x.float() ** 2).to(x.dtype)


@right(X)
class OfSinglePrecision(Cube):
    """A kernel that takes nothing but single precision."""

    @staticmethod
    def forward(ctx: Any, x: Tensor) -> Tensor:
        if x.dtype != torch.float32:
            raise TypeError("float32 only")
        ctx.save_for_backward(x)
        return x**3


@right(X, deliberate="straight-through")
class StraightThrough(Function):
    @staticmethod
    def forward(ctx: Any, x: Tensor) -> Tensor:
        return x.round()

    @staticmethod
    def backward(ctx: Any, g: Tensor) -> Tensor:
        return g


@right(X)
class DropsOut(Function):
    """Random numbers, drawn in each call."""

    @staticmethod
    def forward(ctx: Any, x: Tensor) -> Tensor:
        mask = torch.rand_like(x) > 0.4
        ctx.save_for_backward(mask)
        return x * mask

    @staticmethod
    def backward(ctx: Any, g: Tensor) -> Tensor:
        (mask,) = ctx.saved_tensors
        return g * mask


@right(X, W, constant=("x1",))
class WithData(Product):
    """No gradient for the data."""

    @staticmethod
    def backward(ctx: Any, g: Tensor) -> tuple[Tensor | None, ...]:
        _, w = ctx.saved_tensors
        return g * w, None


class Crashes(Cube):
    """As a kernel that crashes where a checkpoint calls it."""

    @staticmethod
    def forward(ctx: Any, x: Tensor) -> Tensor:
        if any("checkpoint" in frame.filename for frame in traceback.extract_stack()):
            os._exit(11)
        return Cube.forward(ctx, x)
