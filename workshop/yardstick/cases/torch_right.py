"""Right functions in PyTorch that a naive tool accuses: other precisions, contracts and declarations."""

from __future__ import annotations

import torch
from numpy import array
from torch import nn
from torch.autograd import Function
from torch.autograd.function import once_differentiable

from workshop.yardstick.case import CaseTable
from workshop.yardstick.inputs import POSITIVE, W, X

case = CaseTable("torch", "right")


@case.right(X, deliberate="straight-through")
class RoundedStraightThrough(Function):
    @staticmethod
    def forward(ctx, x):
        return x.round()

    @staticmethod
    def backward(ctx, g):
        return g.clone()


@case.right(X, deliberate="a surrogate for the derivative of a step", order=1)
class SpikeOfSurrogate(Function):
    @staticmethod
    def forward(ctx, x):
        ctx.save_for_backward(x)
        return (x > 0).to(x.dtype)

    @staticmethod
    def backward(ctx, g):
        (x,) = ctx.saved_tensors
        return g / (1 + 10 * x.abs()) ** 2


@case.right(X, deliberate="the gradient is reversed")
class ReversedGradient(Function):
    @staticmethod
    def forward(ctx, x):
        return x.view_as(x)

    @staticmethod
    def backward(ctx, g):
        return -g


@case.right(
    X, skip=dict.fromkeys(("cotangents.", "scale.", "second", "_over_", "derivatives."), "it clips by contract")
)
class ClippedGradient(Function):
    """Not linear in its cotangent, as is its purpose."""

    @staticmethod
    def forward(ctx, x):
        return x.clone()

    @staticmethod
    def backward(ctx, g):
        return g.clamp(-5, 5)


@case.right(X)
class KernelOfSingles(Function):
    """Computes in single precision, in every dtype."""

    @staticmethod
    def forward(ctx, x):
        ctx.save_for_backward(x)
        return (x.float() ** 3).to(x.dtype)

    @staticmethod
    def backward(ctx, g):
        (x,) = ctx.saved_tensors
        return (3 * g.float() * x.float() ** 2).to(x.dtype)


@case.right(X.astype("float32"))
class KernelForSinglesOnly(KernelOfSingles):
    """An error for any other dtype."""

    @staticmethod
    def forward(ctx, x):
        if x.dtype != torch.float32:
            raise TypeError("float32 only")
        return KernelOfSingles.forward(ctx, x)


@case.right(X, order=1)
class DifferentiableOnce(Function):
    @staticmethod
    def forward(ctx, x):
        ctx.save_for_backward(x)
        return x.sinh()

    @staticmethod
    @once_differentiable
    def backward(ctx, g):
        (x,) = ctx.saved_tensors
        return g * x.cosh()


@case.right(X, order=1)
class ByNumPy(Function):
    """A kernel that autograd does not see."""

    @staticmethod
    def forward(ctx, x):
        ctx.save_for_backward(x)
        return torch.from_numpy(x.numpy().copy()).sin()

    @staticmethod
    @once_differentiable
    def backward(ctx, g):
        (x,) = ctx.saved_tensors
        return g * torch.from_numpy(x.numpy().copy()).cos()


@case.right(X, W, constant=(1,))
class AbsoluteError(Function):
    """Data by position, and kinks where both are equal."""

    @staticmethod
    def forward(ctx, x, target):
        ctx.save_for_backward(x, target)
        return (x - target).abs().sum()

    @staticmethod
    def backward(ctx, g):
        x, target = ctx.saved_tensors
        return g * (x - target).sign(), None


@case.right(POSITIVE, inplace=True)
class ScaledInPlace(Function):
    @staticmethod
    def forward(ctx, x):
        ctx.mark_dirty(x)
        return x.mul_(3)

    @staticmethod
    def backward(ctx, g):
        return 3 * g


@case.right(X)
class WithNoise(Function):
    """Adds noise; its derivative is that of the identity."""

    @staticmethod
    def forward(ctx, x):
        return x * 1.5 + 0.1 * torch.randn_like(x)

    @staticmethod
    def backward(ctx, g):
        return 1.5 * g


@case.right(X)
class LargestWithPlaces(Function):
    """The second output is of integers, and marked as not differentiable."""

    @staticmethod
    def forward(ctx, x):
        y, at = x.max(-1)
        ctx.mark_non_differentiable(at)
        ctx.save_for_backward(at)
        ctx.shape = x.shape
        return y, at

    @staticmethod
    def backward(ctx, g, _):
        (at,) = ctx.saved_tensors
        return g.new_zeros(ctx.shape).scatter(-1, at[:, None], g[:, None])


@case.right(X, array([2, 0]), "sum", None, options={"scale": 2.0})
def mixed_arguments(x, rows, name, mask, scale=1.0):
    """Integers, a string, None and an option; a dictionary of outputs."""
    return {"y": scale * x[:, rows], "total": [x.sum() if name == "sum" else x.mean()]}


@case.right(X)
class TransposedOutput(Function):
    """The output is a view that is not contiguous."""

    @staticmethod
    def forward(ctx, x):
        ctx.save_for_backward(x)
        return x.exp().t()

    @staticmethod
    def backward(ctx, g):
        (x,) = ctx.saved_tensors
        return g.t() * x.exp()


@case.right(X)
class EvenColumns(Function):
    """An error for a single row, and for none."""

    @staticmethod
    def forward(ctx, x):
        if len(x) < 2:
            raise ValueError("two rows, at least")
        return x - x.mean(0)

    @staticmethod
    def backward(ctx, g):
        return g - g.mean(0)


@case.right(X)
class CountingLayer(nn.Module):
    """A module with buffers, which each call changes."""

    def __init__(self):
        super().__init__()
        self.inner = nn.Linear(3, 2, dtype=torch.float64)
        self.register_buffer("calls", torch.zeros(()))

    def forward(self, x):
        self.calls += 1
        return torch.tanh(self.inner(x))


@case.right(X)
class Dropping(nn.Module):
    """Dropout in training mode."""

    def forward(self, x):
        return nn.functional.dropout(x**2, 0.4)
