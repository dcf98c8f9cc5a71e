"""Modules as functions of their parameters, in PyTorch."""

from __future__ import annotations

from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from functools import cache
from typing import Any


@cache
def _built(torch: Any, build: Callable[..., Any], *sizes: Any) -> Any:
    """A module without numbers: each call brings its parameters.

    It is built in a thread, where no transform is open: vmap forbids the random numbers of first parameters.
    """
    with ThreadPoolExecutor(1) as pool:
        return pool.submit(build, torch, *sizes).result()


def called(torch: Any, build: Callable[..., Any], sizes: tuple[Any, ...], numbers: Any, *inputs: Any) -> Any:
    """The output of the module that `build` makes, with these numbers by name, or in the order of its parameters."""
    module = _built(torch, build, *sizes)
    if not isinstance(numbers, dict):
        names = [name for name, _ in module.named_parameters()]
        numbers = dict(zip(names, numbers, strict=True))
    return torch.func.functional_call(module, numbers, inputs)
