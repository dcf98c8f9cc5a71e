"""JAX's public functions as an inventory: each called by its signature or a table of cases."""

from __future__ import annotations

import warnings
from collections.abc import Callable, Mapping
from typing import Any

import jax
import jax.numpy as jnp

from adapters.inventories.of_jax import lax_cases, linalg_cases, numpy_cases, scipy_cases
from adapters.inventories.of_jax.arguments import Case
from adapters.inventories.of_jax.functions import functions
from adapters.inventories.of_jax.reasons import reason_for
from adapters.inventories.of_jax.signatures import UnknownParameterError, cases_of
from conformance.protocol import Inventory, Item

__all__ = ["CASES", "inventory"]

CASES: Mapping[str, tuple[Case, ...]] = {
    **numpy_cases.CASES,
    **lax_cases.CASES,
    **linalg_cases.CASES,
    **scipy_cases.CASES,
}


def inventory() -> Inventory:
    """Every public function of JAX's modules of array functions, as items or with the reason why not.

    A function without a float among its arguments or outputs is recognised by tracing it abstractly.
    """
    items: dict[str, Item] = {}
    uncovered: dict[str, str] = {}
    with jax.enable_x64(True), warnings.catch_warnings(action="ignore"):
        for name, function in functions().items():
            reason = reason_for(name, function)
            if reason is None:
                reason = _added(items, name, function)
            if reason is not None:
                uncovered[name] = reason
    return Inventory(items, uncovered)


def _added(items: dict[str, Item], name: str, function: Callable[..., Any]) -> str | None:
    """Add the items of a function; or say why there are none."""
    try:
        cases = CASES[name] if name in CASES else tuple(cases_of(name, function))
    except UnknownParameterError as error:
        return str(error)
    made = {
        _key(name, number): Item(_title(name, number), case.values(f"{name} {number}"), case.calling(function))
        for number, case in enumerate(cases, 1)
    }
    # The first tells of all, and a case that was written for a function has a derivative.
    reason = None if name in CASES else _why_not(next(iter(made.values())))
    if reason is None:
        items |= made
    return reason


def _why_not(item: Item) -> str | None:
    """Why an item has no derivative: it takes no floats, or returns none."""
    if not item.values:
        return "takes no array of floating-point numbers"
    try:
        outputs = jax.tree.leaves(jax.eval_shape(item.call, *item.values))
    except Exception as error:
        return f"raises {type(error).__name__} for floating-point numbers: {str(error).splitlines()[0]}"
    if not any(jnp.issubdtype(x.dtype, jnp.inexact) for x in outputs):
        return "returns no floating-point numbers"
    return None


def _title(name: str, number: int) -> str:
    return name if number == 1 else f"{name}, sample {number}"


def _key(name: str, number: int) -> str:
    """`numpy_linalg_det`, and `numpy_linalg_det_2` for the second call."""
    key = name.removeprefix("jax.").replace(".", "_").lower()
    return key if number == 1 else f"{key}_{number}"
