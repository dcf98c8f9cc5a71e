"""Compositions of functions, each of a module of arrays."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

from conformance.protocol import Spelling


def _softmax(np: Any, x: Any) -> Any:
    powers = np.exp(x - np.max(x))
    return powers / np.sum(powers)


COMPOSITIONS: Mapping[str, Callable[..., Any]] = {
    "log_of_exp": lambda np, x: np.log(np.exp(x)),
    "exp_of_log": lambda np, x: np.exp(np.log(x)),
    "sqrt_of_square": lambda np, x: np.sqrt(np.square(x)),
    "square_of_sqrt": lambda np, x: np.square(np.sqrt(x)),
    "log1p_of_expm1": lambda np, x: np.log1p(np.expm1(x)),
    "expm1_of_log1p": lambda np, x: np.expm1(np.log1p(x)),
    "reciprocal_of_reciprocal": lambda np, x: 1 / (1 / x),
    "log_of_square": lambda np, x: np.log(np.square(x)),
    "log_of_product": lambda np, x, y: np.log(x * y),
    "sqrt_of_product": lambda np, x, y: np.sqrt(x * y),
    "sqrt_of_squares": lambda np, x, y: np.sqrt(np.square(x) + np.square(y)),
    "log1p_of_exp": lambda np, x: np.log1p(np.exp(x)),
    "log_of_cosh": lambda np, x: np.log(np.cosh(x)),
    "product_of_exps": lambda np, x, y: np.exp(x) * np.exp(y),
    "quotient_of_exps": lambda np, x: np.exp(x) / (1 + np.exp(x)),
    "quotient_of_sinh_and_cosh": lambda np, x: np.sinh(x) / np.cosh(x),
    "product_with_tanh": lambda np, x, y: y * np.tanh(x),
    "softmax_of_multiple": lambda np, x: _softmax(np, 0.3 * x),
    "twice_beside_sqrt": lambda np, x: (np.sqrt(x), 2 * x)[1],
}


def _of_numpy(composition: Callable[..., Any]) -> Spelling:
    return lambda engine, *xs: composition(engine.numpy, *xs)


# Of an engine whose module `numpy` has the functions.
OF_NUMPY = {name: _of_numpy(composition) for name, composition in COMPOSITIONS.items()}
