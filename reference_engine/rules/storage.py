"""Transposes of copies, conversions, and reading and writing parts of tensors."""

import math
from typing import Any

import numpy as np

from .. import primitives as o
from ..core.aliases import Array
from .families import linear, zero_like

RULES = [
    linear(o.clone, lambda g: g),
    linear(o.contiguous, lambda g: g),
    linear(o.alias, lambda g: g),
    linear(o.cast, lambda g: g),  # the cotangent is cast back when it conforms to x
    linear(o.overwrite, lambda g: zero_like(g), lambda g: g),
    linear(o.fill, lambda g: zero_like(g), lambda g: g),
    linear(o.zero, lambda g: zero_like(g)),
    linear(o.index, lambda g, x, index: o.place(g, index=index, shape=x.shape)),
    linear(o.place, lambda g, index: o.index(g, index=index)),
    linear(
        o.index_put,
        lambda g, index, accumulate: g if accumulate else o.index_put(g, 0.0, index=index, accumulate=False),
        lambda g, index: o.index(g, index=index),  # every value written to a duplicated index gets the gradient
    ),
    linear(o.masked_fill, lambda g, mask: o.masked_fill(g, 0.0, mask=mask), lambda g, mask: o.mul(g, mask)),
    # What chooses elements gives each its gradient back; of ties, those that the indices name.
    *(
        linear(
            choosing,
            lambda g, x, index, dim: o.scatter_add(
                o.reshape(g, shape=index.shape), index=index, dim=dim, shape=x.shape
            ),
        )
        for choosing in (o.chosen_max, o.chosen_min, o.chosen_kthvalue, o.chosen_mode)
    ),
    *(
        linear(taking, lambda g, x, index, dim: o.scatter_add(g, index=index, dim=dim, shape=x.shape))
        for taking in (o.gather, o.chosen_sort, o.chosen_topk)
    ),
    linear(o.scatter_add, lambda g, index, dim: o.gather(g, index=index, dim=dim)),
    linear(o.as_strided, lambda g, x, steps: gathered(g, x, steps)),
    linear(o.region, lambda g, x, region: o.replace(np.zeros(x.shape, x.dtype), g, region=region)),
    linear(
        o.replace,
        lambda g, region: o.replace(g, 0.0, region=region),
        lambda g, region: o.region(g, region=region),
    ),
]


def gathered(g: Array, x: Any, steps: Any) -> Any:
    """The sum for each element of x over all places of the view where it appears; an extra slot takes the rest."""
    count = math.prod(x.shape)
    sums = o.place(g, index=(steps.places,), shape=(count + 1,))
    return o.reshape(o.slice(sums, index=(slice(0, count),)), shape=x.shape)
