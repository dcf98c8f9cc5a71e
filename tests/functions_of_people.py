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


@right(X)
class Norm(Function):
    @staticmethod
    def forward(ctx: Any, x: Tensor) -> Tensor:
        y = (x * x).sum().sqrt()
        ctx.save_for_backward(x, y)
        return y

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
    """A kernel that computes in single precision in every dtype."""

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
