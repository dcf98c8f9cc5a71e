"""Special functions: gamma, beta, error and Bessel functions, and their kin, in HIPS autograd."""

from __future__ import annotations

from collections.abc import Mapping

from conformance.protocol import Spelling, same

SPECIAL: Mapping[str, Spelling] = {
    "betaln_of_negative": "autograd.scipy.special.betaln",
    **same(
        "autograd.scipy.special",
        "gamma gammaln gammasgn rgamma digamma multigammaln beta betaln betainc gammainc gammaincc erf erfc erfinv"
        " erfcinv expit logit i0 i1 j0 j1 y0 y1",
    ),
    "polygamma": lambda autograd, x, n: autograd.scipy.special.polygamma(n, x),
    "trigamma": lambda autograd, x: autograd.scipy.special.polygamma(1, x),
    "betainc_in_x": lambda autograd, x, a, b: autograd.scipy.special.betainc(a, b, x),
    "gammainc_in_x": lambda autograd, x, a: autograd.scipy.special.gammainc(a, x),
    "gammaincc_in_x": lambda autograd, x, a: autograd.scipy.special.gammaincc(a, x),
    "jn": lambda autograd, x, n: autograd.scipy.special.jn(n, x),
    "yn": lambda autograd, x, n: autograd.scipy.special.yn(n, x),
    "iv": lambda autograd, x, v: autograd.scipy.special.iv(v, x),
    "ive": lambda autograd, x, v: autograd.scipy.special.ive(v, x),
    "underived": "autograd.numpy.cbrt",
}
