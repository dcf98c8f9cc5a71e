"""Control flow, mutable references, callbacks and randomness as operations of a trace."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

import jax
import jax.experimental

from adapters.threads import ThreadVerbs

__all__ = ["TracingVerbs"]

Array = Any
Program = Callable[..., Any]
Reference = Any


class TracingVerbs(ThreadVerbs):
    """The groups ControlFlow, References, Callbacks and Keys of the protocol."""

    def cond(self, predicate: Array, when_true: Program, when_false: Program, *operands: Array) -> Any:
        return jax.lax.cond(predicate, when_true, when_false, *operands)

    def switch(self, index: Array, branches: Sequence[Program], *operands: Array) -> Any:
        return jax.lax.switch(index, branches, *operands)

    def while_loop(self, condition: Program, body: Program, initial: Any) -> Any:
        return jax.lax.while_loop(condition, body, initial)

    def fori_loop(self, lower: int | Array, upper: int | Array, body: Program, initial: Any) -> Any:
        return jax.lax.fori_loop(lower, upper, body, initial)

    def scan(self, body: Program, initial: Any, xs: Any) -> tuple[Any, Any]:
        carry, ys = jax.lax.scan(body, initial, xs)
        return carry, ys

    def new_reference(self, x: Array) -> Reference:
        return jax.new_ref(x)

    def read_reference(self, reference: Reference, index: Any = ...) -> Array:
        return reference[index]

    def write_reference_(self, reference: Reference, value: Array, index: Any = ...) -> None:
        reference[index] = value

    if jax.__version_info__ >= (0, 9):  # the pullbacks of older versions have no `with_refs`

        def with_references(self, pullback: Program, *references: Reference) -> Program:
            accumulating: Program = pullback.with_refs(*references)  # type: ignore[attr-defined]
            return accumulating

    def pure_callback(self, function: Program, like: Array, *args: Array) -> Array:
        return jax.pure_callback(function, jax.ShapeDtypeStruct(like.shape, like.dtype), *args)

    def io_callback(self, function: Program, like: Array, *args: Array) -> Array:
        return jax.experimental.io_callback(function, jax.ShapeDtypeStruct(like.shape, like.dtype), *args)

    def debug_callback(self, function: Program, *args: Array) -> None:
        jax.debug.callback(function, *args)

    def key(self, seed: int) -> Any:
        return jax.random.key(seed)

    def normal(self, key: Any, shape: tuple[int, ...] = ()) -> Array:
        return jax.random.normal(key, shape)
