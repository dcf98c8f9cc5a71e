"""JAX, with control flow changed: conditionals, choices and loops."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from workshop.mutant import mutant, patched

LONGEST = 10


@mutant("jax", "jax.lax.cond")
def computes_both_branches(old: Any) -> Any:
    """cond() computes both branches and selects between the results.

    Models: a conditional that was mapped over examples.
    """
    import jax.numpy as jnp

    def selecting(predicate: Any, when_true: Any, when_false: Any, *operands: Any) -> Any:
        return jnp.where(predicate, when_true(*operands), when_false(*operands))

    return selecting


@mutant("jax", "jax.lax.switch")
def chooses_modulo(old: Any) -> Any:
    """switch() takes an index beyond the last branch modulo the number of branches.

    Models: an index that wraps around.
    """
    return lambda index, branches, *operands: old(index % len(branches), branches, *operands)


@mutant("jax", "jax.lax.scan")
def converts_a_carry(old: Any) -> Any:
    """scan() converts what a step carries to the dtype of what it was given.

    Models: an assignment to memory of a fixed dtype.
    """

    def scan(body: Any, initial: Any, xs: Any, **options: Any) -> Any:
        def step(carry: Any, x: Any) -> Any:
            after, y = body(carry, x)
            return after.astype(carry.dtype), y

        return old(step, initial, xs, **options)

    return scan


@mutant("jax")
def pads_loops() -> Iterator[None]:
    """Loops of unknown length run ten steps, of which those beyond the end change nothing, and so have reverse mode.

    Models: a bound on the length of a loop that is not checked.
    """
    import jax
    import jax.numpy as jnp

    counted = jax.lax.fori_loop

    def padded(old: Any) -> Any:
        return lambda lower, upper, body, initial: counted(
            0, LONGEST, lambda i, value: jnp.where(i < upper - lower, body(lower + i, value), value), initial
        )

    def until(old: Any) -> Any:
        return lambda condition, body, initial: counted(
            0, LONGEST, lambda i, value: jnp.where(condition(value), body(value), value), initial
        )

    with patched(jax.lax, "fori_loop", padded), patched(jax.lax, "while_loop", until):
        yield
