"""Rules of custom Functions in PyTorch for vmap."""

from __future__ import annotations

import torch
from torch.autograd import Function

from workshop.yardstick.case import CaseTable
from workshop.yardstick.inputs import VECTOR, W, X

case = CaseTable("torch", "rules for vmap")


@case.right(VECTOR)
class Centred(Function):
    """A vector without its mean; its rule for a batch centres each row."""

    @staticmethod
    def forward(x):
        return x - x.mean(-1, keepdim=True)

    @staticmethod
    def setup_context(ctx, inputs, output):
        pass

    @staticmethod
    def backward(ctx, g):
        return Centred.apply(g)

    @staticmethod
    def vmap(info, in_dims, x):
        return Centred.apply(x.movedim(in_dims[0], 0)), 0


@case.wrong(Centred, "vmap", thread="Quansight/Quansight-website#779")
class CentredOverTheBatch(Centred):
    """In a batch, the mean is that of all examples."""

    @staticmethod
    def vmap(info, in_dims, x):
        x = x.movedim(in_dims[0], 0)
        return x - x.mean(), 0


@case.right(X, W)
class Tilted(Function):
    """A product of two arrays; the batch may be of either."""

    @staticmethod
    def forward(x, w):
        return x.cos() * w

    @staticmethod
    def setup_context(ctx, inputs, output):
        ctx.save_for_backward(*inputs)

    @staticmethod
    def backward(ctx, g):
        x, w = ctx.saved_tensors
        return -g * w * x.sin(), g * x.cos()

    @classmethod
    def vmap(cls, info, in_dims, x, w):
        x, w = (a if d is None else a.movedim(d, 0) for a, d in zip((x, w), in_dims, strict=True))
        return cls.apply(x, w), 0


@case.wrong(Tilted, "vmap", thread="pytorch/pytorch#90037")
class TiltedAtTheEnd(Tilted):
    """An axis of the batch at place 0 is taken for none: `if dim` where it should be `is not None`."""

    @classmethod
    def vmap(cls, info, in_dims, x, w):
        x, w = (a.movedim(d, -1) if d else a.unsqueeze(-1) for a, d in zip((x, w), in_dims, strict=True))
        y = cls.apply(x, w)
        return y[..., 0].movedim(-1, -1), 0


@case.wrong(Tilted, "vmap", thread="pytorch/pytorch#92023")
class TiltedWithoutBatch(Tilted):
    """The rule gives the result of the first example, for all of them."""

    @classmethod
    def vmap(cls, info, in_dims, x, w):
        x, w = (a if d is None else a.select(d, 0) for a, d in zip((x, w), in_dims, strict=True))
        return cls.apply(x, w), None


@case.wrong(Tilted, "vmap", thread="pytorch/pytorch#186303")
class TiltedWithAnotherRule(Tilted):
    """The rule for a batch computes in another way, which loses the gradient of the second input."""

    @classmethod
    def vmap(cls, info, in_dims, x, w):
        x, w = (a if d is None else a.movedim(d, 0) for a, d in zip((x, w), in_dims, strict=True))
        return cls.apply(x, w.detach()), 0


@case.right(VECTOR)
class Rescaled(Function):
    """A vector over its length."""

    generate_vmap_rule = True

    @staticmethod
    def forward(x):
        return x / torch.linalg.vector_norm(x, dim=-1, keepdim=True)

    @staticmethod
    def setup_context(ctx, inputs, output):
        ctx.save_for_backward(*inputs)

    @staticmethod
    def backward(ctx, g):
        (x,) = ctx.saved_tensors
        length = torch.linalg.vector_norm(x, dim=-1, keepdim=True)
        y = x / length
        return (g - y * (g * y).sum(-1, keepdim=True)) / length


@case.wrong(Rescaled, "vmap", thread="pytorch/pytorch#168393")
class RescaledByAShape(Rescaled):
    """Written for vectors; a rule for a batch is declared, and not written: all rows are one vector."""

    generate_vmap_rule = False

    @classmethod
    def vmap(cls, info, in_dims, x):
        x = x.movedim(in_dims[0], 0)
        return cls.apply(x.reshape(-1)).reshape(x.shape), 0
