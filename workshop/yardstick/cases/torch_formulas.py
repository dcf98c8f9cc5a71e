"""Formulas of custom Functions in PyTorch."""

from __future__ import annotations

import torch
from numpy import array
from torch.autograd import Function

from workshop.yardstick.case import CaseTable
from workshop.yardstick.inputs import POSITIVE, VECTOR, W, X

case = CaseTable("torch", "formula at ordinary points")


@case.right(X, W[:, :1])
class Huber(Function):
    """A loss: half a square near the target, and linear beyond."""

    @staticmethod
    def forward(ctx, x, target):
        ctx.save_for_backward(x, target)
        far = (x - target).abs()
        return torch.where(far < 1, 0.5 * far**2, far - 0.5).sum()

    @staticmethod
    def backward(ctx, g):
        x, target = ctx.saved_tensors
        slope = (x - target).clamp(-1, 1)
        return g * slope, -(g * slope).sum(-1, keepdim=True)


@case.wrong(Huber, "reverse_mode_gives", "pullback_is_linear", "zero_cotangent", thread="chainer/chainer#1175")
class HuberWithoutItsCotangent(Huber):
    """A loss is believed to be the last step: its cotangent is ignored."""

    @staticmethod
    def backward(ctx, g):
        x, target = ctx.saved_tensors
        slope = (x - target).clamp(-1, 1)
        return slope, -slope.sum(-1, keepdim=True)


@case.right(array(0.7), X)
class LossWithPenalty(Function):
    """A loss is passed on, and large logits are penalised on the way back."""

    @staticmethod
    def forward(ctx, loss, logits):
        ctx.save_for_backward(logits)
        return loss + 0.005 * (logits.amax(-1) ** 2).sum()

    @staticmethod
    def backward(ctx, g):
        (logits,) = ctx.saved_tensors
        largest, at = logits.max(-1, keepdim=True)
        return g, g * torch.zeros_like(logits).scatter(-1, at, 0.01 * largest)


@case.wrong(LossWithPenalty, "reverse_mode_gives", "pullback_is_linear", thread="fla-org/flash-linear-attention#963")
class LossWithUnscaledPenalty(LossWithPenalty):
    """The penalty's part is not multiplied by the cotangent."""

    @staticmethod
    def backward(ctx, g):
        return g, LossWithPenalty.backward(ctx, torch.ones_like(g))[1]


@case.right(X, VECTOR)
class BiasAdded(Function):
    @staticmethod
    def forward(ctx, x, bias):
        y = torch.tanh(x + bias)
        ctx.save_for_backward(y)
        return y

    @staticmethod
    def backward(ctx, g):
        (y,) = ctx.saved_tensors
        slope = g * (1 - y**2)
        return slope, slope.sum(0)


@case.wrong(BiasAdded, "reverse_mode_gives", thread="jimfleming/differentiation#1")
class BiasAddedByItsMean(BiasAdded):
    """The rows are averaged, which is right for a single row."""

    @staticmethod
    def backward(ctx, g):
        slope, total = BiasAdded.backward(ctx, g)
        return slope, total / len(slope)


@case.right(X, W, options={"scale": 0.5, "causal": True})
class Attended(Function):
    """Scores of queries and keys, whose future is hidden."""

    @staticmethod
    def forward(ctx, q, k, scale=1.0, causal=False):
        scores = scale * q @ k.T
        weights = scores.masked_fill(hidden(scores, causal), -torch.inf).softmax(-1)
        ctx.save_for_backward(q, k, weights)
        ctx.scale, ctx.causal = scale, causal
        return weights

    @staticmethod
    def backward(ctx, g):
        q, k, weights = ctx.saved_tensors
        slope = weights * (g - (g * weights).sum(-1, keepdim=True))
        return ctx.scale * slope @ k, ctx.scale * slope.T @ q, None, None


def hidden(scores, causal):
    return torch.ones_like(scores).triu(1).bool() if causal else torch.zeros_like(scores).bool()


@case.wrong(Attended, "reverse_mode_gives", thread="Dao-AILab/flash-attention#2424")
class AttendedWithMaskInForwardOnly(Attended):
    """Backward computes the weights again, and forgets the mask."""

    @staticmethod
    def backward(ctx, g):
        q, k, _ = ctx.saved_tensors
        weights = (ctx.scale * q @ k.T).softmax(-1)
        slope = weights * (g - (g * weights).sum(-1, keepdim=True))
        return ctx.scale * slope @ k, ctx.scale * slope.T @ q, None, None


@case.right(X, VECTOR)
class RootMeanSquared(Function):
    """Rows divided by their root mean square, times a weight."""

    @staticmethod
    def forward(ctx, x, weight):
        ctx.save_for_backward(x, weight)
        return x * weight * (x.square().mean(-1, keepdim=True) + 0.01).rsqrt()

    @staticmethod
    def backward(ctx, g):
        x, weight = ctx.saved_tensors
        scale = (x.square().mean(-1, keepdim=True) + 0.01).rsqrt()
        of_y = g * weight
        return scale * of_y - scale**3 * x * (of_y * x).mean(-1, keepdim=True), (g * x * scale).sum(0)


@case.wrong(RootMeanSquared, "reverse_mode_gives", thread="karpathy/llm.c#763")
class RootMeanSquaredWithoutWeight(RootMeanSquared):
    """The weight is left out of the gradient of the rows."""

    @staticmethod
    def backward(ctx, g):
        x, _ = ctx.saved_tensors
        scale = (x.square().mean(-1, keepdim=True) + 0.01).rsqrt()
        return scale * g - scale**3 * x * (g * x).mean(-1, keepdim=True), (g * x * scale).sum(0)


@case.right(X, array([1, 0, 1]))
class TakenColumns(Function):
    """Columns by their numbers, of which some are there twice."""

    @staticmethod
    def forward(ctx, x, numbers):
        ctx.save_for_backward(numbers)
        ctx.shape = x.shape
        return x[:, numbers] ** 1

    @staticmethod
    def backward(ctx, g):
        (numbers,) = ctx.saved_tensors
        return g.new_zeros(ctx.shape).index_add(1, numbers, g), None


@case.wrong(TakenColumns, "reverse_mode_gives", thread="pytorch/pytorch#1528")
class TakenColumnsOnce(TakenColumns):
    """The gradients of a column that is taken twice are assigned, and not added up."""

    @staticmethod
    def backward(ctx, g):
        (numbers,) = ctx.saved_tensors
        return g.new_zeros(ctx.shape).index_copy(1, numbers, g), None


@case.right(X)
class Normalised(Function):
    """Rows of mean 0 and variance 1."""

    TIMES = 1.0

    @staticmethod
    def forward(ctx, x):
        ctx.save_for_backward(x)
        return (x - x.mean(-1, keepdim=True)) * (x.var(-1, unbiased=False, keepdim=True) + 1e-2).rsqrt()

    @classmethod
    def backward(cls, ctx, g):
        (x,) = ctx.saved_tensors
        scale = (x.var(-1, unbiased=False, keepdim=True) + 1e-2).rsqrt()
        y = (x - x.mean(-1, keepdim=True)) * scale
        return scale * (g - cls.TIMES * g.mean(-1, keepdim=True) - y * (g * y).mean(-1, keepdim=True))


@case.wrong(Normalised, "reverse_mode_gives", thread="tenstorrent/tt-metal#53204")
class NormalisedTwice(Normalised):
    """The mean of the cotangent is subtracted twice: an accumulator was not cleared."""

    TIMES = 2.0


@case.right(X + 1j * W)
class Conjugated(Function):
    """A product with a complex constant."""

    @staticmethod
    def forward(ctx, z):
        return z * (0.6 + 0.8j)

    @staticmethod
    def backward(ctx, g):
        return g * (0.6 - 0.8j)


@case.wrong(Conjugated, "reverse_mode_gives", thread="FluxML/Zygote.jl#151")
class NotConjugated(Conjugated):
    """The derivative is not conjugated, as that of a real function."""

    @staticmethod
    def backward(ctx, g):
        return g * (0.6 + 0.8j)


@case.right(POSITIVE)
class Softplus(Function):
    generate_vmap_rule = True

    @staticmethod
    def forward(x):
        return torch.nn.functional.softplus(x)

    @staticmethod
    def setup_context(ctx, inputs, output):
        ctx.save_for_backward(*inputs)
        ctx.save_for_forward(*inputs)

    @staticmethod
    def backward(ctx, g):
        (x,) = ctx.saved_tensors
        return g * x.sigmoid()

    @staticmethod
    def jvp(ctx, t):
        (x,) = ctx.saved_tensors
        return t * x.sigmoid()


@case.wrong(Softplus, "forward_mode_gives", "modes_agree", thread="pytorch/functorch#207")
class SoftplusWithoutTangent(Softplus):
    """Forward mode gives the derivative, and not its product with the tangent."""

    @staticmethod
    def jvp(ctx, t):
        (x,) = ctx.saved_tensors
        return x.sigmoid()


@case.right(X[:1].repeat(5, 0))
class OfEachRow(Function):
    """A kernel that works through blocks of two rows."""

    @staticmethod
    def forward(ctx, x):
        ctx.save_for_backward(x)
        return x.exp() * x.sum(-1, keepdim=True)

    @staticmethod
    def backward(ctx, g):
        (x,) = ctx.saved_tensors
        return g * x.exp() * x.sum(-1, keepdim=True) + (g * x.exp()).sum(-1, keepdim=True)


@case.wrong(OfEachRow, "reverse_mode_gives", thread="NVIDIA/TransformerEngine#3216")
class OfWholeBlocks(OfEachRow):
    """The rows after the last whole block get no gradient."""

    @staticmethod
    def backward(ctx, g):
        gradient = OfEachRow.backward(ctx, g)
        whole = (torch.arange(len(g)) < len(g) // 2 * 2).to(g.dtype)
        return gradient * whole[:, None]
