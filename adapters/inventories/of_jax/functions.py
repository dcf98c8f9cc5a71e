"""Which functions JAX has: the public names of its modules of array functions."""

from __future__ import annotations

import importlib
import inspect
import pkgutil
from collections.abc import Callable, Iterator
from types import ModuleType
from typing import Any, get_origin

import jax
import jax.scipy

__all__ = ["MODULES", "functions", "public"]

# `jax.scipy` with all modules below it.
MODULES = ("jax.numpy", "jax.numpy.linalg", "jax.numpy.fft", "jax.lax", "jax.lax.linalg", "jax.nn", "jax.ops")


def functions() -> dict[str, Callable[..., Any]]:
    """Every public function under a single name: the first, where several are the same object."""
    first: dict[int, tuple[str, Callable[..., Any]]] = {}
    for module in _modules():
        for name, function in public(module):
            first.setdefault(id(function), (f"{module.__name__}.{name}", function))
    return dict(first.values())


def public(module: ModuleType) -> Iterator[tuple[str, Callable[..., Any]]]:
    """The public functions of a module: no classes, no types."""
    for name in dir(module):
        member = getattr(module, name)
        if not name.startswith("_") and callable(member) and not inspect.isclass(member) and get_origin(member) is None:
            yield name, member


def _modules() -> Iterator[ModuleType]:
    below = (module.name for module in pkgutil.walk_packages(jax.scipy.__path__, "jax.scipy."))
    return map(importlib.import_module, (*MODULES, *below))
