"""Transposes of copies, conversions, and reading and writing parts of tensors."""

import math
from typing import Any

import numpy as np

from .. import primitives as o
from ..core.aliases import Array
from .families import linear, others, zero_like

RULES = [
    linear(o.clone, lambda g: g),
    linear(o.alias, lambda g: g),
    linear(o.cast, lambda g: g),  # the cotangent is cast back when it conforms to x
    linear(o.overwrite, lambda g: zero_like(g), lambda g: g),
    linear(o.fill, lambda g: zero_like(g), lambda g: g),
    linear(o.zero, lambda g: zero_like(g)),
    linear(o.index, lambda g, x, index: o.place(g, index=index, shape=x.shape)),
    linear(o.place, lambda g, index: o.index(g, index=index)),
    *(
        linear(
            putting,
            lambda g, index, accumulate: g if accumulate else o.index_put(g, 0.0, index=index, accumulate=False),
            lambda g, index: o.index(g, index=index),  # every value written to a duplicated index gets the gradient
        )
        for putting in (o.index_put, o.index_add, o.scatter, o.put_along)
    ),
    others(  # ties share equally
        o.scatter_extreme,
        [
            lambda g, z, x, y, index: g * tied(z, x, y, index)[0],
            lambda g, z, x, y, index: o.index(g, index=index) * tied(z, x, y, index)[1],
        ],
        [
            lambda t, z, x, y, index: t * tied(z, x, y, index)[0],
            lambda t, z, x, y, index: o.place(t * tied(z, x, y, index)[1], index=index, shape=x.shape),
        ],
    ),
    others(  # finite at zeros, but exact there to the first order only
        o.scatter_prod,
        [
            lambda g, x, y, index: g * rest(x, y, index)[0],
            lambda g, x, y, index: o.index(g, index=index) * rest(x, y, index)[1],
        ],
        [
            lambda t, x, y, index: t * rest(x, y, index)[0],
            lambda t, x, y, index: o.place(t * rest(x, y, index)[1], index=index, shape=x.shape),
        ],
    ),
    linear(o.masked_fill, lambda g, mask: o.masked_fill(g, 0.0, mask=mask), lambda g, mask: o.mul(g, mask)),
    # What chooses elements gives each its gradient back; of ties, those that the indices name.
    *(
        linear(
            choosing,
            lambda g, x, index, dim: o.scatter_add(o.reshape(g, shape=index.shape), index=index, dim=dim, shape=x.shape),
        )
        for choosing in (o.chosen_max, o.chosen_min, o.chosen_median, o.chosen_kthvalue, o.chosen_mode)
    ),
    *(
        linear(taking, lambda g, x, index, dim: o.scatter_add(g, index=index, dim=dim, shape=x.shape))
        for taking in (o.gather, o.chosen_sort, o.chosen_topk, o.chosen_cummax, o.chosen_cummin)
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


def tied(z: Array, x: Array, y: Array, index: Any) -> Any:
    """The share in the extreme value of what was there, and of each value that came."""
    own, came = (o.overwrite(o.zero(v), o.eq(v, w)) for v, w in ((x, z), (y, o.index(z, index=index))))
    several = o.index_add(own, came, index=index, accumulate=True)
    return own / o.clamp(several, min=1.0, max=None), came / o.clamp(o.index(several, index=index), min=1.0, max=None)


def rest(x: Array, y: Array, index: Any) -> Any:
    """For what was there, and for each value that came, the product of all others in its place."""
    no, none = o.eq(x, 0), o.eq(y, 0)
    zeros = o.index_add(o.overwrite(o.zero(x), no), o.overwrite(o.zero(y), none), index=index, accumulate=True)
    product = o.scatter_prod(o.where(no, 1.0, x), o.where(none, 1.0, y), index=index, accumulate="prod")
    return without(x, no, zeros, product), without(y, none, o.index(zeros, index=index), o.index(product, index=index))


def without(x: Array, is_zero: Array, zeros: Array, product: Array) -> Any:
    """The product of the factors other than x: divided by x, or of those that are not zero if x is the only zero."""
    alone = o.where(o.eq(zeros, 1), product, 0.0)
    return o.where(is_zero, alone, o.where(o.eq(zeros, 0), product / o.where(is_zero, 1.0, x), 0.0))


def gathered(g: Array, x: Any, steps: Any) -> Any:
    """What each element of x gets from all the places where it is looked at; one more takes what is not x's."""
    count = math.prod(x.shape)
    sums = o.place(g, index=(steps.places,), shape=(count + 1,))
    return o.reshape(o.slice(sums, index=(slice(0, count),)), shape=x.shape)
