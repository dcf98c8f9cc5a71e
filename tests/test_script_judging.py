"""What judges within a script is short, and agrees with what judges in a run: on every pair of what may be confused."""

from __future__ import annotations

from itertools import product
from typing import Any

import numpy as np
import pytest

from conformance.compare import difference, mismatch, unequal
from conformance.scripts import runtime

NAN = float("nan")
# Beside 1: within rounding, beyond it, beyond it tenfold, within the stated tolerance; beside 1e6: beyond that.
NUMBERS = (0.0, 1.0, 1 + 1e-14, 1 + 5e-13, 1 + 1e-10, 5.0, 1e6, 1e6 + 5e-8, NAN, float("inf"), 1j, 1, 2, True, False)
DTYPES = ("float32", "float64", "complex64", "int64", "bool", "object", "U8")
ARRAYS = [np.full(shape, 1).astype(dtype) for dtype in DTYPES for shape in ((), (1,), (2, 1), (0,))]
ITEMS: tuple[Any, ...] = (None, 1.0, 5.0, (1.0,), [1.0], {"a": 1.0}, np.ones(1))
CONTAINERS: list[Any] = [(), {}, [], *((x, y) for x in ITEMS for y in (1.0, (1.0,)))]
CONTAINERS += [[1.0, NAN], [1.0, 1.0], {"a": 1.0}, {"b": 1.0}, {"a": 1.0, "b": (1.0, 2.0)}, {"a": 1.0, "b": [1.0, 2.0]}]
VALUES: list[Any] = [None, np.True_, "a", "", *NUMBERS, *ARRAYS, *CONTAINERS]
ERRORS = (ValueError("No such place"), KeyError("place"), UserWarning(""), UnicodeError("Öde"))
KINDS = (None, ValueError, LookupError, "KeyError", "builtins.ValueError", "other.ValueError")


def _outcome(judge: Any) -> Any:
    """What it says, or the type of what it raises."""
    try:
        return judge()
    except Exception as error:
        return type(error)


@pytest.mark.filterwarnings("ignore::numpy.exceptions.ComplexWarning", "ignore::RuntimeWarning")
def test_values_agree_in_a_script_if_they_do_in_a_run(monkeypatch: pytest.MonkeyPatch) -> None:
    """Containers, arrays of any dtype and shape, NaN, tolerances."""
    monkeypatch.setattr(runtime, "to_numpy", np.asarray)  # in a script the adapter's own code stands there
    found = set()
    for got, expected, within in product(VALUES, VALUES, (None, 1e-9)):
        in_a_run = _outcome(lambda: difference(got, expected, np.asarray, within) == "")  # noqa: B023
        assert _outcome(lambda: runtime.agree(got, expected, within)) == in_a_run, (got, expected, within)  # noqa: B023
        found.add(in_a_run)
    assert found >= {True, False}


def test_values_are_equal_in_a_script_if_they_are_in_a_run() -> None:
    """Flags and None by identity, others by type and value."""
    plain = [value for value in VALUES if not isinstance(value, np.ndarray)]
    for got, expected in product(plain, plain):
        in_a_script = _outcome(lambda: runtime.equal(got, expected))  # noqa: B023
        in_a_run = _outcome(lambda: unequal(got, expected))  # noqa: B023
        assert (in_a_script is runtime.Otherwise) == bool(in_a_run), (got, expected)


@pytest.mark.parametrize("kind", KINDS)
def test_an_exception_is_as_promised_in_a_script_if_it_is_in_a_run(kind: Any) -> None:
    """By class, by name, by full name, and by what it says in any case of letters."""
    for error, phrase in product(ERRORS, ("", "PLACE", "öde", "nowhere")):
        assert runtime.says(error, kind, phrase) == (not mismatch(error, kind, phrase)), (error, phrase)
