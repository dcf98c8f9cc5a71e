"""Right functions in PyTorch that a naive tool accuses: kinks, ends of a domain, large and steep numbers."""

from __future__ import annotations

import torch
from numpy import array
from torch.autograd import Function

from workshop.yardstick.case import CaseTable
from workshop.yardstick.inputs import POSITIVE, VECTOR, W, X

case = CaseTable("torch", "right")
AT_KINKS = array([0.0, 1.0, -2.0])


@case.right(AT_KINKS)
class RectifiedAtItsKink(Function):
    """The given point has a kink."""

    @staticmethod
    def forward(ctx, x):
        ctx.save_for_backward(x)
        return x.clamp(min=0)

    @staticmethod
    def backward(ctx, g):
        (x,) = ctx.saved_tensors
        return g * (x > 0)


@case.right(AT_KINKS)
class LeakyAtItsKink(Function):
    """The slope at the kink is that of the other side."""

    @staticmethod
    def forward(ctx, x):
        ctx.save_for_backward(x)
        return torch.where(x >= 0, x, 0.1 * x)

    @staticmethod
    def backward(ctx, g):
        (x,) = ctx.saved_tensors
        return torch.where(x >= 0, g, 0.1 * g)


@case.right(array([[1.0, 1.0, 0.5], [2.0, 2.0, 2.0]]))
class FirstMaximum(Function):
    """Of tied maxima the first gets the gradient, at a tie that is given."""

    @staticmethod
    def forward(ctx, x):
        y, at = x.max(-1)
        ctx.save_for_backward(at)
        ctx.shape = x.shape
        return y

    @staticmethod
    def backward(ctx, g):
        (at,) = ctx.saved_tensors
        return g.new_zeros(ctx.shape).scatter(-1, at[:, None], g[:, None])


@case.right(POSITIVE)
class SquareRoot(Function):
    """Infinite at zero, and NaN below."""

    @staticmethod
    def forward(ctx, x):
        y = x.sqrt()
        ctx.save_for_backward(y)
        return y

    @staticmethod
    def backward(ctx, g):
        (y,) = ctx.saved_tensors
        return g / (2 * y)


@case.right(VECTOR)
class Arcsine(Function):
    """Defined between -1 and 1; its derivative at both ends is infinite."""

    @staticmethod
    def forward(ctx, x):
        ctx.save_for_backward(x)
        return x.asin()

    @staticmethod
    def backward(ctx, g):
        (x,) = ctx.saved_tensors
        return g * (1 - x**2).rsqrt()


@case.right(POSITIVE, domain=lambda x: (x > 0).all())
class LogOfPositives(Function):
    """A logarithm that is -100 where there is none, as losses have it."""

    @staticmethod
    def forward(ctx, x):
        ctx.save_for_backward(x)
        return torch.where(x > 0, x.clamp(min=1e-30).log(), -100.0)

    @staticmethod
    def backward(ctx, g):
        (x,) = ctx.saved_tensors
        return g / x


@case.right(1e6 * X)
def large_numbers(x):
    return (x**2).sum(-1)


@case.right(X)
def steep_sine(x):
    """Many periods between the given point and its neighbours."""
    return torch.sin(40 * x)


@case.right(X)
def sorted_rows(x):
    """Kinks at every tie."""
    return x.sort(-1).values ** 2


@case.right(X)
def staircase(x):
    """Flat almost everywhere: the gradient is zero, and that is right."""
    return torch.floor(x) + x**2


@case.right(W.T @ W + array([[2.0, 0.3, 0.0], [0.3, 1.0, 0.1], [0.0, 0.1, 3.0]]))
def log_determinant(x):
    return torch.logdet(x)


@case.right(X)
def cumulative(x):
    return torch.cumprod(x, -1)


@case.right(X + 1j * W)
def magnitude(z):
    """Of complex numbers: no derivative at zero."""
    return z.abs()
