"""Derivatives with respect to containers: an entry's derivative has the entry's place, whatever the order of keys."""

from __future__ import annotations

from importlib.util import find_spec
from typing import Any

import pytest

from conformance.programs.engine import engine_of

MODULES = {"reference": "reference_engine", "torch": "torch", "torch_func": "torch", "jax": "jax"}


def nested(ad: Any, *numbers: float) -> Any:
    """Keys are not in alphabetical order, and no two entries have the same part in the program."""
    w, a, b = map(ad.array, numbers)
    return {"w": w, "a": [(a,), {"c": b}]}


def program(p: Any, q: Any) -> Any:
    """The sum of w, 10 a and 100 b, each times that of the other container."""
    return p["w"] * q["w"] + 10.0 * p["a"][0][0] * q["a"][0][0] + 100.0 * p["a"][1]["c"] * q["a"][1]["c"]


@pytest.mark.parametrize("spec", MODULES)
def test_entries_of_containers_are_not_exchanged(spec: str) -> None:
    """By grad, and by a pullback of two containers whose output is a container, too."""
    if find_spec(MODULES[spec]) is None:
        pytest.skip("not installed")
    ad = engine_of(spec).ad
    x, y = nested(ad, 2.0, 3.0, 5.0), nested(ad, 7.0, 11.0, 13.0)
    by_x, by_y = nested(ad, 7.0, 110.0, 1300.0), nested(ad, 2.0, 30.0, 500.0)
    assert ad.grad(program)(x, y) == by_x
    assert ad.grad(program, (1, 0))(x, y) == (by_y, by_x)
    output, pullback = ad.vjp(lambda p, q: {"z": program(p, q), "b": p["w"] * 1.0}, x, y)
    # JAX sorts the keys of dictionaries.
    assert list(output) == ["z", "b"] or spec == "jax"
    cotangents = pullback({"z": ad.array(1.0), "b": ad.array(1000.0)})
    assert tuple(cotangents) == (nested(ad, 1007.0, 110.0, 1300.0), by_y)
