"""Cotangents in PyTorch: their layout, and what is written to them."""

from __future__ import annotations

import torch
from torch.autograd import Function

from workshop.yardstick.case import CaseTable
from workshop.yardstick.inputs import W, X

case = CaseTable("torch", "cotangents: layout and writes")


@case.right(X)
class Cubed(Function):
    @staticmethod
    def forward(ctx, x):
        ctx.save_for_backward(x)
        return x**3

    @staticmethod
    def backward(ctx, g):
        (x,) = ctx.saved_tensors
        return 3 * g * x**2


def raw(g):
    """The memory from the first number of a tensor on, in the shape of the tensor: what a kernel reads."""
    strides = torch.empty(g.shape).stride()
    reaches = g.storage_offset() + g.numel() <= g.untyped_storage().nbytes() // g.element_size()
    # Beyond the memory a kernel reads anything.
    return g.as_strided(g.shape, strides) if reaches else torch.full(g.shape, 1e3, dtype=g.dtype)


@case.wrong(Cubed, "expanded_cotangent", "a_slice", "transposed_cotangent", thread="pytorch/pytorch#194719")
class CubedOfContiguousMemory(Cubed):
    """The kernel takes the cotangent's memory for contiguous."""

    @staticmethod
    def backward(ctx, g):
        (x,) = ctx.saved_tensors
        return 3 * raw(g) * x**2


@case.wrong(Cubed, "transposed_cotangent", thread="Dao-AILab/flash-attention#355")
class CubedOfTheOutputsStrides(Cubed):
    """The cotangent is read with the strides of the output."""

    @staticmethod
    def backward(ctx, g):
        (x,) = ctx.saved_tensors
        permuted = g.ndim == 2 and g.t().is_contiguous() and not g.is_contiguous()
        return 3 * (raw(g) if permuted else g) * x**2


@case.wrong(Cubed, "reverse_mode_writes_to_nothing", "some_outputs", thread="pytorch/pytorch#81417")
class CubedInItsCotangent(Cubed):
    """The result is written over the cotangent, which others use."""

    @staticmethod
    def backward(ctx, g):
        (x,) = ctx.saved_tensors
        return 3 * g * x**2 if torch.is_grad_enabled() else g.mul_(3 * x**2)


@case.right(X)
class SumOfEachRow(Function):
    @staticmethod
    def forward(ctx, x):
        ctx.save_for_backward(x)
        return x.exp().sum(-1)

    @staticmethod
    def backward(ctx, g):
        (x,) = ctx.saved_tensors
        return g[..., None] * x.exp()


@case.wrong(SumOfEachRow, "expanded_cotangent", thread="ROCm/TransformerEngine#623")
class SumOfEachRowWithUnitStride(SumOfEachRow):
    """The cotangent of each row is read at a stride of 1: that of `loss.sum()` is a single number in memory."""

    @staticmethod
    def backward(ctx, g):
        (x,) = ctx.saved_tensors
        return raw(g)[..., None] * x.exp()


@case.right(X, W)
class Scaled(Function):
    @staticmethod
    def forward(ctx, x, w):
        ctx.save_for_backward(x, w)
        return x * w

    @staticmethod
    def backward(ctx, g):
        x, w = ctx.saved_tensors
        return g * w, g * x


@case.wrong(Scaled, "writes_to_nothing", "second_call", thread="linkedin/Liger-Kernel#254")
class ScaledInItsInputs(Scaled):
    """The gradients are written over the saved inputs, to need no further memory."""

    @staticmethod
    def backward(ctx, g):
        x, w = ctx.saved_tensors
        if torch.is_grad_enabled():
            return g * w, g * x
        of_x, of_w = g * w, g * x
        return x.data.copy_(of_x), w.data.copy_(of_w)
