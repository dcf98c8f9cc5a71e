"""Decorators that make a custom derivative in JAX of its rule."""

from __future__ import annotations

from typing import Any

import jax


def vjp_of(function: Any, residuals: Any = lambda *xs: xs, nondiff: tuple[int, ...] = ()) -> Any:
    """The function with the decorated rule as its VJP: the cotangents of the inputs, of residuals and cotangent."""

    def made(rule: Any) -> Any:
        custom = jax.custom_vjp(function, nondiff_argnums=nondiff)
        custom.defvjp(lambda *xs: (function(*xs), residuals(*xs)), rule)
        return _named(custom, rule)

    return made


def jvp_of(function: Any, nondiff: tuple[int, ...] = ()) -> Any:
    """The function with the decorated rule as its JVP: output and tangent, of primals and tangents."""

    def made(rule: Any) -> Any:
        custom = jax.custom_jvp(function, nondiff_argnums=nondiff)
        custom.defjvp(rule)
        return _named(custom, rule)

    return made


def _named(custom: Any, rule: Any) -> Any:
    custom.__name__ = custom.__qualname__ = rule.__name__
    custom.__doc__ = rule.__doc__
    return custom
