"""Reductions of an array, or of one of its axes, in HIPS autograd."""

from __future__ import annotations

from collections.abc import Mapping

from conformance.protocol import Spelling

REDUCTIONS: Mapping[str, Spelling] = {
    # The signatures of these functions do not name their options.
    "sum": lambda autograd, x, axis=None, keepdims=False: autograd.numpy.sum(x, axis=axis, keepdims=keepdims),
    "mean": lambda autograd, x, axis=None, keepdims=False: autograd.numpy.mean(x, axis=axis, keepdims=keepdims),
    "prod": lambda autograd, x, axis=None, keepdims=False: autograd.numpy.prod(x, axis=axis, keepdims=keepdims),
    "amax": lambda autograd, x, axis, keepdims=False: autograd.numpy.amax(x, axis=axis, keepdims=keepdims),
    "amin": lambda autograd, x, axis, keepdims=False: autograd.numpy.amin(x, axis=axis, keepdims=keepdims),
    "logsumexp": lambda autograd, x, axis=None, keepdims=False: autograd.scipy.special.logsumexp(
        x, axis=axis, keepdims=keepdims
    ),
    "std_of_one_element": lambda autograd, x: x + autograd.numpy.std(x, -1, keepdims=True),
    "std": lambda autograd, x, axis=None, keepdims=False, ddof=1: autograd.numpy.std(
        x, axis, ddof=ddof, keepdims=keepdims
    ),
    "var": lambda autograd, x, axis=None, keepdims=False, ddof=1: autograd.numpy.var(
        x, axis, ddof=ddof, keepdims=keepdims
    ),
    "cov": lambda autograd, x, ddof=1: autograd.numpy.cov(x, ddof=ddof),
    "prod_along_axis": "autograd.numpy.prod",
    "average": lambda autograd, x, weights, axis=None: autograd.numpy.average(x, axis, weights),
    "quantile": "autograd.numpy.quantile",
    "nanquantile": "autograd.numpy.nanquantile",
    "weighted_logsumexp": lambda autograd, x, weights: autograd.scipy.special.logsumexp(x, b=weights),
    "logsumexp_of_masked": "autograd.scipy.special.logsumexp",
}
