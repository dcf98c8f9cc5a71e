"""Calls of the functions of `jax.scipy` and `jax.nn` whose signatures do not determine their arguments."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import jax.numpy as jnp
import numpy

from adapters.inventories.of_jax.arguments import (
    Case,
    Drawn,
    between,
    case,
    complex_numbers,
    covariance,
    drawn,
    positive,
    square,
)

__all__ = ["CASES"]

MATRIX, OTHER, VECTOR, IMAGE, SERIES = drawn(2, 3), drawn(2, 3), drawn(3), drawn(3, 3), drawn(7)
FLAGS = numpy.array([[True, False, True], [True, True, False]])
UNIT, COUNTS, TRIALS = between(0, 1, 3), numpy.array([2, 0, 3]), numpy.array([4, 4, 6])


_NN: Mapping[str, tuple[Case, ...]] = {
    "dot_product_attention": (
        case(drawn(2, 2, 3), drawn(3, 2, 3), drawn(3, 2, 3)),
        case(drawn(2, 2, 3), drawn(3, 2, 3), drawn(3, 2, 3), bias=drawn(2, 2, 3), is_causal=True, scale=0.5),
        case(drawn(1, 2, 2, 3), drawn(1, 2, 2, 3), drawn(1, 2, 2, 3), local_window_size=1),
    ),
    # Minus infinity where the mask is false.
    "log_softmax": (case(MATRIX), case(MATRIX, axis=0), case(MATRIX, where=FLAGS, seen=lambda y: y[FLAGS])),
    "glu": (case(drawn(3, 4)), case(drawn(2, 3), axis=0)),
    "one_hot": (case(UNIT, 3),),
    "squareplus": (case(MATRIX), case(MATRIX, b=positive())),
    "scaled_dot_general": (case(MATRIX, drawn(3, 2), (((1,), (0,)), ((), ())), preferred_element_type="float64"),),
    "logsumexp": (
        case(MATRIX),
        case(MATRIX, axis=0, keepdims=True),
        case(MATRIX, b=drawn(3), axis=1, return_sign=True),
        case(MATRIX, where=FLAGS),
    ),
    "standardize": (
        case(MATRIX),
        case(MATRIX, axis=0, mean=drawn(3), variance=positive(3)),
        case(MATRIX, algorithm="stable"),
    ),
}

_SCIPY: Mapping[str, tuple[Case, ...]] = {
    "cluster.vq.vq": (case(drawn(3, 2), drawn(2, 2)),),
    **{
        f"fft.{name}": (case(MATRIX), case(MATRIX, n=4, axis=0, norm="ortho"), case(MATRIX, n=2))
        for name in ("dct", "idct")
    },
    **{f"fft.{name}": (case(MATRIX), case(MATRIX, s=(3, 2), norm="ortho")) for name in ("dctn", "idctn")},
    "integrate.trapezoid": (case(MATRIX), case(MATRIX, VECTOR)),
    "ndimage.map_coordinates": (
        *(
            case(IMAGE, [between(0.1, 0.9, 3), between(1.1, 1.9, 3)], order=order, mode=mode, cval=2.0)
            for order, mode in ((1, "constant"), (0, "nearest"), (1, "mirror"))
        ),
        case(IMAGE, [between(-0.9, -0.1, 3), between(2.1, 2.9, 3)], order=1, mode="wrap"),
    ),
    **{
        f"signal.{name}": (
            case(VECTOR, drawn(2)),
            case(VECTOR, drawn(2), mode="same"),
            case(drawn(4), drawn(3), mode="valid"),
        )
        for name in ("convolve", "correlate", "fftconvolve")
    },
    **{
        f"signal.{name}": (case(IMAGE, drawn(2, 2)), case(IMAGE, drawn(2, 2), mode="same"))
        for name in ("convolve2d", "correlate2d")
    },
    "signal.csd": (case(SERIES, drawn(7), nperseg=4), case(SERIES, drawn(7), nperseg=4, scaling="spectrum")),
    "signal.detrend": (case(MATRIX), case(MATRIX, type="constant", axis=0), case(SERIES, bp=3)),
    "signal.istft": (case(complex_numbers(3, 4), nperseg=4),),
    "signal.stft": (case(SERIES, nperseg=4), case(SERIES, nperseg=4, return_onesided=False, boundary=None)),
    "signal.welch": (case(SERIES, nperseg=4), case(SERIES, nperseg=4, detrend="linear", average="median")),
    **{f"sparse.linalg.{name}": (case(square(), VECTOR, tol=1e-14),) for name in ("bicgstab", "gmres")},
    "sparse.linalg.cg": (case(covariance(), VECTOR, tol=1e-14),),
}

_SPECIAL: Mapping[str, tuple[Case, ...]] = {
    "bessel_jn": (case(positive(3), v=2), case(between(2, 9, 3), v=1)),
    "betainc": (case(positive(2, 3), positive(3), UNIT),),
    "comb": (case(positive(3), numpy.array([2.0, 1.0, 0.0])),),
    "expn": (case(numpy.array([1.0, 2.0, 4.0]), positive(3)),),
    "factorial": (case(positive(3)),),
    "hyp2f1": (
        case(positive(3), positive(3), positive(3), between(0.1, 0.7, 3)),
        case(positive(), 1.5, 2.5, between(-0.9, -0.2, 3)),
    ),
    "multigammaln": (case(between(2, 4, 3), 2),),
    "owens_t": (case(MATRIX, VECTOR), case(MATRIX, positive(3))),
    "polygamma": (case(numpy.array([1, 2, 0]), positive(3)),),
    "sph_harm_y": (
        case(numpy.array([1, 2, 3]), numpy.array([0, -1, 2]), between(0.3, 2.5, 3), between(0, 6, 3), n_max=3),
    ),
    "wofz": (case(complex_numbers(3)), case(MATRIX)),
    "zeta": (case(numpy.array([2.0, 3.0, 1.5]), positive(3)),),
}


def _distribution(*arguments: Any, scaled: bool = True) -> tuple[Case, ...]:
    """Calls of the functions of a distribution: plain, and with its location and scale."""
    located = (case(*arguments, loc=between(-0.9, -0.3, 3), scale=between(2, 3, 3)),) if scaled else ()
    return (case(*arguments), *located)


def _of(distribution: str, functions: str, cases: tuple[Case, ...]) -> dict[str, tuple[Case, ...]]:
    return {f"{distribution}.{name}": cases for name in functions.split()}


DENSITIES = "cdf logcdf logpdf logsf pdf sf"
MASSES = "logpmf pmf"
SIMPLEX = numpy.array([0.2, 0.5, 0.3])
SHARES = Drawn((3,), 0.0, enters=lambda x: x / jnp.sum(x))
_STATISTICS: Mapping[str, tuple[Case, ...]] = {
    "mode": (case(VECTOR),),
    "rankdata": (case(VECTOR),),
    "sem": (case(MATRIX), case(MATRIX, axis=1, ddof=0, keepdims=True)),
    **_of("bernoulli", "cdf ppf " + MASSES, (case(numpy.array([0, 1, 1]), UNIT),)),
    "bernoulli.ppf": (case(UNIT, between(0, 1, 3)),),
    **_of("beta", DENSITIES, _distribution(UNIT, positive(3), positive(3))),
    **_of("betabinom", MASSES, (case(COUNTS, TRIALS, positive(3), positive(3)),)),
    **_of("binom", MASSES, (case(COUNTS, TRIALS, UNIT),)),
    **_of("cauchy", DENSITIES, _distribution(MATRIX)),
    **_of("cauchy", "isf ppf", _distribution(UNIT)),
    **_of("chi2", DENSITIES, _distribution(positive(2, 3), positive(3))),
    **_of("dirichlet", "logpdf pdf", (case(SIMPLEX, positive(3)),)),
    **_of("expon", DENSITIES, _distribution(positive(2, 3))),
    **_of("expon", "ppf", _distribution(UNIT)),
    **_of("gamma", DENSITIES, _distribution(positive(2, 3), positive(3))),
    **_of("gennorm", "cdf logpdf pdf", (case(MATRIX, positive(3)),)),
    **_of("geom", MASSES, (case(numpy.array([1, 2, 4]), UNIT),)),
    **_of("gumbel_l", DENSITIES, _distribution(MATRIX)),
    **_of("gumbel_l", "ppf", _distribution(UNIT)),
    **_of("gumbel_r", DENSITIES, _distribution(MATRIX)),
    **_of("gumbel_r", "ppf", _distribution(UNIT)),
    **_of("laplace", "cdf logpdf pdf", _distribution(MATRIX)),
    **_of("logistic", "cdf logpdf pdf sf", _distribution(MATRIX)),
    **_of("logistic", "isf ppf", _distribution(UNIT)),
    **_of("multinomial", MASSES, (case(numpy.array([2, 0, 1]), 3, SHARES),)),
    **_of("multivariate_normal", "logpdf pdf", (case(MATRIX, VECTOR, covariance()),)),
    **_of("nbinom", MASSES, (case(COUNTS, positive(3), UNIT),)),
    **_of("norm", DENSITIES, _distribution(MATRIX)),
    **_of("norm", "isf ppf", _distribution(UNIT)),
    **_of("pareto", DENSITIES, _distribution(between(4, 6, 3), positive(3))),
    **_of("pareto", "ppf", _distribution(UNIT, positive(3))),
    **_of("poisson", "cdf " + MASSES, (case(COUNTS, positive(3)),)),
    "poisson.entropy": (case(positive(3)),),
    **_of("t", "logpdf pdf", _distribution(MATRIX, positive(3))),
    **_of("truncnorm", DENSITIES, _distribution(between(-1, 1, 3), between(-2, -1.5, 3), between(1.5, 2.5, 3))),
    **_of("uniform", "cdf logpdf pdf ppf", _distribution(UNIT)),
    **_of("vonmises", "logpdf pdf", (case(VECTOR, positive(3)),)),
    **_of("wrapcauchy", "logpdf pdf", (case(between(0.5, 6, 3), UNIT),)),
}

CASES: Mapping[str, tuple[Case, ...]] = {
    f"{module}.{name}": cases
    for module, table in {
        "jax.nn": _NN,
        "jax.scipy": _SCIPY,
        "jax.scipy.special": _SPECIAL,
        "jax.scipy.stats": _STATISTICS,
    }.items()
    for name, cases in table.items()
}
