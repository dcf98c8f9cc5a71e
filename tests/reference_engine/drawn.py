"""Random inputs for rules: shapes, broadcasts, sizes zero and one, and views of all kinds, drawn by hypothesis."""

from __future__ import annotations

import math
from collections.abc import Callable
from typing import Any

import numpy as np
from hypothesis import strategies as st

import reference_engine as torch
from reference_engine import primitives as o
from reference_engine.core.primitive import Primitive

Draw = Callable[[Any], Any]
View = Callable[[torch.Tensor], torch.Tensor]

# Numbers from a range, all different: derivatives are random there only if no two of them tie.
RANGES = {"any": (-2.0, 2.0), "positive": (0.5, 2.0), "unit": (-0.8, 0.8), "above": (1.2, 3.0), "open": (0.1, 0.9)}

ELEMENTWISE: dict[Primitive, str] = {
    **dict.fromkeys((o.neg, o.exp, o.exp2, o.expm1, o.sin, o.cos, o.atan, o.sinh, o.cosh, o.tanh, o.asinh), "any"),
    **dict.fromkeys((o.abs, o.sign, o.sgn, o.floor, o.ceil, o.round, o.trunc, o.frac, o.sinc, o.sigmoid), "any"),
    **dict.fromkeys((o.relu, o.erf, o.erfc, o.conj, o.clone, o.contiguous, o.alias), "any"),
    **dict.fromkeys((o.log, o.log1p, o.log2, o.log10, o.sqrt, o.rsqrt, o.reciprocal), "positive"),
    **dict.fromkeys((o.tan, o.asin, o.acos, o.atanh), "unit"),
    o.acosh: "above",
    o.logit: "open",
    **dict.fromkeys((o.add, o.sub, o.mul, o.maximum, o.minimum, o.clamp_min), "any any"),
    **dict.fromkeys((o.clamp_max, o.copysign, o.logaddexp, o.complex), "any any"),
    **dict.fromkeys((o.div, o.remainder, o.div_floor, o.atan2), "any positive"),
    **dict.fromkeys((o.pow, o.hypot), "positive any"),
    **dict.fromkeys((o.clamp_between,), "any any any"),
}


def _dims(draw: Draw, shape: Any) -> Any:
    """None, one dimension or several."""
    several = st.lists(st.integers(0, len(shape) - 1), min_size=1, unique=True).map(tuple) if shape else st.none()
    return draw(st.none() | several)


def _reduced(draw: Draw, shape: Any) -> dict[str, Any]:
    return {"dim": _dims(draw, shape), "keepdim": draw(st.booleans())}


def _one(draw: Draw, shape: Any) -> int:
    return int(draw(st.integers(0, len(shape) - 1)))


def _reshaped(draw: Draw, shape: Any) -> dict[str, Any]:
    return {"shape": draw(st.sampled_from([(math.prod(shape),), (*shape, 1), (1, *shape), shape]))}


def _expanded(draw: Draw, shape: Any) -> dict[str, Any]:
    return {"shape": (*draw(st.lists(st.integers(0, 2), max_size=2)), *shape)}


def _index(draw: Draw, shape: Any) -> dict[str, Any]:
    """An index along a dimension, with repetitions."""
    dim = _one(draw, shape)
    wanted = list(shape)
    wanted[dim] = draw(st.integers(1, 3))
    numbers = draw(st.lists(st.integers(0, shape[dim] - 1), min_size=math.prod(wanted), max_size=math.prod(wanted)))
    return {"index": np.array(numbers, np.int64).reshape(wanted), "dim": dim}


def _looked(draw: Draw, shape: Any) -> dict[str, Any]:
    part = st.sampled_from([slice(None), slice(None, None, 2), slice(1, None), 0, -1])
    return {"index": tuple(draw(part) for _ in shape)}


def _rows(draw: Draw, shape: Any) -> dict[str, Any]:
    return {"index": (np.array(draw(st.lists(st.integers(0, shape[0] - 1), max_size=4)), np.int64),)}


# How to draw the options of a primitive for a shape, and the least size and number of dimensions that it needs.
SHAPED: dict[Primitive, tuple[Callable[[Draw, Any], dict[str, Any]], int, int]] = {
    o.sum: (_reduced, 0, 0),
    o.mean: (_reduced, 1, 0),
    **dict.fromkeys((o.amax, o.amin, o.logsumexp), (lambda d, s: {**_reduced(d, s), "dim": _one(d, s)}, 1, 1)),
    o.prod: (lambda d, s: {"dim": d(st.none() | st.just(_one(d, s))), "keepdim": d(st.booleans())}, 0, 1),
    **dict.fromkeys((o.var, o.std), (lambda d, s: {**_reduced(d, s), "correction": d(st.sampled_from([0, 1]))}, 2, 1)),
    o.norm: (lambda d, s: {**_reduced(d, s), "p": d(st.sampled_from([1, 1.5, 2, 3, math.inf]))}, 1, 0),
    **dict.fromkeys((o.cumsum, o.cumprod, o.softmax, o.log_softmax), (lambda d, s: {"dim": _one(d, s)}, 0, 1)),
    **dict.fromkeys((o.max_all, o.min_all), (lambda d, s: {}, 1, 0)),
    o.reshape: (_reshaped, 0, 0),
    o.expand: (_expanded, 0, 0),
    o.permute: (lambda d, s: {"dims": tuple(d(st.permutations(range(len(s)))))}, 0, 0),
    o.transpose: (lambda d, s: {"dim0": _one(d, s), "dim1": _one(d, s)}, 0, 1),
    o.flip: (lambda d, s: {"dim": (_one(d, s),)}, 0, 1),
    o.roll: (lambda d, s: {"shifts": (d(st.integers(-4, 4)),), "dims": (_one(d, s),)}, 0, 1),
    o.unsqueeze: (lambda d, s: {"dim": d(st.integers(0, len(s)))}, 0, 0),
    **dict.fromkeys((o.tril, o.triu), (lambda d, s: {"diagonal": d(st.integers(-2, 2))}, 0, 2)),
    o.diagonal: (lambda d, s: {"offset": d(st.integers(-1, 1)), "dim1": 0, "dim2": 1}, 1, 2),
    o.view_as_real: (lambda d, s: {}, 0, 0),
    o.index: (_rows, 1, 1),
    **dict.fromkeys((o.gather, o.chosen_sort), (_index, 1, 1)),
}
PRODUCTS = (
    o.dot,
    o.mv,
    o.mm,
    o.bmm,
    o.inverse,
    o.solve,
    o.det,
    o.slogdet_log,
    o.eigh_values,
    o.svd_s,
    o.qr_q,
)

# What no random shape would tell more about, since shapes are in the options: the fixed samples are enough.
FIXED = """
    as_strided gammainc lgamma polygamma scatter_extreme scatter_prod angle clamp where real imag view_as_complex
    softplus view t squeeze cat stack slice unbind split embed diagonal_backward cast overwrite fill zero place
    index_put masked_fill scatter_add chosen_max chosen_min chosen_topk chosen_kthvalue chosen_mode region replace
    cofactors slogdet_sign eig_values eig_vectors eigh_vectors svd_u svd_v bounded_log share_gradient"""

# Analytic as NumPy computes them, so that a step along the imaginary axis gives their derivative to the last digit.
ANALYTIC = {
    *(o.neg, o.exp, o.expm1, o.sin, o.cos, o.atan, o.sinh, o.cosh, o.tanh, o.asinh, o.sinc, o.sigmoid, o.clone),
    *(o.log, o.log1p, o.log2, o.log10, o.sqrt, o.rsqrt, o.reciprocal, o.tan, o.asin, o.acos, o.atanh, o.acosh),
    *(o.add, o.sub, o.mul, o.div, o.pow, o.sum, o.mean, o.prod, o.cumsum, o.cumprod, o.reshape, o.expand, o.permute),
    *(o.transpose, o.flip, o.roll, o.unsqueeze, o.tril, o.triu, o.diagonal, o.slice, o.index, o.gather),
    *(o.dot, o.mv, o.mm, o.bmm, o.inverse, o.solve, o.det),
}


def numbers(draw: Draw, name: str, shape: Any, which: int = 0) -> Any:
    """An array of different numbers from a range, by a drawn seed; another for each argument."""
    low, high = RANGES[name]
    return np.random.default_rng([draw(st.integers(0, 2**16)), which]).uniform(low, high, shape)


def shapes(draw: Draw, least: int = 0, ndim: int = 0) -> tuple[int, ...]:
    """A shape of at least so many dimensions, of sizes from `least` to three."""
    return tuple(draw(st.lists(st.integers(least, 3), min_size=ndim, max_size=3)))


def broadcasting(draw: Draw, shape: Any) -> tuple[int, ...]:
    """A shape that broadcasts to the given one."""
    kept = shape[draw(st.integers(0, len(shape))) :]
    return tuple(1 if draw(st.booleans()) else n for n in kept)


def seen(draw: Draw, array: Any) -> tuple[Any, View]:
    """An array, and a view of it by the engine with the given values: plain, turned, sliced, flipped or selected."""
    ways: list[tuple[Any, View]] = [(array, lambda x: x)]
    if array.ndim:
        wide = np.repeat(array, 2, axis=-1)
        ways += [
            (array.T.copy(), lambda x: torch.permute(x, tuple(range(x.ndim))[::-1])),
            (wide, lambda x: x[..., ::2]),
            (np.flip(array, 0).copy(), lambda x: torch.flip(x, 0)),
            (array[None], lambda x: x[0]),
        ]
    return ways[draw(st.integers(0, len(ways) - 1))]


def matrices(draw: Draw, primitive: Primitive) -> list[Any]:
    """Arrays that a product or a decomposition takes: well away from being singular."""
    m, k, n = (draw(st.integers(0, 3)) for _ in range(3))
    batch = tuple(draw(st.lists(st.integers(1, 2), max_size=2)))
    sizes = {o.dot: [(k,), (k,)], o.mv: [(m, k), (k,)], o.mm: [(m, k), (k, n)], o.bmm: [(*batch, m, k), (k, n)]}
    if primitive in sizes:
        return [numbers(draw, "any", s, i) for i, s in enumerate(sizes[primitive])]
    size = draw(st.integers(1, 3))
    square = numbers(draw, "unit", (*batch, size, size)) * 0.3 + np.diag([1.0, 2.5, 4.0][:size])
    return [square, numbers(draw, "any", (size, n + 1))] if primitive is o.solve else [square]
