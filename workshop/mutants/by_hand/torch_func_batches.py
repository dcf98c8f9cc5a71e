"""PyTorch's function transforms, with mapping over examples changed."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import AbstractContextManager
from typing import Any

from workshop.mutant import mutant, patched


def _mapping(change: Callable[..., dict[str, Any]]) -> AbstractContextManager[None]:
    """Change the options of a call of vmap()."""
    import torch

    def changed(old: Any) -> Any:
        def vmap(
            program: Any, in_dims: Any = 0, out_dims: Any = 0, randomness: str = "error", *, chunk_size: Any = None
        ) -> Any:
            options = {"in_dims": in_dims, "out_dims": out_dims, "randomness": randomness, "chunk_size": chunk_size}
            return old(program, **{**options, **change(**options)})

        return vmap

    return patched(torch.func, "vmap", changed)


@mutant("torch_func")
def ignores_in_dims() -> Iterator[None]:
    """vmap() maps every argument over its first dimension, and ignores in_dims.

    Models: an argument that is accepted and dropped.
    """
    with _mapping(lambda **options: {"in_dims": 0}):
        yield


@mutant("torch_func")
def ignores_out_dims() -> Iterator[None]:
    """vmap() gives its examples along the first dimension, and ignores out_dims.

    Models: an argument that is accepted and dropped.
    """
    with _mapping(lambda **options: {"out_dims": 0}):
        yield


@mutant("torch_func")
def returns_examples_in_reverse() -> Iterator[None]:
    """vmap() returns the results of the examples in the opposite order.

    Models: an index that runs from the wrong end.
    """
    import torch

    def changed(old: Any) -> Any:
        def vmap(*given: Any, **options: Any) -> Any:
            mapped = old(*given, **options)
            return lambda *args, **keywords: torch.utils._pytree.tree_map(
                lambda y: torch.flip(y, (0,)), mapped(*args, **keywords)
            )

        return vmap

    with patched(torch.func, "vmap", changed):
        yield


@mutant("torch_func")
def draws_without_being_asked() -> Iterator[None]:
    """vmap() lets a program draw random numbers by default.

    Models: a default that is convenient in the place of one that is safe.
    """

    def lenient(**options: Any) -> dict[str, Any]:
        return {"randomness": "different" if options["randomness"] == "error" else options["randomness"]}

    with _mapping(lenient):
        yield


@mutant("torch_func")
def draws_the_same_for_all() -> Iterator[None]:
    """vmap(randomness="different") draws the same numbers for every example.

    Models: one draw, and all examples look at it.
    """

    def alike(**options: Any) -> dict[str, Any]:
        return {"randomness": "same" if options["randomness"] == "different" else options["randomness"]}

    with _mapping(alike):
        yield
