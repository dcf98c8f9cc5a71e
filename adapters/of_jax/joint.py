"""Compilation of a function that computes all that laws compare at a point."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import jax
import jax.numpy as jnp
import numpy

from conformance.protocol.types import Array, DType, Program

# Code is compiled once and runs for microseconds. XLA's passes over the program, which are what may change its values,
# are as by default; only the generated code is less optimized, which takes two thirds of the time.
OPTIONS = {"xla_backend_optimization_level": 0}
# Operations of a program that is compiled in some ten seconds; nearly all are below 10,000.
LARGEST = 15_000


# Dtypes of arrays that are made of Python's numbers, by NumPy's kinds.
DEFAULTS = {"f": "float64", "i": "int64", "c": "complex128"}


class TooLargeError(Exception):
    """A program would be compiled for long; its halves are smaller."""


def compile_jointly(program: Program) -> Program:
    """Compile a program when it is first called. It is always called with arrays of the same shapes and dtypes.

    Raises TooLargeError then, for a program that is to be compiled in halves.
    """
    compiled: Any = None

    def call(*args: Any) -> Any:
        nonlocal compiled
        # Not when it is made: the shapes are known by the first arguments.
        if compiled is None:
            traced = jax.jit(program).trace(*args)
            size = sum(1 for _ in _equations(traced.jaxpr.jaxpr))
            if size > LARGEST:
                raise TooLargeError(f"{size} operations; the largest program that is compiled as a whole has {LARGEST}")
            compiled = traced.lower().compile(compiler_options=OPTIONS)
        return compiled(*args)

    return call


def argument(x: Any, dtype: DType | None) -> Array:
    """NumPy's array in a dtype, as an argument of a compiled function."""
    # A call converts it, in a tenth of the time that an array of JAX takes to be made. NumPy has no bfloat16, and would
    # drop imaginary parts.
    if dtype and (dtype == "bfloat16" or x.dtype.kind == "c"):
        return jnp.array(x.tolist(), dtype)
    return numpy.asarray(x, dtype or DEFAULTS.get(x.dtype.kind))


def _equations(jaxpr: Any) -> Iterator[Any]:
    """The operations of a program, and of those within, such as the body of a loop."""
    for equation in jaxpr.eqns:
        yield equation
        for value in jax.tree_util.tree_leaves(list(equation.params.values()), is_leaf=_is_program):
            if _is_program(value):
                yield from _equations(getattr(value, "jaxpr", value))


def _is_program(value: Any) -> bool:
    # An open program has equations, a closed one has the open one as `jaxpr`.
    return hasattr(value, "eqns") or hasattr(value, "jaxpr")
