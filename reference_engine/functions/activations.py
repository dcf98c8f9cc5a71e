"""Activation functions (torch.nn.functional), made of primitives."""

# mypy: disable-error-code="no-any-return"

from __future__ import annotations

import numpy as np

from .. import primitives as o
from ..core.inplace import inplace as write
from ..core.tensor import Tensor
from .call_forms import floating
from .random import rand
from .reductions import softmax


def leaky_relu(input: Tensor, negative_slope: float = 0.01, inplace: bool = False) -> Tensor:
    """x where it is positive, a fraction of it elsewhere; the smaller slope at zero."""
    # Computed out of place, then written: `inplace` gives the tensor its new history.
    if inplace:
        return write(input, leaky_relu, input, negative_slope)
    x = floating("leaky_relu", input)
    return o.where(o.gt(x, 0), x, o.mul(x, negative_slope))


def hardtanh(input: Tensor, min_val: float = -1.0, max_val: float = 1.0, inplace: bool = False) -> Tensor:
    """x between two bounds; unlike that of clamp, its gradient is zero at the bounds."""
    if inplace:
        return write(input, hardtanh, input, min_val, max_val)
    below, above = o.le(input, min_val), o.ge(input, max_val)
    return o.where(below, min_val, o.where(above, max_val, input))


def relu6(input: Tensor, inplace: bool = False) -> Tensor:
    """`hardtanh` between zero and six."""
    return hardtanh(input, 0.0, 6.0, inplace)


def hardsigmoid(input: Tensor, inplace: bool = False) -> Tensor:
    """`relu6` moved and shrunk, between 0 at -3 and 1 at 3."""
    if inplace:
        return write(input, hardsigmoid, input)
    return o.div(relu6(o.add(input, 3)), 6)


def dropout(input: Tensor, p: float = 0.5, training: bool = True, inplace: bool = False) -> Tensor:
    """Zero for a random part p of the elements, the others scaled up."""
    if inplace:
        return write(input, dropout, input, p, training)
    if not training or p == 0:
        return input
    # The scale 1 / (1 - p) would be infinite.
    if p == 1:
        return o.mul(input, 0.0)
    kept = o.ge(rand(tuple(input.shape)), p)
    return o.where(kept, o.mul(input, 1 / (1 - p)), 0.0)


def rrelu(input: Tensor, lower: float = 1 / 8, upper: float = 1 / 3, training: bool = False) -> Tensor:
    """x where it is positive, a fraction of it elsewhere: in training random for each element, else the mean."""
    noise = rand(tuple(input.shape), dtype=input.dtype).array if training else 0.5
    return o.where(o.gt(input, 0), input, o.mul(input, lower + (upper - lower) * noise))


def gumbel_softmax(logits: Tensor, tau: float = 1, hard: bool = False, dim: int = -1) -> Tensor:
    """softmax of (logits + random noise) / tau; with `hard` 1 at its maximum, else 0, with the same gradient."""
    noise = Tensor.of(-np.log(-np.log1p(-rand(tuple(logits.shape), dtype=logits.dtype).array)))
    soft = softmax(o.div(o.add(logits, noise), tau), dim)
    if not hard:
        return soft
    place = np.expand_dims(soft.array.argmax(dim), dim)
    best = np.zeros_like(soft.array)
    np.put_along_axis(best, place, 1, dim)
    # Straight through: the value is that of `best`, the gradient that of `soft`.
    return o.add(o.sub(Tensor.of(best), soft.detach()), soft)
