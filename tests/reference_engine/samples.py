"""One sample input, or several, for every rule in the table: a rule without a sample fails the test of the table."""

from __future__ import annotations

import math
from typing import Any

import numpy as np

from reference_engine import primitives as o
from reference_engine.core.primitive import Primitive
from reference_engine.core.regions import Region, Steps

# Numbers are drawn in the order of the table: a new line gives those below it other numbers.
_random = np.random.default_rng(0)


def normal(*shape: int) -> Any:
    """Numbers of both signs."""
    return _random.standard_normal(shape)


def positive(*shape: int) -> Any:
    """Numbers between a half and two."""
    return _random.uniform(0.5, 2.0, shape)


def small(*shape: int) -> Any:
    """Numbers well within (-1, 1)."""
    return _random.uniform(-0.7, 0.7, shape)


def complex_(*shape: int) -> Any:
    """Complex numbers away from zero."""
    return normal(*shape) + 1j * positive(*shape)


def _region() -> Region:
    base = np.zeros((3, 4))
    return Region.between(base, base[1:, ::2])


_STRIDED = normal(2, 4)
# One row twice, whose gradients add up, and one never, whose gradient is zero.
_ROWS = np.array([0, 2, 2])
_CONDITION = np.array([True, False, True])
_AXIS: dict[str, Any] = {"dim": 1, "keepdim": False}
_KEPT: dict[str, Any] = {"dim": (0, 1), "keepdim": True}
_ALONG = {"index": np.array([[0, 2], [1, 1]]), "dim": 1}
_BEST = {"index": np.array([[2], [0]]), "dim": 1}
_DIAGONAL = {"offset": 0, "dim1": 0, "dim2": 1}

_ALL: dict[str, Any] = {"dim": None, "keepdim": False}
# Zeros among the factors: a rule that divides the product by a factor has NaN there.
_ZEROS, _OTHER = np.array([0.0, 2.0, 0.0, 3.0]), np.array([[1, 0]])
_THIN = {"full_matrices": False}
_TURNED = np.array([[2.0, 0.5, -1.0], [0.25, 3.0, 0.75], [-0.5, 1.5, 4.0]]) + 1j * small(3, 3)
_HERMITIAN = _TURNED @ _TURNED.conj().T
_POSITIVE = np.stack([_HERMITIAN.real, np.diag([1.0, 2.0, 4.0]) + 0.3])

Sample = tuple[tuple[Any, ...], dict[str, Any]]

SAMPLES: dict[Primitive, list[Sample]] = {
    o.add: [((normal(2, 3), normal(3)), {}), ((normal(2), 1.5), {})],
    o.sub: [((normal(3), normal(2, 1)), {})],
    o.mul: [((normal(2, 3), normal(2, 1)), {}), ((complex_(2), normal(2)), {}), ((normal(2), 2.5), {})],
    o.div: [((normal(2, 3), positive(3)), {}), ((complex_(2), complex_(2)), {})],
    o.neg: [((normal(3),), {})],
    o.pow: [((positive(2, 3), normal(3)), {}), ((normal(3), 3), {}), ((complex_(2), 2), {})],
    o.abs: [((normal(4),), {}), ((complex_(2),), {})],
    o.angle: [((complex_(3),), {})],
    o.sign: [((normal(3),), {})],
    o.sgn: [((normal(3),), {}), ((complex_(3),), {})],
    o.floor: [((normal(3),), {})],
    o.ceil: [((normal(3),), {})],
    o.round: [((normal(3),), {})],
    o.trunc: [((normal(3),), {})],
    o.remainder: [((positive(3), np.array([0.3, 0.4, 1.7])), {})],
    o.maximum: [((normal(2, 3), normal(3)), {})],
    o.minimum: [((normal(3), normal(3)), {})],
    o.clamp: [((normal(6),), {"min": -0.5, "max": 0.5}), ((normal(6),), {"min": None, "max": 0.1})],
    o.where: [((_CONDITION, normal(3), normal(2, 3)), {})],
    o.conj: [((complex_(2),), {})],
    o.real: [((complex_(2),), {})],
    o.imag: [((complex_(2),), {})],
    o.complex: [((normal(2), normal(2)), {})],
    o.clamp_min: [((normal(4), normal(2, 1)), {})],
    o.clamp_max: [((normal(4), normal(2, 1)), {})],
    o.clamp_between: [((normal(6), np.array(-0.5), np.array(0.5)), {}), ((normal(3), np.array(0.5), normal(3)), {})],
    o.frac: [((normal(3),), {})],
    o.div_floor: [((normal(3), positive(3)), {})],
    o.copysign: [((normal(3), normal(3)), {})],
    o.view_as_real: [((complex_(2, 2),), {})],
    o.view_as_complex: [((normal(3, 2),), {})],
    o.exp2: [((normal(3),), {})],
    o.asinh: [((normal(3),), {}), ((complex_(2),), {})],
    o.acosh: [((positive(3) + 1,), {}), ((complex_(2),), {})],
    o.atanh: [((small(3),), {}), ((complex_(2),), {})],
    o.erfc: [((normal(3),), {})],
    o.sinc: [((normal(3),), {}), ((complex_(2),), {})],
    o.logit: [((positive(3) / 3,), {})],
    o.hypot: [((normal(2, 3), normal(3)), {})],
    o.logaddexp: [((normal(2, 3), normal(3)), {})],
    o.exp: [((normal(3),), {}), ((complex_(2),), {})],
    o.expm1: [((normal(3),), {})],
    o.log: [((positive(3),), {}), ((complex_(2),), {})],
    o.share_gradient: [((normal(2, 3),), {"share": np.ones((2, 1))})],
    o.bounded_log: [((positive(3),), {})],
    o.log1p: [((positive(3),), {})],
    o.log2: [((positive(3),), {})],
    o.log10: [((positive(3),), {})],
    o.sin: [((normal(3),), {}), ((complex_(2),), {})],
    o.cos: [((normal(3),), {})],
    o.tan: [((small(3),), {})],
    o.asin: [((small(3),), {})],
    o.acos: [((small(3),), {})],
    o.atan: [((normal(3),), {})],
    o.atan2: [((normal(3), positive(3)), {})],
    o.sinh: [((normal(3),), {})],
    o.cosh: [((normal(3),), {})],
    o.tanh: [((normal(3),), {})],
    o.sqrt: [((positive(3),), {})],
    o.rsqrt: [((positive(3),), {})],
    o.reciprocal: [((positive(3),), {})],
    o.sigmoid: [((normal(3),), {})],
    o.erf: [((normal(3),), {})],
    o.lgamma: [((positive(3),), {}), ((small(3) - 2.1,), {})],
    o.polygamma: [((positive(3),), {"n": n}) for n in (0, 1, 2)],
    o.softplus: [((normal(3),), {"beta": 2.0, "threshold": 20.0})],
    o.relu: [((normal(5),), {})],
    o.gammainc: [((np.float64(2.5), positive(3)), {})],
    o.sum: [
        ((normal(2, 3),), _AXIS),
        ((normal(2, 3),), _KEPT),
        ((normal(3),), {"dim": None, "keepdim": False}),
    ],
    o.mean: [((normal(2, 3),), _AXIS), ((normal(2, 3),), {"dim": None, "keepdim": False})],
    o.prod: [((positive(2, 3),), _AXIS), ((positive(3),), {"dim": None, "keepdim": False})],
    o.amax: [((normal(2, 3),), _AXIS), ((normal(2, 3),), _KEPT)],
    o.amin: [((normal(2, 3),), _AXIS)],
    o.max_all: [((normal(2, 3),), {})],
    o.min_all: [((normal(2, 3),), {})],
    o.var: [((normal(2, 3),), {**_AXIS, "correction": 1}), ((complex_(3),), {**_ALL, "correction": 0})],
    o.std: [((normal(2, 3),), {**_KEPT, "correction": 1}), ((complex_(3),), {**_ALL, "correction": 0})],
    o.cumsum: [((normal(2, 3),), {"dim": 1})],
    o.cumprod: [((normal(2, 3),), {"dim": 1}), ((_ZEROS,), {"dim": 0}), ((complex_(3),), {"dim": 0})],
    o.logsumexp: [((normal(2, 3),), _AXIS), ((normal(2, 3),), _KEPT)],
    o.softmax: [((normal(2, 3),), {"dim": 1})],
    o.log_softmax: [((normal(2, 3),), {"dim": 0})],
    o.norm: [
        *[((normal(2, 3),), {"p": p, **_AXIS}) for p in (0, 1, 1.5, 2, 3, math.inf, -math.inf)],
        *[((complex_(3),), {"p": p, **_ALL}) for p in (1, 2, 2.5, math.inf)],
    ],
    o.view: [((normal(2, 3),), {"shape": (3, 2)})],
    o.reshape: [((normal(2, 3),), {"shape": (6,)})],
    o.permute: [((normal(2, 3, 4),), {"dims": (2, 0, 1)})],
    o.transpose: [((normal(2, 3),), {"dim0": 0, "dim1": 1})],
    o.t: [((normal(2, 3),), {})],
    o.expand: [((normal(3, 1),), {"shape": (2, 3, 4)})],
    o.squeeze: [((normal(2, 1),), {"dim": 1})],
    o.unsqueeze: [((normal(2),), {"dim": 1})],
    o.flip: [((normal(2, 3),), {"dim": (1,)})],
    o.roll: [((normal(2, 3),), {"shifts": (1,), "dims": (1,)})],
    o.tril: [((normal(3, 3),), {"diagonal": 0})],
    o.triu: [((normal(3, 3),), {"diagonal": 1})],
    o.diagonal: [((normal(3, 3),), _DIAGONAL)],
    o.diagonal_backward: [((normal(3),), {**_DIAGONAL, "shape": (3, 3)})],
    o.cat: [((normal(2, 3), normal(1, 3)), {"dim": 0})],
    o.stack: [((normal(2), normal(2)), {"dim": 1})],
    o.slice: [((normal(4, 3),), {"index": (slice(0, 4, 2), None)})],
    o.unbind: [((normal(2, 3),), {"index": (slice(None), 1)})],
    o.split: [((normal(4),), {"index": (slice(1, 3),)})],
    o.embed: [((normal(2),), {"index": (slice(0, 4, 2),), "shape": (4,)})],
    o.clone: [((normal(2),), {})],
    o.contiguous: [((normal(2),), {})],
    o.alias: [((normal(2),), {})],
    o.cast: [((normal(2),), {"dtype": np.dtype("float64")})],
    o.overwrite: [((normal(2, 3), normal(3)), {})],
    o.fill: [((normal(2, 3), normal()), {})],
    o.zero: [((normal(2),), {})],
    o.index: [((normal(3, 2),), {"index": (_ROWS,)})],
    o.place: [((normal(3, 2),), {"index": (_ROWS,), "shape": (4, 2)})],
    o.index_put: [
        ((normal(3, 2), normal(2, 2)), {"index": (np.array([0, 2]),), "accumulate": False}),
        ((normal(3, 2), normal(3, 2)), {"index": (_ROWS,), "accumulate": True}),
    ],
    o.masked_fill: [((normal(3), normal()), {"mask": _CONDITION})],
    o.gather: [((normal(2, 3),), _ALONG)],
    o.scatter_add: [((normal(2, 2),), {**_ALONG, "shape": (2, 3)})],
    o.chosen_max: [((normal(2, 3),), {**_BEST, "keepdim": False})],
    o.chosen_min: [((normal(2, 3),), {**_BEST, "keepdim": True})],
    o.chosen_sort: [((normal(2, 3),), {"index": np.array([[2, 0, 1], [0, 1, 2]]), "dim": 1})],
    o.chosen_topk: [((normal(2, 3),), {"index": np.array([[2, 0], [0, 1]]), "dim": 1})],
    o.chosen_kthvalue: [((normal(2, 3),), {**_BEST, "keepdim": True})],
    o.chosen_mode: [((normal(2, 3),), {**_BEST, "keepdim": False})],
    o.as_strided: [((_STRIDED,), {"steps": Steps.of(_STRIDED, (3, 2), (1, 2), 1)})],
    o.region: [((normal(3, 4),), {"region": _region()})],
    o.replace: [((normal(3, 4), normal(2, 2)), {"region": _region()})],
    o.dot: [((normal(3), normal(3)), {}), ((complex_(2), complex_(2)), {})],
    o.mv: [((normal(2, 3), normal(3)), {})],
    o.mm: [((normal(2, 3), normal(3, 2)), {}), ((complex_(2, 2), complex_(2, 2)), {})],
    o.bmm: [((normal(2, 2, 3), normal(3, 2)), {})],
    o.inverse: [((normal(2, 2) + 3 * np.eye(2),), {})],
    o.solve: [((normal(2, 2) + 3 * np.eye(2), normal(2, 1)), {})],
    o.det: [((normal(2, 2) + 3 * np.eye(2),), {}), ((_TURNED,), {})],
    o.cofactors: [((normal(3, 3) + 3 * np.eye(3),), {}), ((_TURNED,), {})],
    o.slogdet_log: [((normal(2, 2) + 3 * np.eye(2),), {}), ((_TURNED,), {})],
    o.slogdet_sign: [((normal(2, 2) + 3 * np.eye(2),), {}), ((_TURNED,), {})],
    o.eig_values: [((normal(2, 3, 3),), {}), ((_TURNED,), {})],
    o.eig_vectors: [((normal(2, 3, 3),), {}), ((_TURNED,), {})],
    o.eigh_values: [((_POSITIVE,), {}), ((_HERMITIAN,), {})],
    o.eigh_vectors: [((_POSITIVE,), {}), ((_HERMITIAN,), {})],
    o.qr_q: [((x,), {"mode": "reduced"}) for x in (normal(3, 2), _TURNED, normal(2, 3, 3))],
    o.svd_s: [((normal(3, 2),), {}), ((_TURNED,), {})],
    o.svd_u: [((normal(2, 3),), _THIN), ((normal(3, 2),), _THIN), ((_TURNED,), {"full_matrices": True})],
    o.svd_v: [((normal(2, 3),), _THIN), ((normal(3, 2),), _THIN), ((_TURNED,), {"full_matrices": True})],
}  # fmt: skip


def hermitian(x: Any) -> Any:
    """The Hermitian part: what looks at a single triangle is differentiated as a function of both."""
    return (x + o.conj(o.transpose(x, dim0=-2, dim1=-1))) / 2


# What an argument goes through first, and what of the result does not depend on LAPACK's choice of a complex phase.
PREPARED: dict[Primitive, Any] = dict.fromkeys((o.eigh_values, o.eigh_vectors), hermitian)
SEEN: dict[Primitive, Any] = dict.fromkeys((o.eig_vectors, o.eigh_vectors, o.svd_u, o.svd_v), o.abs)
