"""Loops, branches and functions that are solved for, in JAX."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from conformance.protocol import Spelling


def _scan(jax: Any, state: Any, xs: Any, weight: Any, reverse: bool = False, unroll: int = 1) -> Any:
    def step(state: Any, x: Any) -> Any:
        state = jax.numpy.tanh(weight * state + x)
        return state, state

    return jax.lax.scan(step, state, xs, reverse=reverse, unroll=unroll)


def _associative(jax: Any, decay: Any, x: Any, reverse: bool = False) -> Any:
    def combine(first: Any, second: Any) -> Any:
        return first[0] * second[0], first[1] * second[0] + second[1]

    return jax.lax.associative_scan(combine, (decay, x), reverse=reverse)[1]


def _step(jax: Any, x: Any) -> Any:
    return x + jax.numpy.sin(x) / 2


def _while(jax: Any, x: Any, count: int) -> Any:
    loop = jax.lax.while_loop(lambda pair: pair[0] < count, lambda pair: (pair[0] + 1, _step(jax, pair[1])), (0, x))
    return loop[1]


def _until(jax: Any, x: Any) -> Any:
    return jax.lax.map(lambda number: jax.lax.while_loop(lambda y: y < 8, lambda y: 2 * y, number), x)


def _solve(jax: Any, matrix: Any, b: Any) -> Any:
    def solve(matvec: Any, right: Any) -> Any:
        return jax.numpy.linalg.solve(jax.jacobian(matvec)(right), right)

    return jax.lax.custom_linear_solve(lambda x: matrix @ x, b, solve, symmetric=True)


def _root(jax: Any, a: Any) -> Any:
    def solve(f: Any, guess: Any) -> Any:
        def newton(at: int, x: Any) -> Any:
            value, slope = jax.jvp(f, (x,), (jax.numpy.ones_like(x),))
            return x - value / slope

        return jax.lax.fori_loop(0, 50, newton, guess)

    def tangent(linear: Any, right: Any) -> Any:
        return right / linear(jax.numpy.ones_like(right))

    return jax.lax.custom_root(lambda x: x**3 + x - a, jax.numpy.zeros_like(a), solve, tangent)


LOOPS: Mapping[str, Spelling] = {
    "scan": _scan,
    "associative_scan": _associative,
    "while_loop": _while,
    "while_loop_until": _until,
    "fori_loop": lambda jax, x, count: jax.lax.fori_loop(0, count, lambda at, y: _step(jax, y), x),
    "cond_of_branches": lambda jax, x, y: jax.lax.cond(
        x > 0, lambda x, y: jax.numpy.sqrt(x) * y, lambda x, y: x * y, x, y
    ),
    "switch": lambda jax, x, index: jax.lax.switch(index, [jax.numpy.sin, jax.numpy.square, jax.numpy.exp], x),
    "map_rows": lambda jax, x: jax.lax.map(jax.nn.logsumexp, x),
    "custom_linear_solve": _solve,
    "custom_root": _root,
}
