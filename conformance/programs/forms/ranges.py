"""Interval arithmetic: bounds of every result, so that operations are drawn inside their domains."""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from math import prod
from typing import Any, TypeAlias

from conformance.protocol.types import Shape

Range: TypeAlias = tuple[float, float]
# The largest number of a program: its third power is still far from the end of single precision.
LARGEST = 100.0

# All numbers.
ANY: Range = (-LARGEST, LARGEST)
# Of a form that is no elementwise operation.
Bounds: TypeAlias = Callable[..., Range]
Rule: TypeAlias = tuple[Range, Callable[[float, float], Range]]


def _monotone(function: Callable[[float], float], low: float = -LARGEST, high: float = LARGEST) -> Rule:
    return (low, high), lambda a, b: (function(a), function(b))


def _falling(function: Callable[[float], float], low: float, high: float) -> Rule:
    return (low, high), lambda a, b: (function(b), function(a))


def _bounded(low: float, high: float, domain: Range = ANY) -> Rule:
    return domain, lambda a, b: (low, high)


# At zero 0.0 is a bound, if not the least value, as of cosh.
def _even(function: Callable[[float], float], high: float = LARGEST) -> Rule:
    """A function that grows with the size of its argument."""
    return (-high, high), lambda a, b: (
        0.0 if a <= 0.0 <= b else min(function(a), function(b)),
        max(function(a), function(b)),
    )


# For each operation its domain, as far as programs use it, and the bounds of its values.
UNARY: dict[str, Rule] = {
    **dict.fromkeys(("sin", "cos"), _bounded(-1.0, 1.0)),
    "sinc": _bounded(-0.3, 1.0),
    "tanh": _monotone(math.tanh),
    "sigmoid": _monotone(lambda x: 1 / (1 + math.exp(-x))),
    "square": _even(lambda x: x * x, 10.0),
    "exp": _monotone(math.exp, -10.0, 4.0),
    "exp2": _monotone(lambda x: 2.0**x, -10.0, 6.0),
    "expm1": _monotone(math.expm1, -10.0, 4.0),
    # Domains end before poles and steep ends, beside which differences lose their digits.
    "log": _monotone(math.log, 0.1),
    "log2": _monotone(math.log2, 0.1),
    "log1p": _monotone(math.log1p, -0.8),
    "sqrt": _monotone(math.sqrt, 0.05),
    "rsqrt": _falling(lambda x: x**-0.5, 0.05, LARGEST),
    "reciprocal": _falling(lambda x: 1 / x, 0.2, LARGEST),
    "negative": _falling(lambda x: -x, *ANY),
    "abs": _even(abs),
    "relu": _monotone(lambda x: max(x, 0.0)),
    "relu6": _monotone(lambda x: min(max(x, 0.0), 6.0)),
    "hardtanh": _monotone(lambda x: min(max(x, -1.0), 1.0)),
    "softplus": _monotone(lambda x: math.log1p(math.exp(x)) if x < 30.0 else x),
    "atan": _monotone(math.atan),
    "asinh": _monotone(math.asinh),
    "sinh": _monotone(math.sinh, -4.0, 4.0),
    "cosh": _even(math.cosh, 4.0),
    "tan": _monotone(math.tan, -1.2, 1.2),
    "erf": _monotone(math.erf),
    "leaky_relu": _monotone(lambda x: x if x > 0.0 else 0.01 * x),
    **dict.fromkeys(("floor", "trunc"), (ANY, lambda a, b: (math.floor(a), math.ceil(b)))),
    "sign": _bounded(-1.0, 1.0),
    "asin": _monotone(math.asin, -0.95, 0.95),
    "acos": _falling(math.acos, -0.95, 0.95),
    "atanh": _monotone(math.atanh, -0.95, 0.95),
    "acosh": _monotone(math.acosh, 1.1),
    "logit": _monotone(lambda x: math.log(x / (1 - x)), 0.02, 0.98),
    "digamma": _bounded(-10.5, 5.0, (0.1, LARGEST)),
}


def _added(x: Range, y: Range) -> Range:
    return x[0] + y[0], x[1] + y[1]


def _multiplied(x: Range, y: Range) -> Range:
    ends = [a * b for a in x for b in y]
    return min(ends), max(ends)


def _divided(x: Range, y: Range) -> Range | None:
    return _multiplied(x, (1 / y[1], 1 / y[0])) if y[0] >= 0.2 else None


def _power(x: Range, y: Range) -> Range | None:
    if x[0] < 0.1 or x[1] > 4.0 or y[0] < -2.0 or y[1] > 3.0:
        return None
    ends = [a**b for a in x for b in y]
    return min(ends), max(ends)


BINARY: dict[str, Callable[[Range, Range], Range | None]] = {
    "add": _added,
    "subtract": lambda x, y: (x[0] - y[1], x[1] - y[0]),
    "multiply": _multiplied,
    "divide": _divided,
    "maximum": lambda x, y: (max(x[0], y[0]), max(x[1], y[1])),
    "minimum": lambda x, y: (min(x[0], y[0]), min(x[1], y[1])),
    # Not at the origin, where `atan2` and `hypot` have no derivative.
    "atan2": lambda x, y: (-3.2, 3.2) if y[0] >= 0.1 else None,
    "hypot": lambda x, y: (0.05, size_of(x) + size_of(y)) if max(x[0], y[0]) >= 0.1 else None,
    "logaddexp": lambda x, y: (max(x[0], y[0]), max(x[1], y[1]) + 0.7),
    "pow": _power,
    "remainder": lambda x, y: (0.0, y[1]) if y[0] >= 0.2 else None,
}


REDUCTIONS = ("sum", "mean", "prod", "amax", "amin", "logsumexp", "var")
SCANS = ("cumsum", "cumprod", "softmax", "log_softmax", "sort_along_axis")


def _reduced(name: str, bounds: Range, count: int) -> Range | None:
    """The bounds of a reduction of so many elements."""
    low, high = bounds
    size = size_of(bounds)
    if name == "sum":
        return count * low, count * high
    if name == "prod":
        # With more elements, differences drown in rounding.
        return (-(size**count), size**count) if count <= 6 else None
    if name == "logsumexp":
        # Of at most 24 elements, whose logarithm is below 4.
        return low, high + 4.0
    if name == "var":
        return (0.0, size * size * 4.0) if count > 1 else None
    return bounds


def _scanned(name: str, bounds: Range, count: int) -> Range:
    """The bounds of an operation along an axis of so many elements."""
    low, high = bounds
    size = size_of(bounds)
    if name == "cumsum":
        return min(low, count * low), max(high, count * high)
    if name == "cumprod":
        return -max(size, size**count), max(size, size**count)
    if name == "softmax":
        return 0.0, 1.0
    if name == "log_softmax":
        return low - high - 4.0, 0.0
    return bounds


def union(x: Range, y: Range) -> Range:
    """The smallest range that has both in it."""
    return min(x[0], y[0]), max(x[1], y[1])


def size_of(x: Range) -> float:
    """The largest magnitude of a number in a range."""
    return max(-x[0], x[1])


def _around(size: float) -> Range:
    return -size, size


def _scaled(factor: float, *forms: str) -> dict[str, Bounds]:
    return dict.fromkeys(forms, lambda shape, x: (factor * x[0], factor * x[1]))


def _wider(by: float, *forms: str) -> dict[str, Bounds]:
    """Of rules of a user: values leave those of the argument by this much."""
    return dict.fromkeys(forms, lambda shape, x: (x[0] - by, x[1] + by))


# Derivatives, and results of control flow, whose bounds are unknown: only operations that take all numbers follow them.
UNBOUNDED = (
    *("backward", "backward_to", "grad_of", "grad", "grad_of_second", "grad_of_container", "jacobian", "jacfwd"),
    *("hessian", "vjp_of_two", "jvp", "vjp", "linearize", "cond", "switch", "fori_loop", "reference"),
    *("while_loop_forward", "scan", "scan_of_each"),
)
# From the first operand's shape, and the bounds of all operands. The generator knows those of forms with bodies.
RULES: dict[str, Bounds] = {
    **dict.fromkeys(UNBOUNDED, lambda shape, *ranges: ANY),
    **dict.fromkeys(
        ("larger", "copy_", "set_item_", "no_grad_copy", "np.stack", "np.concat"), lambda shape, x, y: union(x, y)
    ),
    **dict.fromkeys(("np.tril", "np.triu", "zero_"), lambda shape, x: union(x, (0.0, 0.0))),
    **dict.fromkeys(("np.outer", "no_grad_multiply"), lambda shape, x, y: _multiplied(x, y)),
    **dict.fromkeys(("add_to_data", "augment"), lambda shape, x, y: _added(x, y)),
    "np.matmul": lambda shape, x, y: _around(shape[-1] * size_of(x) * size_of(y)),
    "rows_added": lambda shape, x, y: _around(size_of(x) + 2 * size_of(y)),
    "shift_unrecorded": lambda shape, x: (x[0], x[1] + 0.5),
    "custom_of_two": lambda shape, x: _around(6 * size_of(x) * size_of(x)),
    "masked_log": lambda shape, x: (0.0, math.log(max(1.0, x[1]))),
    **dict.fromkeys(("guarded", "guarded_gradients"), lambda shape, x: (0.0, 10.0)),
    **_scaled(2, "custom_dirty", "doubled_in_place", "custom_unused"),
    **_scaled(3, "custom_constant"),
    **_wider(0.0, "reversed_gradient", "clipped_gradient"),
    **_wider(0.5, "straight_through", "rounded_function", "rounded_jvp"),
}


def bounds_of(form: str, shape: Shape, ranges: Sequence[Range], options: Sequence[Any]) -> Range | None:
    """The bounds of a step's value, or None where an operand may be outside of the domain.

    `shape` is that of the first operand. Those of a form without a rule are that operand's, as of a view.
    """
    name = form.removeprefix("np.").removeprefix("write.")
    if form in RULES or name == form:
        return RULES[form](shape, *ranges) if form in RULES else ranges[0]
    if name in UNARY:
        (low, high), image = UNARY[name]
        return image(*ranges[0]) if low <= ranges[0][0] and ranges[0][1] <= high else None
    if name in BINARY:
        return BINARY[name](*ranges)
    if name in REDUCTIONS:
        return _reduced(name, ranges[0], prod(shape) if options[0] is None else shape[options[0]])
    return _scanned(name, ranges[0], shape[options[0]]) if name in SCANS else ranges[0]
