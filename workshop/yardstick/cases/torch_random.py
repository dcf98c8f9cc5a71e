"""Random numbers in custom Functions in PyTorch."""

from __future__ import annotations

import torch
from torch.autograd import Function

from workshop.yardstick.case import CaseTable
from workshop.yardstick.inputs import W

case = CaseTable("torch", "random numbers")


@case.right(W)
class Dropped(Function):
    """Keeps the mask for backward."""

    @staticmethod
    def forward(ctx, x):
        mask = torch.rand_like(x) > 0.4
        ctx.save_for_backward(mask)
        return x * mask

    @staticmethod
    def backward(ctx, g):
        (mask,) = ctx.saved_tensors
        return g * mask


@case.wrong(Dropped, "reverse_mode_gives", "pullback_is_linear", "second_call", thread="allenai/OLMo-core#828")
class DroppedAfresh(Dropped):
    """Backward draws the mask again, and gets another."""

    @staticmethod
    def backward(ctx, g):
        return g * (torch.rand_like(g) > 0.4)


@case.right(W)
class DroppedBySeed(Function):
    """Keeps the seed, and draws the mask again in backward."""

    @staticmethod
    def forward(ctx, x):
        ctx.seed = int(torch.randint(2**31, ()))
        return x * mask_of(ctx.seed, x)

    @staticmethod
    def backward(ctx, g):
        return g * mask_of(ctx.seed, g)


def mask_of(seed, x):
    generator = torch.Generator().manual_seed(seed)
    return (torch.rand(x.shape, generator=generator, dtype=torch.float64) > 0.4).to(x.dtype)


@case.wrong(DroppedBySeed, "reverse_mode_gives", thread="facebookresearch/xformers#173")
class DroppedByAnotherSeed(DroppedBySeed):
    """The seed in backward is that of another place in memory."""

    @staticmethod
    def backward(ctx, g):
        return g * mask_of(ctx.seed + 1, g)


@case.wrong(Dropped, "reverse_mode_gives", thread="ooples/AiDotNet.Tensors#732")
class DroppedInBackwardOnly(Dropped):
    """Forward scales what is kept, backward does not."""

    @staticmethod
    def forward(ctx, x):
        return Dropped.forward(ctx, x) / 0.6
