"""Special points of custom Functions in PyTorch: zeros, ties, saturated and large numbers."""

from __future__ import annotations

import torch
from torch.autograd import Function

from workshop.yardstick.case import CaseTable
from workshop.yardstick.inputs import POSITIVE, VECTOR, W, X

case = CaseTable("torch", "special points")


@case.right(VECTOR)
class Length(Function):
    @staticmethod
    def forward(ctx, x):
        y = torch.linalg.vector_norm(x)
        ctx.save_for_backward(x, y)
        return y

    @staticmethod
    def backward(ctx, g):
        x, y = ctx.saved_tensors
        return torch.where(y > 0, g * x / torch.where(y > 0, y, 1.0), 0.0)


@case.wrong(Length, "kink", thread="HIPS/autograd#151")
class LengthOfNothing(Length):
    """The gradient at zero is 0 / 0."""

    @staticmethod
    def backward(ctx, g):
        x, y = ctx.saved_tensors
        return g * x / y


@case.right(VECTOR)
class SoftplusByExp(Function):
    """Stable for large numbers, in both passes."""

    @staticmethod
    def forward(ctx, x):
        ctx.save_for_backward(x)
        return x.clamp(min=0) + torch.log1p(torch.exp(-x.abs()))

    @staticmethod
    def backward(ctx, g):
        (x,) = ctx.saved_tensors
        return g * torch.sigmoid(x)


@case.wrong(SoftplusByExp, "reverse_mode_gives", "overflows", "precision", thread="tenstorrent/tt-metal#56397")
class SoftplusThatOverflows(SoftplusByExp):
    """Backward divides infinity by infinity where the output is large."""

    @staticmethod
    def backward(ctx, g):
        (x,) = ctx.saved_tensors
        return g * torch.exp(x) / (1 + torch.exp(x))


@case.right(VECTOR)
class Sinc(Function):
    @staticmethod
    def forward(ctx, x):
        ctx.save_for_backward(x)
        return torch.where(x == 0, 1.0, x.sin() / torch.where(x == 0, 1.0, x))

    @staticmethod
    def backward(ctx, g):
        (x,) = ctx.saved_tensors
        safe = torch.where(x.abs() < 1e-4, 1.0, x)
        return g * torch.where(x.abs() < 1e-4, -x / 3, safe.cos() / safe - safe.sin() / safe**2)


@case.wrong(Sinc, "reverse_mode_gives", thread="pytorch/pytorch#53989")
class SincOfNothing(Sinc):
    """The gradient at zero is NaN: the hole is mended in forward only."""

    @staticmethod
    def backward(ctx, g):
        (x,) = ctx.saved_tensors
        return g * (x.cos() / x - x.sin() / x**2)


@case.right(X, W)
class LargerOf(Function):
    @staticmethod
    def forward(ctx, x, w):
        ctx.save_for_backward(x, w)
        return torch.maximum(x, w)

    @staticmethod
    def backward(ctx, g):
        x, w = ctx.saved_tensors
        share = (x > w) + 0.5 * (x == w)
        return g * share, g * (1 - share)


@case.wrong(LargerOf, "kink", "one_array_in_two", thread="microsoft/onnxruntime#7217")
class LargerOfBoth(LargerOf):
    """Of a tie, both arguments get the whole gradient."""

    @staticmethod
    def backward(ctx, g):
        x, w = ctx.saved_tensors
        return g * (x >= w), g * (w >= x)


@case.right(POSITIVE)
class Entropy(Function):
    """-x log x, which is 0 at 0; there the derivative is infinite."""

    @staticmethod
    def forward(ctx, x):
        ctx.save_for_backward(x)
        return -torch.special.xlogy(x, x)

    @staticmethod
    def backward(ctx, g):
        (x,) = ctx.saved_tensors
        return -g * (1 + x.log())


@case.right(VECTOR)
class SquaredLength(Function):
    @staticmethod
    def forward(ctx, x):
        ctx.save_for_backward(x)
        return (x * x).sum()

    @staticmethod
    def backward(ctx, g):
        (x,) = ctx.saved_tensors
        return 2 * g * x


@case.wrong(SquaredLength, "reverse_mode_gives", "zero_cotangent", thread="jax-ml/jax#4177")
class SquaredLengthByLength(SquaredLength):
    """The chain rule through the length, which has no derivative at zero, where the square has."""

    @staticmethod
    def backward(ctx, g):
        (x,) = ctx.saved_tensors
        length = torch.linalg.vector_norm(x)
        return 2 * g * length * (x / length)


@case.right(VECTOR)
class Surrogate(Function):
    """A steep sigmoid."""

    @staticmethod
    def forward(ctx, x):
        ctx.save_for_backward(x)
        return torch.sigmoid(25 * x)

    @staticmethod
    def backward(ctx, g):
        (x,) = ctx.saved_tensors
        y = torch.sigmoid(25 * x)
        return 25 * g * y * (1 - y)


@case.wrong(Surrogate, "reverse_mode_gives", "zero_cotangent", thread="jeshraghian/snntorch#427")
class SurrogateThatOverflows(Surrogate):
    """The derivative as a quotient of exponentials: infinity by infinity far below zero."""

    @staticmethod
    def backward(ctx, g):
        (x,) = ctx.saved_tensors
        power = torch.exp(-25 * x)
        return 25 * g * power / (1 + power) ** 2


@case.right(VECTOR)
class HardTanh(Function):
    @staticmethod
    def forward(ctx, x):
        ctx.save_for_backward(x)
        return x.clamp(-1, 1)

    @staticmethod
    def backward(ctx, g):
        (x,) = ctx.saved_tensors
        return g * (x.abs() < 1)


@case.wrong(HardTanh, "reverse_mode_gives", thread="es-ude/elastic-ai.creator#264")
class HardTanhWithoutClipping(HardTanh):
    """The gradient of numbers beyond the range is not cut."""

    @staticmethod
    def backward(ctx, g):
        return g.clone()


@case.right(VECTOR)
class SmoothedSinc(Sinc):
    """Its series near zero can be differentiated again."""

    @staticmethod
    def backward(ctx, g):
        (x,) = ctx.saved_tensors
        safe = torch.where(x.abs() < 1e-2, 1.0, x)
        series = -x / 3 + x**3 / 30 - x**5 / 840
        return g * torch.where(x.abs() < 1e-2, series, safe.cos() / safe - safe.sin() / safe**2)


@case.wrong(SmoothedSinc, "reverse_over_reverse", thread="pytorch/pytorch#187803")
class SincOfConstantZero(Sinc):
    """At zero the gradient is the number 0, whose derivative is not that of the gradient."""

    @staticmethod
    def backward(ctx, g):
        (x,) = ctx.saved_tensors
        safe = torch.where(x == 0, 1.0, x)
        return g * torch.where(x == 0, 0.0, safe.cos() / safe - safe.sin() / safe**2)
