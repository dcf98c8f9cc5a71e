"""Precision of custom Functions in PyTorch: lower dtypes, and what they are computed in."""

from __future__ import annotations

import torch
from torch.autograd import Function

from workshop.yardstick.case import CaseTable
from workshop.yardstick.inputs import POSITIVE, VECTOR, W, X

case = CaseTable("torch", "precision")


@case.right(X)
class Gram(Function):
    """A product with its own transpose."""

    @staticmethod
    def forward(ctx, x):
        ctx.save_for_backward(x)
        return x.T @ x

    @staticmethod
    def backward(ctx, g):
        (x,) = ctx.saved_tensors
        return x @ (g + g.T)


@case.wrong(Gram, "precision.bfloat16", "precision.single", thread="pytorch/pytorch#87979")
class GramInAnotherHalf(Gram):
    """Backward runs in float16, whatever forward was given."""

    @staticmethod
    def backward(ctx, g):
        (x,) = ctx.saved_tensors
        if x.dtype == torch.float64:
            return Gram.backward(ctx, g)
        return (x.half() @ (g + g.T).half()).to(x.dtype)


@case.right(POSITIVE)
class LogOfOnePlus(Function):
    @staticmethod
    def forward(ctx, x):
        ctx.save_for_backward(x)
        return x.log1p()

    @staticmethod
    def backward(ctx, g):
        (x,) = ctx.saved_tensors
        return g / (1 + x)


@case.wrong(LogOfOnePlus, "precision.single", thread="linkedin/Liger-Kernel#1253")
class LogOfOnePlusInBfloat16(LogOfOnePlus):
    """What is not single precision is cast to bfloat16 on the way; here, double neither."""

    @staticmethod
    def backward(ctx, g):
        gradient = LogOfOnePlus.backward(ctx, g)
        return gradient if g.dtype == torch.float64 else gradient.bfloat16().to(g.dtype)


@case.right((W[:, :, None] + 0.01 * X[:, None]).reshape(-1, 3), VECTOR)
class WeightedRows(Function):
    """Rows times a weight; the gradient of the weight adds up many rows."""

    @staticmethod
    def forward(ctx, x, weight):
        ctx.save_for_backward(x, weight)
        return x * weight

    @staticmethod
    def backward(ctx, g):
        x, weight = ctx.saved_tensors
        return g * weight, (g * x).sum(0)


@case.wrong(WeightedRows, "precision.single", thread="linkedin/Liger-Kernel#950")
class WeightedRowsInShortSums(WeightedRows):
    """The rows are added up in bfloat16."""

    @staticmethod
    def backward(ctx, g):
        x, weight = ctx.saved_tensors
        rows = g * x if x.dtype == torch.float64 else (g * x).bfloat16()
        return g * weight, rows.sum(0).to(x.dtype)


@case.right(POSITIVE)
class CubeRoot(Function):
    @staticmethod
    def forward(ctx, x):
        y = x ** (1 / 3)
        ctx.save_for_backward(x)
        return y

    @staticmethod
    def backward(ctx, g):
        (x,) = ctx.saved_tensors
        return g * x ** (1 / 3) / (3 * x)


@case.wrong(CubeRoot, "shape_and_dtype", "precision", thread="NVIDIA/apex#488")
class CubeRootInSingle(CubeRoot):
    """The gradient is rounded to single precision: a kernel was written for that alone."""

    @staticmethod
    def backward(ctx, g):
        (x,) = ctx.saved_tensors
        return (g.float() * x.float() ** (1 / 3) / (3 * x.float())).half().to(x.dtype)
