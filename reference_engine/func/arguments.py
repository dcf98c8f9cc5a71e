"""The arguments that a transform differentiates with respect to, among all that its function takes."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

Function = Callable[..., Any]
Argnums = int | tuple[int, ...]


def chosen(args: Sequence[Any], argnums: Argnums) -> list[Any]:
    """The arguments to differentiate with respect to."""
    return [args[i] for i in (argnums if isinstance(argnums, tuple) else (argnums,))]


def replaced(args: Sequence[Any], argnums: Argnums, values: Sequence[Any]) -> list[Any]:
    """All arguments, with others in the places of the chosen ones."""
    given = list(args)
    for i, value in zip(argnums if isinstance(argnums, tuple) else (argnums,), values, strict=True):
        given[i] = value
    return given


def split_aux(result: Any, has_aux: bool) -> tuple[Any, Any]:
    """The output and the auxiliary result of a function; RuntimeError if it promised two and gave another number."""
    if not has_aux:
        return result, None
    if not isinstance(result, tuple) or len(result) != 2:
        raise RuntimeError("with has_aux=True the function must return a tuple (output, aux)")
    return result
