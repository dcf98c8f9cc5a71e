"""Control flow, mutable references, callbacks and randomness as operations of a trace."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import jax
import jax.experimental
import jax.ffi

from adapters.python import PythonVerbs
from conformance.protocol.types import Array, Index, Key, Program, Reference, Shape, Tree


class TracingVerbs(PythonVerbs):
    """The groups ControlFlow, References, Callbacks and Keys of the protocol."""

    def cond(self, predicate: Array, when_true: Program, when_false: Program, *operands: Array) -> Tree:
        return jax.lax.cond(predicate, when_true, when_false, *operands)

    def switch(self, index: Array, branches: Sequence[Program], *operands: Array) -> Tree:
        return jax.lax.switch(index, branches, *operands)

    def while_loop(self, condition: Program, body: Program, initial: Tree) -> Tree:
        return jax.lax.while_loop(condition, body, initial)

    def fori_loop(self, lower: int | Array, upper: int | Array, body: Program, initial: Tree) -> Tree:
        return jax.lax.fori_loop(lower, upper, body, initial)

    def scan(self, body: Program, initial: Tree, xs: Tree) -> tuple[Tree, Tree]:
        return jax.lax.scan(body, initial, xs)

    def new_reference(self, x: Array) -> Reference:
        return jax.new_ref(x)

    def read_reference(self, reference: Reference, index: Index = ...) -> Array:
        return reference[index]

    def write_reference_(self, reference: Reference, value: Array, index: Index = ...) -> None:
        reference[index] = value

    def with_references(self, pullback: Program, *references: Reference | str) -> Program:
        # Protocol words for JAX's markers, so that behaviours need not import JAX.
        words = {"value": jax.ad.GradValue(), "unwanted": jax.ad.DontWant()}
        entries = [words[entry] if isinstance(entry, str) else entry for entry in references]
        return pullback.with_refs(*entries)  # type: ignore[attr-defined]

    def pure_callback(self, function: Program, like: Array, *args: Array) -> Array:
        # JAX cannot run the callback while tracing, so shape and dtype come from an example.
        return jax.pure_callback(function, jax.ShapeDtypeStruct(like.shape, like.dtype), *args)

    def io_callback(self, function: Program, like: Array, *args: Array) -> Array:
        return jax.experimental.io_callback(function, jax.ShapeDtypeStruct(like.shape, like.dtype), *args)

    def foreign_call(self, target: str, like: Array, *args: Array) -> Array:
        return jax.ffi.ffi_call(target, jax.ShapeDtypeStruct(like.shape, like.dtype))(*args)

    def debug_callback(self, function: Program, *args: Array) -> None:
        jax.debug.callback(function, *args)

    def key(self, seed: int) -> Any:
        return jax.random.key(seed)

    def normal(self, key: Key, shape: Shape = ()) -> Array:
        return jax.random.normal(key, shape)
