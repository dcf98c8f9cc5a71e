"""A sample input for every function of `ad.np`, and what NumPy makes of it; a number where NumPy has no such function.

A wrong `sin` would fail fifty behaviours, none of which is about it.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any

import numpy as np

__all__ = ["SAMPLES", "Sample"]


@dataclass(frozen=True)
class Sample:
    """Arguments, of which NumPy arrays become the engine's; the answer, as a function of them or as numbers.

    `of` takes from a result, whose arrays are NumPy's by then, what can be compared.
    """

    args: tuple[Any, ...]
    answer: Any
    of: Callable[[Any], Any] = lambda result: result

    @property
    def expected(self) -> Any:
        """The answer's numbers."""
        return np.asarray(self.answer(*self.args) if callable(self.answer) else self.answer)


X = np.array([0.5, -1.25, 2.0])
Y = np.array([2.0, 0.75, -0.5])
BETWEEN = np.array([0.25, 0.5, 0.75])
Z = np.array([3 + 4j, -1 + 0.5j])
SQUARE = np.array([[2.0, 1.0], [0.5, 3.0]])
SYMMETRIC = np.array([[2.0, 1.0], [1.0, 3.0]])
POINTS = np.array([[0.0, 0.0], [3.0, 4.0]])
LABELS = np.array([0, 1])


def _sigmoid(x: Any) -> Any:
    return 1 / (1 + np.exp(-x))


def _softmax(x: Any) -> Any:
    return np.exp(x) / np.sum(np.exp(x))


def _all(names: str, *args: Any) -> dict[str, tuple[Any, ...]]:
    return dict.fromkeys(names.split(), args)


# NumPy's function of that name does the same, with these arguments.
LIKE_NUMPY: Mapping[str, tuple[Any, ...]] = {
    **_all("exp sum mean abs sin cos tan tanh square expm1 sign floor ceil round trunc reciprocal sinc isnan", X),
    **_all("signbit prod max min argmax sort argsort cumsum cumprod count_nonzero zeros_like ones_like", X),
    **_all("log sqrt log1p", BETWEEN),
    **_all("real imag conj angle", Z),
    **_all("maximum minimum copysign hypot logaddexp outer", X, Y),
    "matmul": (SQUARE, SYMMETRIC),
    "stack": ([X, Y],),
    "concat": ([X, Y],),
    "reshape": (SQUARE, (4,)),
    "zeros": ((2, 3),),
    "eye": (3,),
    "atan2": (X, Y),
    "pow": (BETWEEN, 3.0),
    "where": (X > 0, X, Y),
    "clip": (X, 0.0, 1.0),
    "amax": (SQUARE, 1),
    "amin": (SQUARE, 1),
    "transpose": (SQUARE,),
    "broadcast_to": (X, (2, 3)),
    "searchsorted": (np.array([0.0, 1.0, 2.0]), np.array([0.5, 1.5])),
    "take": (X, np.array([2, 0])),
    "full_like": (X, 7.0),
}
OTHERS = {
    "softplus": Sample((X,), lambda x: np.log1p(np.exp(x))),
    "rsqrt": Sample((BETWEEN,), lambda x: 1 / np.sqrt(x)),
    "relu": Sample((X,), lambda x: np.maximum(x, 0.0)),
    "sigmoid": Sample((X,), _sigmoid),
    "std": Sample((X,), lambda x: np.std(x, ddof=1)),
    "logsumexp": Sample((X,), lambda x: np.log(np.sum(np.exp(x)))),
    "softmax": Sample((X,), _softmax),
    "log_softmax": Sample((X,), lambda x: np.log(_softmax(x))),
    "unstack": Sample((SQUARE,), SQUARE, np.stack),
    "det": Sample((SQUARE,), 5.5),
    "norm": Sample((np.array([3.0, 4.0]), 2.0), 5.0),
    "eigvalsh": Sample((SYMMETRIC,), np.linalg.eigvalsh),
    "eig": Sample((SYMMETRIC,), np.linalg.eigvalsh, lambda pair: np.sort(np.real(pair[0]))),
    "eigh": Sample((SYMMETRIC,), np.linalg.eigvalsh, lambda pair: pair[0]),
    "svd": Sample((SQUARE,), np.linalg.svdvals, lambda three: three[1]),
    "svdvals": Sample((SQUARE,), np.linalg.svdvals),
    "qr": Sample((SQUARE, "reduced"), SQUARE, lambda pair: pair[0] @ pair[1]),
    "slogdet": Sample((SQUARE,), [1.0, np.log(5.5)]),
    "digamma": Sample((np.array(1.0),), -0.5772156649015329),
    "spence": Sample((np.array(2.0),), -(np.pi**2) / 12),
    "view_as_real": Sample((Z,), lambda z: np.stack([z.real, z.imag], -1)),
    "sort_with_indices": Sample((X,), lambda x: [np.sort(x), np.argsort(x)]),
    "max_with_index": Sample((X,), [2.0, 2.0]),
    "topk": Sample((X, 2), [[2.0, 0.5], [2.0, 0.0]]),
    "kthvalue": Sample((X, 2), 0.5),
    "mode": Sample((np.array([3.0, 1.0, 3.0]),), 3.0),
    "nonzero": Sample((np.array([0.0, 5.0, 0.0, 7.0]),), [1, 3], np.ravel),
    "dist": Sample((POINTS[0], POINTS[1]), 5.0),
    "cdist": Sample((POINTS, POINTS[:1]), [[0.0], [5.0]]),
    "pdist": Sample((POINTS,), [5.0]),
    "matrix_norm": Sample((POINTS,), 5.0),
    "relu6": Sample((np.array([-1.0, 3.0, 8.0]),), [0.0, 3.0, 6.0]),
    "leaky_relu": Sample((np.array([-1.0, 3.0]),), [-0.01, 3.0]),
    "hardtanh": Sample((X,), [0.5, -1.0, 1.0]),
    "hardsigmoid": Sample((np.array([-4.0, 0.0, 1.5, 4.0]),), [0.0, 0.5, 0.75, 1.0]),
    "lp_pool1d": Sample((np.array([[3.0, 4.0, 5.0, 12.0]]), 2, 2), [[5.0, 13.0]]),
    "l1_loss": Sample((X, Y), lambda x, y: np.mean(np.abs(x - y))),
    "smooth_l1_loss": Sample((np.array([0.5, 3.0]), np.array([0.0, 0.0])), 1.3125),
    "huber_loss": Sample((np.array([0.5, 3.0]), np.array([0.0, 0.0])), 1.3125),
    "binary_cross_entropy": Sample((np.array([0.5, 0.25]), np.array([1.0, 0.0])), (np.log(2) - np.log(0.75)) / 2),
    "gaussian_nll_loss": Sample((np.array([1.0]), np.array([3.0]), np.array([1.0]), 0.01), 2.0),
    "cross_entropy": Sample((SQUARE, LABELS, 9), (np.log1p(np.exp(-1)) + np.log1p(np.exp(-2.5))) / 2),
    "embedding": Sample((np.array([1, 0, 1]), SQUARE), [[0.5, 3.0], [2.0, 1.0], [0.5, 3.0]]),
    # Of what is drawn at random only the shape is known, and that zeros stay zeros.
    "rand_like": Sample((X,), [0.0, 0.0, 0.0], np.floor),
    "gumbel_softmax": Sample((X, True), [0.0, 0.0, 1.0], np.sort),
    "dropout": Sample((np.zeros(3), 0.5), [0.0, 0.0, 0.0]),
    # Each engine names its own function: that its values are finite is all that can be asked.
    "underived": Sample((BETWEEN,), [True, True, True], np.isfinite),
}
SAMPLES: Mapping[str, Sample] = {
    **{name: Sample(args, getattr(np, {"atan2": "arctan2"}.get(name, name))) for name, args in LIKE_NUMPY.items()},
    **OTHERS,
}
