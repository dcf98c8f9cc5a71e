"""Trees of tensors: nested tuples, lists and dictionaries taken apart and put together again.

Functions given to `func.vmap` take and return such trees; a leaf is anything that is no container. None is a leaf too.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

Rebuild = Callable[[Sequence[Any]], Any]


def flatten(tree: Any) -> tuple[list[Any], Rebuild]:
    """The leaves in order, and a function that puts as many others in their places."""
    if isinstance(tree, dict):
        return _container(list(tree.values()), lambda children: dict(zip(tree, children, strict=True)))
    # A named tuple takes its parts as separate arguments.
    if isinstance(tree, tuple) and hasattr(tree, "_fields"):
        return _container(list(tree), lambda children: type(tree)(*children))
    if isinstance(tree, (tuple, list)):
        return _container(list(tree), type(tree))
    return [tree], lambda leaves: leaves[0]


def _container(children: list[Any], make: Callable[[list[Any]], Any]) -> tuple[list[Any], Rebuild]:
    parts = [flatten(child) for child in children]

    def rebuild(leaves: Sequence[Any]) -> Any:
        rest, made = list(leaves), []
        for own, again in parts:
            made.append(again(rest[: len(own)]))
            rest = rest[len(own) :]
        return make(made)

    return [leaf for own, _ in parts for leaf in own], rebuild
