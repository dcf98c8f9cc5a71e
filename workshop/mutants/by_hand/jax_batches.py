"""JAX, with batches, compilation and random numbers changed."""

from __future__ import annotations

from typing import Any

from workshop.mutant import mutant


@mutant("jax", "jax.vmap")
def returns_examples_in_reverse(old: Any) -> Any:
    """vmap() returns the results of the examples in the opposite order.

    Models: an index that runs from the wrong end.
    """
    import jax

    def vmap(*given: Any, **options: Any) -> Any:
        mapped = old(*given, **options)
        return lambda *args, **keywords: jax.tree.map(lambda y: y[::-1], mapped(*args, **keywords))

    return vmap


@mutant("jax", "jax.grad")
def sums_what_is_no_scalar(old: Any) -> Any:
    """grad() sums an output with dimensions.

    Models: a tape's habit of summing losses.
    """
    import jax.numpy as jnp

    def grad(program: Any, *given: Any, **options: Any) -> Any:
        return old(lambda *args, **keywords: jnp.sum(program(*args, **keywords)), *given, **options)

    return grad


@mutant("jax", "jax.jit")
def compiles_with_fewer_digits(old: Any) -> Any:
    """What a function returns is off by a millionth once it is compiled by jit().

    Models: a compiler that is free with precision.
    """
    import jax

    def jit(program: Any, **options: Any) -> Any:
        # Far above the rounding of doubles, and too small to be seen in print.
        return old(lambda *args: jax.tree.map(lambda y: y * (1 + 1e-6), program(*args)), **options)

    return jit


@mutant("jax", "jax.random.normal")
def draws_anew_each_time(old: Any) -> Any:
    """normal() folds a count of its calls into the key.

    Models: a generator with a state behind the key.
    """
    from itertools import count

    import jax

    calls = count()

    return lambda key, *given: old(jax.random.fold_in(key, next(calls)), *given)


@mutant("jax", "jax.grad")
def gives_keys_a_gradient(old: Any) -> Any:
    """grad() accepts arguments of every type.

    Models: a flag that is always on.
    """
    return lambda program, argnums=0, has_aux=False, *flags: old(program, argnums, has_aux, allow_int=True)
