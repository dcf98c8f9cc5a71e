"""The gamma function's kin, the inverse of erf, and running log-sums."""

from __future__ import annotations

import math
from typing import Any

import numpy as np

from ..core.aliases import Array
from ..core.primitive import EVERY_FORM, Primitive
from .kinds import only

__all__ = ["gammainc", "lgamma", "polygamma"]

# Bernoulli's numbers B2, B4, ...: the terms of the expansions at infinity.
_BERNOULLI = (1 / 6, -1 / 30, 1 / 42, -1 / 30, 5 / 66, -691 / 2730, 7 / 6, -3617 / 510, 43867 / 798)
_FAR = 15


def _lgamma(x: float) -> float:
    # Infinite at zero and the negative integers.
    return math.inf if x == -math.inf or (x <= 0 and x == math.floor(x)) else math.lgamma(x)


def _shifted(x: Array) -> tuple[Any, int]:
    """Numbers moved up by an integer, so that the expansions at infinity are exact."""
    steps = max(0, math.ceil(_FAR - np.min(x[np.isfinite(x)], initial=_FAR)))
    return x + steps, steps


def _polygamma(x: Array, n: int) -> Any:
    """The n-th derivative of digamma, which is that of lgamma."""
    y = x.astype(np.float64)
    far, steps = _shifted(np.maximum(y, -1000))
    total = _at_infinity(far, n) - (-1) ** n * math.factorial(n) * sum(1 / (y + k) ** (n + 1) for k in range(steps))
    if n:
        return np.where(np.isneginf(y), np.nan, total)
    poles = np.where(y == 0, np.copysign(np.inf, -y), np.nan)
    return np.where((y <= 0) & (y == np.floor(y)), poles, total)


def _at_infinity(x: Array, n: int) -> Any:
    """The expansion of polygamma there."""
    terms = [(2 * k, b) for k, b in enumerate(_BERNOULLI, 1)]
    if n == 0:
        return np.log(x) - 0.5 / x - sum(b / (k * x**k) for k, b in terms)
    tail = sum(b * math.factorial(k + n - 1) / math.factorial(k) / x ** (k + n) for k, b in terms)
    return (-1) ** (n + 1) * (math.factorial(n - 1) / x**n + math.factorial(n) / (2 * x ** (n + 1)) + tail)


def _gammainc(a: float, x: float) -> float:
    """The sum of its series, of which the greatest terms are around n = x."""
    if not math.isfinite(x):
        return 1.0 if x > 0 else math.nan
    terms = range(int(x + 12 * math.sqrt(x) + 60)) if x > 0 else ()
    return math.fsum(math.exp((a + n) * math.log(x) - x - math.lgamma(a + n + 1)) for n in terms)


def _map_elements(function: Any) -> Any:
    return lambda x: np.vectorize(function, otypes="d")(x).astype(x.dtype)


lgamma = Primitive("lgamma", only("f", _map_elements(_lgamma)), promotes="float", forms=EVERY_FORM)
polygamma = Primitive(
    "polygamma",
    only("f", lambda x, n: _polygamma(x, n).astype(x.dtype)),
    promotes="float",
    node=lambda options: "PolygammaBackward0" if options["n"] else "DigammaBackward0",
)
gammainc = Primitive(
    "gammainc", only("f", np.vectorize(_gammainc, otypes="d")), promotes="both", node="IgammaBackward0", forms="special"
)
