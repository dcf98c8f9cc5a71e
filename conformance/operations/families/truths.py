"""True values of functions of vectors, in mpmath's numbers: arrays are NumPy's, of objects.

Each takes mpmath, the arrays and the options of its row.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import lru_cache
from typing import Any

import numpy

INFINITY = float("inf")
Truth = Callable[..., Any]


def _each(name: str) -> Callable[[Any, Any], Any]:
    """A function of mpmath of each element."""
    # Differences move a single element at a time.
    known = lru_cache(maxsize=1024)(lambda mp, x, digits: getattr(mp, name)(x))
    return lambda mp, x: numpy.frompyfunc(lambda x: known(mp, x, mp.mp.dps), 1, 1)(x)


exp, log, sqrt = map(_each, ("exp", "log", "sqrt"))


def reversed_along(truth: Truth) -> Truth:
    """The same from the end."""

    def value(mp: Any, x: Any, axis: int = 0) -> Any:
        return numpy.flip(truth(mp, numpy.flip(x, axis), axis=axis), axis)

    return value


def reduced(losses: Any, reduction: str = "mean", weights: Any = None) -> Any:
    """The losses of elements or rows, or their sum or mean."""
    if reduction == "none":
        return losses
    return losses.sum() / (1 if reduction == "sum" else losses.size if weights is None else weights.sum())


# Sums of exponentials.


def logsumexp(mp: Any, x: Any, axis: Any = None, keepdims: bool = False) -> Any:
    return log(mp, numpy.sum(exp(mp, x), axis=axis, keepdims=keepdims))


def logmeanexp(mp: Any, x: Any, axis: Any = None, keepdims: bool = False) -> Any:
    return log(
        mp, numpy.sum(exp(mp, x), axis=axis, keepdims=keepdims) / numpy.sum(x * 0 + 1, axis=axis, keepdims=keepdims)
    )


def weighted_logsumexp(mp: Any, x: Any, weights: Any) -> Any:
    return log(mp, (weights * exp(mp, x)).sum())


def logcumsumexp(mp: Any, x: Any, axis: int = 0) -> Any:
    return log(mp, numpy.cumsum(exp(mp, x), axis=axis))


def masked_softmax(mp: Any, x: Any, mask: Any, axis: int = 0) -> Any:
    powers = exp(mp, x) * mask
    return powers / powers.sum(axis=axis, keepdims=True)


def softmax(mp: Any, x: Any, axis: int = 0) -> Any:
    return masked_softmax(mp, x, 1, axis)


def softmin(mp: Any, x: Any, axis: int = 0) -> Any:
    return softmax(mp, -x, axis)


def log_softmax(mp: Any, x: Any, axis: int = 0) -> Any:
    return x - logsumexp(mp, x, axis, keepdims=True)


def glu(mp: Any, x: Any, axis: int = -1) -> Any:
    left, right = numpy.split(x, 2, axis)
    return left / (1 + exp(mp, -right))


# Products, means and deviations.


def prod(mp: Any, x: Any, axis: Any = None, keepdims: bool = False) -> Any:
    return numpy.prod(x, axis=axis, keepdims=keepdims)


def cumprod(mp: Any, x: Any, axis: int = 0, include_initial: bool = False) -> Any:
    ones = numpy.take(x, [0], axis) * 0 + 1
    return numpy.cumprod(numpy.concatenate([ones, x], axis) if include_initial else x, axis=axis)


def average(mp: Any, x: Any, weights: Any, axis: Any = None) -> Any:
    return numpy.sum(x * weights, axis=axis) / numpy.sum(weights, axis=axis)


def var_mean(mp: Any, x: Any, axis: Any = None, keepdims: bool = False, ddof: int = 1) -> Any:
    count = numpy.sum(x * 0 + 1, axis=axis, keepdims=True)
    mean = numpy.sum(x, axis=axis, keepdims=True) / count
    var = numpy.sum((x - mean) ** 2, axis=axis, keepdims=True) / (count - ddof)
    return (var, mean) if keepdims else (_squeezed(var, axis), _squeezed(mean, axis))


def _squeezed(x: Any, axis: Any) -> Any:
    return numpy.squeeze(x, axis)[()]


def var(mp: Any, x: Any, axis: Any = None, keepdims: bool = False, ddof: int = 1) -> Any:
    return var_mean(mp, x, axis, keepdims, ddof)[0]


def std_mean(mp: Any, x: Any, axis: Any = None, keepdims: bool = False, ddof: int = 1) -> Any:
    var, mean = var_mean(mp, x, axis, keepdims, ddof)
    return sqrt(mp, var), mean


def std(mp: Any, x: Any, axis: Any = None, keepdims: bool = False, ddof: int = 1) -> Any:
    return std_mean(mp, x, axis, keepdims, ddof)[0]


def cov(mp: Any, x: Any, ddof: int = 1) -> Any:
    centered = x - var_mean(mp, x, 1, keepdims=True)[1]
    return centered.dot(centered.T) / (x.shape[1] - ddof)


def corrcoef(mp: Any, x: Any) -> Any:
    covariances = cov(mp, x)
    deviations = sqrt(mp, numpy.diag(covariances))
    return covariances / numpy.outer(deviations, deviations)


# Norms and distances.


def norm(mp: Any, x: Any, p: float = 2.0, axis: Any = None, keepdims: bool = False) -> Any:
    sizes = abs(x)
    if abs(p) == INFINITY:
        return (numpy.max if p > 0 else numpy.min)(sizes, axis=axis, keepdims=keepdims)
    # A square of what may be zero, and no power of it: its derivative is taken by steps to both sides.
    powers = sizes ** int(p) if p == int(p) else sizes ** mp.mpf(p)
    return numpy.sum(powers, axis=axis, keepdims=keepdims) ** (1 / mp.mpf(p))


def of_order(p: float) -> Truth:
    """The norm of that order."""
    return lambda mp, x: norm(mp, x, p)


def normalize(mp: Any, x: Any, p: float = 2.0, axis: int = 1, eps: float = 1e-12) -> Any:
    return x / numpy.maximum(norm(mp, x, p, axis, keepdims=True), mp.mpf(eps))


def dist(mp: Any, x: Any, y: Any, p: float = 2.0) -> Any:
    return norm(mp, x - y, p)


def cdist(mp: Any, x: Any, y: Any, p: float = 2.0) -> Any:
    return norm(mp, x[:, None] - y[None], p, -1)


def pdist(mp: Any, x: Any, p: float = 2.0) -> Any:
    return cdist(mp, x, x, p)[numpy.triu_indices(len(x), 1)]


def pairwise_distance(mp: Any, x: Any, y: Any, p: float = 2.0, eps: float = 1e-6) -> Any:
    return norm(mp, x - y + mp.mpf(eps), p, -1)


def cosine_similarity(mp: Any, x: Any, y: Any, axis: int = 1, eps: float = 1e-8) -> Any:
    return (normalize(mp, x, axis=axis, eps=eps) * normalize(mp, y, axis=axis, eps=eps)).sum(axis=axis)


# Losses.


def cross_entropy(
    mp: Any,
    x: Any,
    target: Any,
    weight: Any = None,
    ignore_index: int = -100,
    reduction: str = "mean",
    label_smoothing: float = 0.0,
) -> Any:
    costs, rows = -log_softmax(mp, x, 1), numpy.arange(len(target))
    weight = numpy.ones(x.shape[1], dtype=object) if weight is None else weight
    weights = weight[target] * (target != ignore_index)
    losses = weights * costs[rows, target] * (1 - mp.mpf(label_smoothing))
    losses = losses + (costs * weight).sum(1) * (target != ignore_index) * mp.mpf(label_smoothing) / x.shape[1]
    return reduced(losses, reduction, weights)


def cross_entropy_of_probabilities(mp: Any, x: Any, target: Any, weight: Any = 1, reduction: str = "mean") -> Any:
    return reduced((-log_softmax(mp, x, 1) * target * weight).sum(1), reduction)


def linear_cross_entropy(mp: Any, x: Any, weight: Any, target: Any, **options: Any) -> Any:
    return cross_entropy(mp, x.dot(weight.T), target, **options)


def categorical_log_prob(mp: Any, probs: Any, value: Any) -> Any:
    return log(mp, probs[numpy.arange(len(value)), value] / probs.sum(1))


def binary_cross_entropy(mp: Any, x: Any, target: Any, weight: Any = 1, reduction: str = "mean") -> Any:
    # Zero times the logarithm of zero is zero.
    parts = ((target, x), (1 - target, 1 - x))
    return reduced(-weight * sum(numpy.frompyfunc(mp.fmul, 2, 1)(t, log(mp, y)) for t, y in parts), reduction)


def of_logits(mp: Any, x: Any, target: Any, weight: Any = 1, reduction: str = "mean", pos_weight: Any = 1) -> Any:
    losses = pos_weight * target * log(mp, 1 + exp(mp, -x)) + (1 - target) * log(mp, 1 + exp(mp, x))
    return reduced(losses * weight, reduction)


def of_positive_logits(mp: Any, x: Any, target: Any, pos_weight: Any, reduction: str = "mean") -> Any:
    return of_logits(mp, x, target, reduction=reduction, pos_weight=pos_weight)


def multilabel_soft_margin_loss(mp: Any, x: Any, target: Any, weight: Any = 1, reduction: str = "mean") -> Any:
    return reduced(of_logits(mp, x, target, weight, "none").sum(1) / x.shape[1], reduction)


def soft_margin_loss(mp: Any, x: Any, target: Any, reduction: str = "mean") -> Any:
    return reduced(log(mp, 1 + exp(mp, -target * x)), reduction)


def huber_loss(
    mp: Any, x: Any, target: Any, weight: Any = 1, reduction: str = "mean", delta: float = 1.0, divided: bool = False
) -> Any:
    d, delta = abs(x - target), mp.mpf(delta)
    losses = numpy.where(d < delta, d**2 / 2, (d - delta / 2) * delta)
    return reduced(weight * losses / (delta if divided else 1), reduction)


def smooth_l1_loss(mp: Any, x: Any, target: Any, reduction: str = "mean", beta: float = 1.0) -> Any:
    return huber_loss(mp, x, target, 1, reduction, beta, True) if beta else reduced(abs(x - target), reduction)


def mse_loss(mp: Any, x: Any, target: Any, weight: Any, reduction: str = "mean") -> Any:
    return reduced((x - target) ** 2 * weight, reduction, weight)


def gaussian_nll_loss(mp: Any, x: Any, target: Any, var: Any, eps: float, reduction: str = "mean") -> Any:
    return reduced((log(mp, var) + (x - target) ** 2 / var) / 2, reduction)


def triplet_margin_loss(
    mp: Any,
    anchor: Any,
    positive: Any,
    negative: Any,
    margin: float = 1.0,
    p: float = 2.0,
    eps: float = 1e-6,
    swap: bool = False,
    reduction: str = "mean",
) -> Any:
    near, far, other = (
        pairwise_distance(mp, x, y, p, eps) for x, y in ((anchor, positive), (anchor, negative), (positive, negative))
    )
    return reduced(numpy.maximum(margin + near - (numpy.minimum(far, other) if swap else far), 0), reduction)
