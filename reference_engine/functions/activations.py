"""Activation functions and normalisations (torch.nn.functional), made of primitives."""

# mypy: disable-error-code="no-any-return"

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import Any

import numpy as np

from .. import primitives as o
from ..core.tensor import Tensor
from .calling import floating
from .norms import vector_norm
from .random import rand
from .reducing import softmax


def leaky_relu(input: Tensor, negative_slope: float = 0.01, inplace: bool = False) -> Tensor:
    """x where it is positive, a fraction of it elsewhere; the smaller slope at zero."""
    x = floating("leaky_relu", input)
    return o.where(o.gt(x, 0), x, o.mul(x, negative_slope))


def elu(input: Tensor, alpha: float = 1.0, inplace: bool = False) -> Tensor:
    """x where it is positive, ``alpha * (exp(x) - 1)`` elsewhere; the slope at zero is alpha."""
    negative = o.lt(floating("elu", input), 0)
    above = o.mul(input, o.where(o.gt(input, 0), 1.0, alpha))
    return o.where(negative, o.mul(o.expm1(o.where(negative, input, 0.0)), alpha), above)


def gelu(input: Tensor, approximate: str = "none") -> Tensor:
    """x times the area under the normal density up to x, or an approximation by tanh."""
    floating("gelu", input)
    if approximate == "tanh":
        inner = o.mul(o.add(input, o.mul(o.pow(input, 3), 0.044715)), math.sqrt(2 / math.pi))
        return o.mul(o.mul(input, 0.5), o.add(o.tanh(inner), 1))
    return o.mul(o.mul(input, 0.5), o.add(o.erf(o.mul(input, math.sqrt(0.5))), 1))


def silu(input: Tensor, inplace: bool = False) -> Tensor:
    """``x * sigmoid(x)``."""
    return o.mul(floating("silu", input), o.sigmoid(input))


def celu(input: Tensor, alpha: float = 1.0, inplace: bool = False) -> Tensor:
    """x where it is positive, ``alpha * (exp(x / alpha) - 1)`` elsewhere."""
    negative = o.lt(floating("celu", input), 0)
    return o.where(negative, o.mul(o.expm1(o.div(o.where(negative, input, 0.0), alpha)), alpha), input)


def selu(input: Tensor, inplace: bool = False) -> Tensor:
    """`elu`, scaled so that normally distributed numbers keep mean zero and variance one."""
    return o.mul(elu(input, 1.6732632423543772), 1.0507009873554805)


def mish(input: Tensor, inplace: bool = False) -> Tensor:
    """``x * tanh(softplus(x))``."""
    return o.mul(input, o.tanh(o.softplus(input, beta=1.0, threshold=20.0)))


def logsigmoid(input: Tensor) -> Tensor:
    """The logarithm of sigmoid, without overflow."""
    return o.neg(o.softplus(o.neg(input), beta=1.0, threshold=40.0))


def softsign(input: Tensor) -> Tensor:
    """``x / (1 + abs(x))``."""
    return o.div(input, o.add(o.abs(input), 1))


def hardtanh(input: Tensor, min_val: float = -1.0, max_val: float = 1.0, inplace: bool = False) -> Tensor:
    """x between two bounds; unlike that of clamp, its gradient is zero at the bounds."""
    below, above = o.le(input, min_val), o.ge(input, max_val)
    return o.where(below, min_val, o.where(above, max_val, input))


def relu6(input: Tensor, inplace: bool = False) -> Tensor:
    """`hardtanh` between zero and six."""
    return hardtanh(input, 0.0, 6.0)


def hardsigmoid(input: Tensor, inplace: bool = False) -> Tensor:
    """`relu6` moved and shrunk, between zero at -3 and one at 3."""
    return o.div(relu6(o.add(input, 3)), 6)


def dropout(input: Tensor, p: float = 0.5, training: bool = True, inplace: bool = False) -> Tensor:
    """Zero for a random part p of the elements, the others scaled up; ValueError unless p lies in [0, 1]."""
    if not 0 <= p <= 1:
        raise ValueError(f"dropout probability has to be between 0 and 1, but got {p}")
    if not training or p == 0:
        return input
    kept = o.ge(rand(tuple(input.shape)), p)
    return o.where(kept, o.mul(input, 1 / (1 - p) if p < 1 else 0.0), 0.0)


def gumbel_softmax(logits: Tensor, tau: float = 1, hard: bool = False, dim: int = -1) -> Tensor:
    """softmax of (logits + random noise) / tau; with `hard` one at its greatest place, but with the same gradient."""
    noise = Tensor.of(-np.log(-np.log1p(-rand(tuple(logits.shape), dtype=logits.dtype).array)))
    soft = softmax(o.div(o.add(logits, noise), tau), dim)
    if not hard:
        return soft
    place = np.expand_dims(soft.array.argmax(dim), dim)
    best = np.zeros_like(soft.array)
    np.put_along_axis(best, place, 1, dim)
    return o.add(o.sub(Tensor.of(best), soft.detach()), soft)


def layer_norm(
    input: Tensor, normalized_shape: Sequence[int], weight: Any = None, bias: Any = None, eps: float = 1e-5
) -> Tensor:
    """The last dimensions with mean zero and variance one, then scaled and moved."""
    if tuple(input.shape)[-len(normalized_shape) :] != tuple(normalized_shape):
        raise RuntimeError(
            f"Given normalized_shape={list(normalized_shape)}, expected input with shape [*, ...], but got input of "
            f"size {list(input.shape)}"
        )
    dims = tuple(range(input.ndim - len(normalized_shape), input.ndim))
    center, spread = o.mean(input, dim=dims, keepdim=True), o.var(input, dim=dims, keepdim=True, correction=0)
    return _scaled(input, center, spread, eps, weight, bias)


def _scaled(x: Tensor, center: Tensor, spread: Tensor, eps: float, weight: Any, bias: Any) -> Tensor:
    """What is left after mean and variance are taken out, scaled and moved."""
    result = o.mul(o.sub(x, center), o.rsqrt(o.add(spread, eps)))
    result = result if weight is None else o.mul(result, weight)
    return result if bias is None else o.add(result, bias)


def normalize(input: Tensor, p: float = 2.0, dim: int = 1, eps: float = 1e-12) -> Tensor:
    """Divided by the p-norm along a dimension, or by eps if that is greater."""
    return o.div(input, o.clamp(vector_norm(input, p, dim, True), min=eps, max=None))


def cosine_similarity(x1: Tensor, x2: Tensor, dim: int = 1, eps: float = 1e-8) -> Tensor:
    """The cosine of the angle between vectors along a dimension."""
    units = [o.div(x, o.clamp(vector_norm(x, 2, dim, True), min=eps, max=None)) for x in (x1, x2)]
    return o.sum(o.mul(*units), dim=dim, keepdim=False)
