"""The questions of a smoke test: what goes into an array comes out, operators and functions give NumPy's numbers."""

from __future__ import annotations

import operator
from collections.abc import Callable, Iterator, Mapping
from typing import Any

import numpy as np

from autograd_conformance.starting.comparing import brief, mismatch, same
from autograd_conformance.starting.derivatives import DERIVATIVES
from autograd_conformance.starting.findings import Odd, Task
from autograd_conformance.starting.samples import SAMPLES, Sample

__all__ = ["tasks"]

READING = ("array", "to_numpy")
# What goes in, and the dtype that is asked for.
ROUND_TRIPS: Mapping[str, tuple[Any, str | None]] = {
    "a scalar": (3.0, None),
    "a vector": ([0.5, -1.5], None),
    "nested lists": ([[1.0, 2.0], [3.0, 4.0]], None),
    "no elements": ([], None),
    "float32": ([0.5, -1.5], "float32"),
    "complex numbers": ([1 + 2j, -0.5j], None),
    "integers": ([1, -2], None),
    "truth values": ([True, False], None),
}
OPERATORS: Mapping[str, Callable[[Any, Any], Any]] = {
    "x + y": operator.add,
    "x - y": operator.sub,
    "x * y": operator.mul,
    "x / y": operator.truediv,
    "x @ y": operator.matmul,
    "x > y": operator.gt,
    "-x": lambda x, y: -x,
    "x ** 2": lambda x, y: x**2,
    "2.0 * x": lambda x, y: 2.0 * x,
    "1.0 - x": lambda x, y: 1.0 - x,
    "x[0]": lambda x, y: x[0],
    "x[:2]": lambda x, y: x[:2],
    "len(x.shape)": lambda x, y: np.array(len(x.shape)),
    "x.ndim": lambda x, y: np.array(x.ndim),
}


def tasks() -> Iterator[Task]:
    """Every question, in the order in which its answer matters."""
    for what, (value, dtype) in ROUND_TRIPS.items():
        yield Task(f"array: {what}", READING, _round_trip(value, dtype), "mend `array` or `to_numpy`")
    yield Task("to_numpy: read twice", READING, _read_twice, "let `to_numpy` leave the value as it was")
    for name, apply in OPERATORS.items():
        yield Task(f"operator: {name}", READING, _operator(apply), "let `array` give what has operators")
    for verb, ask in DERIVATIVES.items():
        needs = (*READING, *verb.split(", "))
        yield Task(verb, needs, ask, f"mend `{needs[-1]}`")
        yield Task(f"{verb}: once more", needs, ask, "let no call leave anything behind that changes the next one")
    for name, sample in SAMPLES.items():
        yield Task(f"np.{name}", (*READING, f"np.{name}"), _function(name, sample), f"mend `np.{name}`")


def _round_trip(value: Any, dtype: str | None) -> Callable[[Any], None]:
    def ask(ad: Any) -> None:
        call = f"to_numpy(array({value}{f', {dtype!r}' if dtype else ''}))"
        got = ad.to_numpy(ad.array(value, dtype) if dtype else ad.array(value))
        expected = np.array(value, dtype)
        if not isinstance(got, np.ndarray | np.generic):
            raise Odd(f"{call} of type {type(got).__name__}", "a NumPy array", "mend `to_numpy`")
        if expected.size and got.dtype != expected.dtype:  # what has no numbers has no floats either
            raise Odd(f"{call} of dtype {got.dtype}", str(expected.dtype), "mend `array`: floats are float64")
        if got.shape != expected.shape or not np.array_equal(got, expected):
            raise Odd(f"{call} = {brief(got)}", brief(expected), "mend `array` or `to_numpy`")

    return ask


def _read_twice(ad: Any) -> None:
    x = ad.array([1.0, 2.0])
    first = np.array(ad.to_numpy(x))
    same(ad, "the second to_numpy(x)", x, first, "let `to_numpy` leave the value as it was")
    same(ad, "x + x after it", x + x, 2 * first, "let `to_numpy` leave the value as it was")


def _operator(apply: Callable[[Any, Any], Any]) -> Callable[[Any], None]:
    x, y = [1.0, -2.0, 0.5], [3.0, 0.25, -1.0]

    def ask(ad: Any) -> None:
        expected = apply(np.array(x), np.array(y))
        got = apply(ad.array(x), ad.array(y))
        if isinstance(got, np.ndarray) and isinstance(expected, np.ndarray) and got.ndim == 0:
            got = ad.array(float(got))  # a plain number about the array, and not an array of the engine
        same(ad, f"with x = {x}, y = {y}", got, expected, "let `array` give what has operators")

    return ask


def _function(name: str, sample: Sample) -> Callable[[Any], None]:
    def ask(ad: Any) -> None:
        result = getattr(ad.np, name)(*(_arrays(ad, value) for value in sample.args))
        got, expected = np.asarray(sample.of(_numbers(ad, result))), sample.expected
        if mismatch(got, expected):
            call = f"np.{name}({', '.join(brief(value) for value in sample.args)})"
            raise Odd(f"ad.{call} = {brief(got)}", f"{brief(expected)}, as NumPy gives", f"mend `np.{name}`")

    return ask


def _arrays(ad: Any, value: Any) -> Any:
    """An argument with the engine's arrays in place of NumPy's."""
    if isinstance(value, list):
        return [_arrays(ad, one) for one in value]
    return ad.array(value.tolist()) if isinstance(value, np.ndarray) else value


def _numbers(ad: Any, result: Any) -> Any:
    """A result with NumPy's arrays in place of the engine's."""
    return [_numbers(ad, one) for one in result] if isinstance(result, (tuple, list)) else ad.to_numpy(result)
