"""Functions that are solved for, in HIPS autograd."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import numpy

from conformance.protocol import Spelling


def _root(autograd: Any, a: Any) -> Any:
    """Newton's iteration for x^3 + x = a, whose derivative `fixed_point` has a rule for."""

    def step(a: Any) -> Any:
        return lambda x: x - (x**3 + x - a) / (3 * x**2 + 1)

    def distance(x: Any, y: Any) -> Any:
        # A NaN is no nearer after any number of steps, and must not end them for the other elements.
        return autograd.numpy.sum(autograd.numpy.abs(x - y)[~numpy.isnan(autograd.tracer.getval(x))])

    # The steps converge quadratically: after one of this size, the next is exact.
    tolerance = 64 * numpy.finfo(a.dtype).eps
    return autograd.misc.fixed_points.fixed_point(step, a, autograd.numpy.zeros_like(a), distance, tolerance)


LOOPS: Mapping[str, Spelling] = {"custom_root": _root}
