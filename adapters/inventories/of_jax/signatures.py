"""Calls of a function made from its signature: by the names of its parameters."""

from __future__ import annotations

import inspect
from collections.abc import Callable, Iterator, Mapping
from typing import Any

import jax
import numpy

from adapters.inventories.of_jax.arguments import INFINITY, Case, Drawn

__all__ = ["UnknownParameterError", "cases_of"]

# Parameters that take an array of floating-point numbers, of any shape; and those that take several.
ARRAYS = frozenset({"a", "a1", "a2", "b", "c", "lmbda", "m", "object", "p", "q", "v", "x", "x1", "x2", "y", "z"})
LISTS = frozenset({"arrays", "arys", "operands", "tup", "arrs", "xi"})
# What else parameters without a default take.
GIVEN: Mapping[str, Any] = {"dtype": "float64", "new_dtype": "float64", "n": 2, "k": numpy.array([1, 0, 1])}
# What parameters with a default take in the second call.
OPTIONS: Mapping[str, Any] = {
    "alpha": 1.5,
    "approximate": False,
    "decimals": -1,
    "descending": True,
    "k": 1,
    "keepdims": True,
    "negative_slope": 0.3,
    "offset": 1,
}
# What they take in the third: the elements that count.
MASK = {"where": numpy.array([[True, False, True], [True, True, False]]), "initial": 0.5}
# The interval of the numbers that a function takes, where it does not take all.
DOMAINS: Mapping[tuple[float, float], str] = {
    (-1, 1): "acos arccos arcsin arctanh asin atanh erf_inv erfinv",
    (1, INFINITY): "acosh arccosh",
    (-1, INFINITY): "log1p xlog1py boxcox1p",
    (0, 1): "logit ndtri",
    (0, INFINITY): (
        "beta betaln boxcox digamma entr exp1 expi float_power gamma gammainc gammaincc gammaln hyp1f1 igamma igammac"
        " kl_div lgamma log log10 log1mexp log2 loggamma poch pow power rel_entr rsqrt spence sqrt xlogy"
    ),
}


class UnknownParameterError(ValueError):
    """Nothing is known of a parameter; the message names it."""


def cases_of(name: str, function: Callable[..., Any]) -> Iterator[Case]:
    """Calls of a function: plain, with other options, and with a mask.

    Raises UnknownParameterError where the names of its parameters do not determine their values.
    """
    parameters = list(inspect.signature(function).parameters.values())
    args = list(_required(name, function, parameters))
    for options in _options(parameters):
        yield Case(tuple(args), options)


def _required(name: str, function: Callable[..., Any], parameters: list[inspect.Parameter]) -> Iterator[Any]:
    """The values of the parameters without a default."""
    low, high = _domain(name)
    # Those of `jax.lax` do not broadcast.
    second = (2, 3) if name.startswith("jax.lax.") else (3,)
    shapes = iter([(2, 3), second, second, second])
    if isinstance(function, jax.numpy.ufunc):
        yield from (Drawn(next(shapes), low, high) for _ in range(function.nin))
        return
    for p in parameters:
        if p.name in LISTS:
            arrays = [Drawn((2, 3), low, high), Drawn((2, 3), low, high)]
            yield from arrays if p.kind is p.VAR_POSITIONAL else [arrays]
        elif p.kind not in (p.POSITIONAL_ONLY, p.POSITIONAL_OR_KEYWORD) or p.default is not p.empty:
            continue
        elif p.name in ARRAYS:
            yield Drawn(next(shapes), low, high)
        elif p.name in GIVEN:
            yield GIVEN[p.name]
        else:
            raise UnknownParameterError(f"nothing is known of its parameter {p.name!r}")


def _options(parameters: list[inspect.Parameter]) -> Iterator[dict[str, Any]]:
    """No options; those that matter; a mask."""
    yield {}
    named = {p.name: p.default for p in parameters if p.default is not p.empty}
    other = {name: OPTIONS[name] for name, default in named.items() if name in OPTIONS and OPTIONS[name] != default}
    if "axis" in named:
        other["axis"] = -1 if named["axis"] == 0 else 0
    if other:
        yield other
    if "where" in named and "initial" in named:
        yield dict(MASK)
    elif "where" in named and "out" not in named:
        yield {"where": MASK["where"]}


def _domain(name: str) -> tuple[float, float]:
    function = name.rpartition(".")[2]
    return next((bounds for bounds, names in DOMAINS.items() if function in names.split()), (-INFINITY, INFINITY))
