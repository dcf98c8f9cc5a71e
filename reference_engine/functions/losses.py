"""Loss functions (torch.nn.functional). `reduction` is mean, sum or none."""

# mypy: disable-error-code="no-any-return"

from __future__ import annotations

import math
from typing import Any

import numpy as np

from .. import primitives as o
from ..core.inplace import inplace
from ..core.modes import no_grad
from ..core.tensor import Tensor
from .pointwise import square
from .reductions import log_softmax, mean, sum


def _reduced(losses: Tensor, reduction: str) -> Tensor:
    return losses if reduction == "none" else sum(losses) if reduction == "sum" else mean(losses)


def mse_loss(input: Tensor, target: Tensor, reduction: str = "mean") -> Tensor:
    """Squared differences."""
    return _reduced(square(o.sub(input, target)), reduction)


def l1_loss(input: Tensor, target: Tensor, reduction: str = "mean") -> Tensor:
    """Absolute differences; gradient zero where there is none."""
    return _reduced(o.abs(o.sub(input, target)), reduction)


def huber_loss(input: Tensor, target: Tensor, reduction: str = "mean", delta: float = 1.0) -> Tensor:
    """Half of squared differences up to `delta`, from there on straight."""
    away = o.sub(input, target)
    straight = o.mul(o.sub(o.abs(away), delta / 2), delta)
    return _reduced(o.where(o.lt(o.abs(away), delta), o.mul(square(away), 0.5), straight), reduction)


def smooth_l1_loss(input: Tensor, target: Tensor, reduction: str = "mean", beta: float = 1.0) -> Tensor:
    """`huber_loss` divided by its bound."""
    return l1_loss(input, target, reduction) if beta == 0 else o.div(huber_loss(input, target, reduction, beta), beta)


def binary_cross_entropy(input: Tensor, target: Tensor, weight: Any = None, reduction: str = "mean") -> Tensor:
    """Cross entropy of a target in [0, 1] and the probability of 1; logarithms no less than -100."""
    # Bounded, so that a confident wrong prediction costs 100 rather than infinity, as in PyTorch.
    logs = (o.bounded_log(p) for p in (input, o.sub(1, input)))
    parts = [o.mul(part, log) for part, log in zip((target, o.sub(1, target)), logs, strict=True)]
    losses = o.neg(o.add(*parts))
    return _reduced(losses if weight is None else o.mul(losses, weight), reduction)


def gaussian_nll_loss(
    input: Tensor, target: Tensor, var: Tensor, full: bool = False, eps: float = 1e-6, reduction: str = "mean"
) -> Tensor:
    """Half of ``log(var) + (input - target)^2 / var``, the variance bounded by `eps` from below.

    The gradient of the variance passes by its bound. `full` adds half of log(2 pi).
    """
    # The value is the clamped variance, the gradient that of the variance.
    bounded = o.add(var, o.sub(o.clamp(var, min=eps, max=None), var).detach())
    losses = o.mul(o.add(o.log(bounded), o.div(square(o.sub(input, target)), bounded)), 0.5)
    return _reduced(o.add(losses, 0.5 * math.log(2 * math.pi)) if full else losses, reduction)


def nll_loss(
    input: Tensor, target: Tensor, weight: Any = None, ignore_index: int = -100, reduction: str = "mean"
) -> Tensor:
    """Minus the entry of each target's class; the mean is weighed by the classes' weights."""
    axis = 0 if input.ndim == 1 else 1
    classes, scale = _classes(input, target, weight, ignore_index, axis)
    picked = o.gather(input, index=np.expand_dims(classes, axis), dim=axis)
    return _weighed(o.neg(o.mul(o.squeeze(picked, dim=(axis,)), scale)), scale, reduction)


def _classes(input: Tensor, target: Tensor, weight: Any, ignore_index: int, axis: int) -> tuple[Any, Tensor]:
    """The classes of the targets, and what each target counts: nothing if it is to be ignored."""
    counted = target.array != ignore_index
    # Any valid class does for ignored targets, since their scale is zero.
    classes = np.where(counted, target.array, 0)
    if classes.size and not (classes.min() >= 0 and classes.max() < input.shape[axis]):
        raise IndexError(f"Target {classes.max()} is out of bounds for {input.shape[axis]} classes")
    scale = Tensor.of(counted.astype(input.array.dtype))
    return classes, scale if weight is None else o.mul(scale, o.index(weight, index=(classes,)))


def _weighed(losses: Tensor, scale: Tensor, reduction: str) -> Tensor:
    # The mean is weighted: ignored and weighted targets count by their scale.
    return o.div(sum(losses), sum(scale)) if reduction == "mean" else _reduced(losses, reduction)


def cross_entropy(
    input: Tensor,
    target: Tensor,
    weight: Any = None,
    ignore_index: int = -100,
    reduction: str = "mean",
    label_smoothing: float = 0.0,
) -> Tensor:
    """`nll_loss` of log_softmax; of targets that are probabilities, their mean surprise.

    `label_smoothing` is the part of each target that is shared by all classes.
    """
    axis = 0 if input.ndim == 1 else 1
    logs, share = log_softmax(input, axis), label_smoothing / max(input.shape[axis], 1)
    along = logs if weight is None else o.mul(logs, o.reshape(weight, shape=(-1, *(1,) * (input.ndim - 1 - axis))))
    # Floating targets are probabilities of classes, integers are their numbers.
    if target.dtype.differentiable:
        smooth = o.add(o.mul(target, 1 - label_smoothing), share) if label_smoothing else target
        losses = o.neg(sum(o.mul(smooth, along), axis))
        return _reduced(losses, reduction)
    sharp = nll_loss(logs, target, weight, ignore_index, reduction)
    if not label_smoothing:
        return sharp
    # Smoothing spreads a share over all classes, weighted as classes are, but divided as the sharp loss is.
    _, scale = _classes(input, target, weight, ignore_index, axis)
    counted = Tensor.of((target.array != ignore_index).astype(input.array.dtype))
    shared = _weighed(o.neg(o.mul(sum(along, axis), counted)), scale, reduction)
    return o.add(o.mul(sharp, 1 - label_smoothing), o.mul(shared, share))


def embedding(
    input: Tensor,
    weight: Tensor,
    padding_idx: int | None = None,
    max_norm: float | None = None,
    *,
    scale_grad_by_freq: bool = False,
) -> Tensor:
    """Rows of a table, named by an integer tensor.

    The row `padding_idx` gets no gradient. With `scale_grad_by_freq` a row named n times gets its n-th part. Rows that
    are longer than `max_norm` are scaled to it first, in the table itself.
    """
    if max_norm is not None:
        _shorten(weight, input.array, max_norm)
    rows = weight[input]
    # A factor per row named, applied to the gradient only.
    part = np.ones(input.array.shape)
    if scale_grad_by_freq:
        part = part / np.bincount(input.array.ravel(), minlength=weight.shape[0])[input.array]
    if padding_idx is not None:
        part = np.where(input.array == padding_idx % weight.shape[0], 0.0, part)
    return rows if np.all(part == 1) else o.share_gradient(rows, share=part[..., None].astype(weight.array.dtype))


def _shorten(weight: Tensor, named: Any, limit: float) -> None:
    """Scale, in place, those rows of a table that are named and longer than the limit."""
    # Not recorded: PyTorch changes the table itself, in place, before rows are looked up.
    lengths = np.linalg.norm(weight.array, axis=1)
    scales = np.where(np.isin(np.arange(len(lengths)), named), limit / np.maximum(lengths, limit), 1.0)
    with no_grad():
        inplace(weight, o.mul, weight, Tensor(scales[:, None].astype(weight.array.dtype)))


def hinge_embedding_loss(input: Tensor, target: Tensor, margin: float = 1.0, reduction: str = "mean") -> Tensor:
    """A distance where the target is 1, and what it lacks of the margin where that is -1."""
    return _reduced(o.where(o.eq(target, 1), input, o.relu(o.sub(margin, input))), reduction)


def margin_ranking_loss(
    input1: Tensor, input2: Tensor, target: Tensor, margin: float = 0.0, reduction: str = "mean"
) -> Tensor:
    """max(0, margin - target * (first - second)): zero where they differ by the margin, in the target's direction."""
    return _reduced(o.relu(o.sub(margin, o.mul(target, o.sub(input1, input2)))), reduction)
