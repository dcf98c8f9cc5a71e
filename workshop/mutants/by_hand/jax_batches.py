"""JAX, with batches, compilation and random numbers changed."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from workshop.mutants.mutant import mutant, patched


@mutant("jax")
def jax_returns_examples_in_reverse() -> Iterator[None]:
    """vmap() returns the results of the examples in the opposite order.

    Models: an index that runs from the wrong end.
    """
    import jax

    def turned(old: Any) -> Any:
        def vmap(*given: Any, **options: Any) -> Any:
            mapped = old(*given, **options)
            return lambda *args, **keywords: jax.tree.map(lambda y: y[::-1], mapped(*args, **keywords))

        return vmap

    with patched(jax, "vmap", turned):
        yield


@mutant("jax")
def jax_sums_what_is_no_scalar() -> Iterator[None]:
    """grad() sums an output with dimensions.

    Models: a tape's habit of summing losses.
    """
    import jax
    import jax.numpy as jnp

    def summing(old: Any) -> Any:
        def grad(program: Any, *given: Any, **options: Any) -> Any:
            return old(lambda *args, **keywords: jnp.sum(program(*args, **keywords)), *given, **options)

        return grad

    with patched(jax, "grad", summing):
        yield


@mutant("jax")
def jax_compiles_with_fewer_digits() -> Iterator[None]:
    """What a function returns is off by a millionth once it is compiled by jit().

    Models: a compiler that is free with precision.
    """
    import jax

    def rounded(old: Any) -> Any:
        def jit(program: Any, **options: Any) -> Any:
            return old(lambda *args: jax.tree.map(lambda y: y * (1 + 1e-6), program(*args)), **options)

        return jit

    with patched(jax, "jit", rounded):
        yield


@mutant("jax")
def jax_draws_anew_each_time() -> Iterator[None]:
    """normal() folds a count of its calls into the key.

    Models: a generator with a state behind the key.
    """
    from itertools import count

    import jax

    calls = count()

    def anew(old: Any) -> Any:
        return lambda key, *given: old(jax.random.fold_in(key, next(calls)), *given)

    with patched(jax.random, "normal", anew):
        yield


@mutant("jax")
def jax_gives_keys_a_gradient() -> Iterator[None]:
    """grad() accepts arguments of every type.

    Models: a flag that is always on.
    """
    import jax

    def accepting(old: Any) -> Any:
        return lambda program, argnums=0, has_aux=False, *flags: old(program, argnums, has_aux, allow_int=True)

    with patched(jax, "grad", accepting):
        yield
