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
        # A NaN is no nearer after any number of steps, and must not end them for the other elements. The distance is
        # relative: the rule iterates on cotangents, whose size is any.
        np, is_number = autograd.numpy, ~numpy.isnan(autograd.tracer.getval(x))
        return np.sum(np.abs(x - y)[is_number]) / (np.sum(np.abs(y)[is_number]) + numpy.finfo(a.dtype).tiny)

    # The steps converge quadratically: after one of this size, the next is exact.
    tolerance = 64 * numpy.finfo(a.dtype).eps
    return autograd.misc.fixed_points.fixed_point(step, a, autograd.numpy.zeros_like(a), distance, tolerance)


LOOPS: Mapping[str, Spelling] = {"custom_root": _root}
