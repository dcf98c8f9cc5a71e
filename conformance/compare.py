"""Comparison of values, errors and warnings with what is expected: arrays up to rounding in the dtype asked for."""

from __future__ import annotations

from collections.abc import Callable, Collection, Mapping
from dataclasses import dataclass
from itertools import islice
from typing import Any

import numpy as np
from msgspec.structs import replace

# By name, and not as np.allclose: what a check or an engine puts in its place there is not called here.
from numpy import allclose, asarray, errstate, generic, ndarray

from conformance.messages import printable
from conformance.verdicts import Witness

# Units in the last place. A check is a handful of operations on small numbers, so a few hundred are ample; of half
# precision four are as much as may pass, for an error of 1 % is ten.
ROUNDING = {"float16": 4, "float32": 512, "float64": 512, "complex64": 512, "complex128": 512}
# The relative error that is rounding, by the dtype that is asked for.
TOLERANCES = {name: units * float(np.finfo(name).eps) for name, units in ROUNDING.items()}
# What is asked for of an engine without double precision.
SINGLE = {"float64": "float32", "complex128": "complex64"}
# As many items as a message shows at most.
SHOWN = 100


@dataclass(frozen=True)
class Terms:
    """The terms of a comparison; nothing of them comes from the value that is compared.

    `to_numpy` is the adapter's conversion of an engine's array, `missing` the dtypes that the engine lacks, `dtype` the
    one that the check asks for (None: that of what it expects), `within` an absolute tolerance in place of rounding.
    """

    to_numpy: Callable[[Any], Any]
    missing: Collection[str] = ()
    dtype: str | None = None
    within: float | None = None

    def asked(self, expected: ndarray[Any, Any]) -> np.dtype[Any]:
        """The dtype in which the value is asked for: numbers of a check are doubles unless it names another dtype."""
        name = self.dtype or expected.dtype.name
        return expected.astype(SINGLE.get(name, name) if name in self.missing else name).dtype


def difference(got: Any, expected: Any, terms: Terms) -> Witness | None:
    """The difference of `got` from `expected`, with the property that differs; None where they are equal."""
    # A missing gradient is None: as an array it would be NaN, or of dtype object.
    if expected is None or got is None:
        return None if got is expected else Witness(brief(got), brief(expected))
    if isinstance(expected, tuple):
        return _items(got, list(enumerate(expected)), (tuple, list), terms)
    if isinstance(expected, Mapping):
        return _items(got, list(expected.items()), (Mapping,), terms)
    return _arrays(got, asarray(expected), terms)


def _items(got: Any, expected: list[tuple[Any, Any]], kinds: tuple[type[Any], ...], terms: Terms) -> Witness | None:
    if not isinstance(got, kinds):
        return Witness(brief(got), f"a container of {len(expected)}", "container")
    if len(got) != len(expected):
        return Witness(f"{len(got)} items", f"{len(expected)}", "container")
    for key, wanted in expected:
        if isinstance(got, Mapping) and key not in got:
            return Witness(f"keys {sorted(map(str, got))}", f"{key!r} among them", "container")
        if problem := difference(got[key], wanted, terms):
            return replace(problem, expected=f"{problem.expected} at item {key!r}")
    return None


def _arrays(got: Any, expected: ndarray[Any, Any], terms: Terms) -> Witness | None:
    if isinstance(got, (tuple, Mapping)):
        return Witness(f"{brief(got)}, a container", brief(expected), "container")
    value = got if isinstance(got, (int, float, complex, ndarray)) else terms.to_numpy(got)
    if not isinstance(value, (int, float, complex, ndarray, generic)):
        given = f"from to_numpy {brief(value)}, a {type(value).__name__}"
        return Witness(given, f"a NumPy array of {brief(expected)}", "type")
    # The base class: an engine's own would have its own `==`.
    numbers = asarray(value)
    if numbers.dtype.kind in "OSUMm":  # objects, text, dates
        return Witness(f"{brief(got)}, which are not numbers", brief(expected), "type")
    # Before the numbers: allclose would broadcast, and call a scalar equal to an array of it.
    if numbers.shape != expected.shape:
        shape = f"of shape {expected.shape}"
        return Witness(f"{brief(numbers)} of shape {numbers.shape}", f"{brief(expected)} {shape}", "shape")
    asked = terms.asked(expected)
    if not _has_dtype(value, numbers.dtype, asked):
        values = f"got {brief(numbers)}, expected {brief(expected)}"
        return Witness(numbers.dtype.name, f"{asked.name}: {values}", "dtype")
    if _same_numbers(numbers, expected, TOLERANCES.get(asked.name, 0.0), terms.within):
        return None
    return Witness(brief(numbers), brief(expected))


def _has_dtype(value: Any, dtype: np.dtype[Any], asked: np.dtype[Any]) -> bool:
    """Whether an array is of the precision asked for, and a number of Python's, or an integer, of the kind."""
    # The width of integers is each platform's and engine's choice, and Python's floats are double precision only.
    free = type(value) in (bool, int, float, complex) or dtype.kind in "iu"
    return dtype.kind.replace("u", "i") == asked.kind.replace("u", "i") if free else dtype.name == asked.name


def _same_numbers(
    numbers: ndarray[Any, Any], expected: ndarray[Any, Any], rounding: float, within: float | None
) -> bool:
    with errstate(all="ignore"):
        if (numbers == expected).all():
            return True
        # A stated tolerance is absolute: a relative part would widen it unseen.
        if within is not None:
            return allclose(numbers, expected, rtol=0.0, atol=within, equal_nan=True)
        # Absolute for numbers near zero; as large as half precision's relative tolerance, it would let 1 % of 0.1 pass.
        return allclose(numbers, expected, rtol=rounding, atol=min(rounding, 1e-4), equal_nan=True)


def unequal(got: Any, expected: Any) -> Witness | None:
    """The difference of `got` from `expected`; None where they are exactly equal."""
    return None if _is(got, expected) else Witness(brief(got), brief(expected))


def _is(got: Any, expected: Any) -> bool:
    # An engine's own `==` may return anything: None and flags go by identity, all else by type first, and by the `==`
    # of that type, too, which no subclass can replace.
    if expected is None or isinstance(expected, bool):
        return got is expected
    if not isinstance(got, type(expected)):
        return False
    if isinstance(expected, (tuple, list)):
        return len(got) == len(expected) and all(map(_is, got, expected))
    kind: Any = type(expected)
    return bool(got == expected) and kind.__eq__(expected, got) is True


def unmet(error: BaseException, kind: type[BaseException] | str | None, phrase: str) -> str:
    """The kind or message that an error or warning is promised to have and lacks; empty where it has both."""
    if kind is not None and not _is_a(error, kind):
        return kind if isinstance(kind, str) else kind.__name__
    return "" if phrase.lower() in str(error).lower() else f"a message that says {phrase!r}"


def _is_a(error: BaseException, kind: type[BaseException] | str) -> bool:
    # By dotted name where the class is the engine's, which chapters do not import.
    if isinstance(kind, type):
        return isinstance(error, kind)
    return any(kind in (f"{base.__module__}.{base.__qualname__}", base.__qualname__) for base in type(error).__mro__)


def brief(value: Any) -> str:
    """Any value in a short line. Of an array or a container only the first items are printed."""
    try:
        text = _first_items(value)
    except Exception:
        text = f"a {type(value).__name__} that cannot be shown"
    # Cut first: the repr of a large array is megabytes, and it is split word by word.
    text = printable(" ".join(text[:2000].split()))
    return text if len(text) <= 200 else f"{text[:197]}..."


def _first_items(value: Any) -> str:
    if isinstance(value, ndarray):
        array = asarray(value)
        return str((array if array.size <= SHOWN else array.flat[:SHOWN]).tolist())
    if type(value) in (tuple, list) and len(value) > SHOWN:
        return repr(value[:SHOWN])
    if type(value) is dict and len(value) > SHOWN:
        return repr(dict(islice(value.items(), SHOWN)))
    return repr(value)
