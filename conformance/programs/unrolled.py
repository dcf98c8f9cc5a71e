"""Control flow as Python's: what `scan` and `fori_loop` mean, by which an engine's own are judged."""

from __future__ import annotations

from typing import Any

from conformance.protocol.types import Array, Program


class PythonLoops:
    """An engine whose `scan` and `fori_loop` are Python's loops.

    The page of each gives its meaning as such a loop: https://docs.jax.dev/en/latest/_autosummary/jax.lax.scan.html.
    """

    def __init__(self, ad: Any) -> None:
        self._ad = ad

    def __getattr__(self, verb: str) -> Any:
        # All other verbs are the engine's.
        return getattr(self._ad, verb)

    def fori_loop(self, lower: int, upper: int, body: Program, initial: Any) -> Any:
        """`body(i, value)` applied to its own result."""
        value = initial
        for i in range(lower, upper):
            value = body(i, value)
        return value

    def scan(self, body: Program, initial: Any, xs: Array) -> tuple[Any, Array]:
        """`body(carry, x)` for each x along the first axis."""
        # A list, stacked at the end: an array that is written in place is another thing to differentiate.
        carry, made = initial, []
        for i in range(xs.shape[0]):
            carry, y = body(carry, xs[i])
            made.append(y)
        return carry, self._ad.np.stack(made)
