"""State that custom Functions in PyTorch keep between calls, and what they write to."""

from __future__ import annotations

import torch
from torch.autograd import Function

from workshop.yardstick.case import CaseTable
from workshop.yardstick.inputs import POSITIVE, VECTOR, W, X

case = CaseTable("torch", "state and writes")


@case.right(X)
class Halves(Function):
    """Only numbers above zero, halved."""

    @staticmethod
    def forward(ctx, x):
        ctx.save_for_backward(x)
        return 0.5 * x.clamp(min=0) ** 2

    @staticmethod
    def backward(ctx, g):
        (x,) = ctx.saved_tensors
        return g * x.clamp(min=0)


@case.wrong(Halves, "a_call_before", "second_call", thread="pytorch/pytorch#16947")
class HalvesOnTheClass(Halves):
    """What backward needs is kept on the class: it is that of the last call."""

    @classmethod
    def forward(cls, ctx, x):
        cls.kept = x.detach().clamp(min=0)
        return Halves.forward(ctx, x)

    @classmethod
    def backward(cls, ctx, g):
        return g * (cls.kept if not torch.is_grad_enabled() else ctx.saved_tensors[0].clamp(min=0))


BUFFERS: dict[tuple[torch.Size, torch.dtype], torch.Tensor] = {}


@case.wrong(Halves, "a_gradient_is_kept", thread="pytorch/pytorch#181723")
class HalvesInABuffer(Halves):
    """The gradient is returned in a buffer that the next backward pass overwrites."""

    @staticmethod
    def backward(ctx, g):
        gradient = Halves.backward(ctx, g)
        if torch.is_grad_enabled():
            return gradient
        return BUFFERS.setdefault((g.shape, g.dtype), torch.empty_like(g)).copy_(gradient)


@case.right(VECTOR)
class LogOfSum(Function):
    @staticmethod
    def forward(ctx, x):
        ctx.save_for_backward(x)
        return x.exp().sum().log()

    @staticmethod
    def backward(ctx, g):
        (x,) = ctx.saved_tensors
        return g * x.softmax(0)


@case.wrong(LogOfSum, "second_call", thread="pytorch/pytorch#18619")
class LogOfSumFreed(LogOfSum):
    """Backward frees what it has used, for the memory: a second pass has zeros."""

    @staticmethod
    def forward(ctx, x):
        ctx.weights = x.softmax(0)
        ctx.save_for_backward(x)
        return x.exp().sum().log()

    @staticmethod
    def backward(ctx, g):
        if torch.is_grad_enabled():
            return LogOfSum.backward(ctx, g)
        weights, ctx.weights = ctx.weights, 0 * ctx.weights
        return g * weights


@case.wrong(LogOfSum, "second_call", "pullback_is_linear", thread="Dao-AILab/flash-attention#1149")
class LogOfSumOverSaved(LogOfSum):
    """The gradient is written over the weights that were kept."""

    @staticmethod
    def forward(ctx, x):
        ctx.weights = x.softmax(0)
        ctx.save_for_backward(x)
        return x.exp().sum().log()

    @staticmethod
    def backward(ctx, g):
        return LogOfSum.backward(ctx, g) if torch.is_grad_enabled() else ctx.weights.mul_(g)


@case.right(POSITIVE, inplace=True)
class DoubledInPlace(Function):
    """Writes to its argument, as it declares."""

    @staticmethod
    def forward(ctx, x):
        ctx.mark_dirty(x)
        return x.mul_(2)

    @staticmethod
    def backward(ctx, g):
        return 2 * g


@case.right(POSITIVE)
class Doubled(Function):
    @staticmethod
    def forward(ctx, x):
        return 2 * x

    @staticmethod
    def backward(ctx, g):
        return 2 * g


@case.wrong(Doubled, "writes_to_nothing", "second_call", thread="pytorch/pytorch#30454")
class DoubledSecretly(Doubled):
    """Its argument is written to without a word."""

    @staticmethod
    def forward(ctx, x):
        return x.data.mul_(2).clone()


@case.right(X, W)
class AddedTo(Function):
    @staticmethod
    def forward(ctx, x, w):
        ctx.save_for_backward(x, w)
        return x.sin() + w * x

    @staticmethod
    def backward(ctx, g):
        x, w = ctx.saved_tensors
        return g * x.cos() + g * w, g * x


@case.wrong(AddedTo, "writes_to_nothing", "one_array_in_two", thread="pytorch/pytorch#172956")
class AddedToTheCotangent(AddedTo):
    """Both gradients are built in the memory of the cotangent, one after the other."""

    @staticmethod
    def backward(ctx, g):
        x, w = ctx.saved_tensors
        if torch.is_grad_enabled():
            return AddedTo.backward(ctx, g)
        of_w = g * x
        return g.mul_(x.cos() + w), of_w


@case.wrong(AddedTo, "reverse_mode_gives", "some_outputs", "writes_to_nothing", thread="pytorch/pytorch#24413")
class AddedToASavedView(AddedTo):
    """The second term is added in place to memory that a saved tensor shares: nothing notices."""

    @staticmethod
    def forward(ctx, x, w):
        y = x.sin()
        ctx.save_for_backward(x, w)
        ctx.sine = y.view(-1)
        return y.add_(w * x)

    @staticmethod
    def backward(ctx, g):
        x, w = ctx.saved_tensors
        cosine = (1 - ctx.sine.view(x.shape) ** 2).clamp(min=0).sqrt()
        return g * cosine + g * w, g * x
