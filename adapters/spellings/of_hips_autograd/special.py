"""Special functions: gamma, beta, error and Bessel functions, and their kin, in HIPS autograd."""

from __future__ import annotations

from collections.abc import Mapping

from conformance.protocol import Spelling, same

SPECIAL: Mapping[str, Spelling] = {
    **same("autograd.scipy.special", "digamma"),
    "underived": "autograd.numpy.cbrt",
}
