"""JAX, with transforms that take or give something else than they should."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from workshop.mutants.mutant import mutant, patched


@mutant("jax")
def jax_doubles_the_value_beside_a_gradient() -> Iterator[None]:
    """value_and_grad() gives twice the value, and the right gradient.

    Models: a loss that is added up twice.
    """
    import jax

    def doubled(old: Any) -> Any:
        def value_and_grad(*given: Any, **options: Any) -> Any:
            both = old(*given, **options)

            def called(*args: Any, **keywords: Any) -> Any:
                value, gradient = both(*args, **keywords)
                return jax.tree.map(lambda v: 2 * v, value), gradient

            return called

        return value_and_grad

    with patched(jax, "value_and_grad", doubled):
        yield


@mutant("jax")
def jax_differentiates_any_value() -> Iterator[None]:
    """value_and_grad() sums what is no scalar, and takes integers.

    Models: a shortcut around the checks of grad().
    """
    import jax
    import jax.numpy as jnp

    def lenient(old: Any) -> Any:
        return lambda program, *given, **options: old(
            lambda *args: jnp.sum(program(*args)), *given, allow_int=True, **options
        )

    with patched(jax, "value_and_grad", lenient):
        yield


@mutant("jax")
def jax_takes_any_cotangents() -> Iterator[None]:
    """A pullback of vjp() brings cotangents into the structure, shape and dtype of the output where it can.

    Models: arrays that are broadcast wherever they fit.
    """
    import jax
    import jax.numpy as jnp

    def cast(cotangent: Any, like: Any) -> Any:
        if getattr(cotangent, "dtype", None) == jax.dtypes.float0:
            return cotangent
        try:
            return jnp.broadcast_to(cotangent, like.shape).astype(like.dtype)
        except ValueError:
            return cotangent

    def fitted(output: Any, cotangents: Any) -> Any:
        outputs, structure = jax.tree.flatten(output)
        given = jax.tree.leaves(cotangents)
        return structure.unflatten(cast(given[n % len(given)], like) for n, like in enumerate(outputs))

    def lenient(old: Any) -> Any:
        def vjp(*given: Any, **options: Any) -> Any:
            output, pullback, *rest = old(*given, **options)
            return output, (lambda *cotangents: pullback(fitted(output, cotangents))), *rest

        return vjp

    with patched(jax, "vjp", lenient):
        yield


@mutant("jax")
def jax_converts_tangents() -> Iterator[None]:
    """jvp() converts tangents to the dtype of their primals.

    Models: arithmetic that promotes its operands.
    """
    import jax
    import jax.numpy as jnp

    def lenient(old: Any) -> Any:
        def jvp(program: Any, primals: Any, tangents: Any, *given: Any, **options: Any) -> Any:
            fitted = jax.tree.map(lambda x, t: jnp.asarray(t, x.dtype), primals, tangents)
            return old(program, primals, fitted, *given, **options)

        return jvp

    with patched(jax, "jvp", lenient):
        yield


@mutant("jax")
def jax_separates_without_a_choice() -> Iterator[None]:
    """fwd_and_bwd() takes the first argument where none is chosen.

    Models: the default of the other transforms.
    """
    import jax

    with patched(
        jax, "fwd_and_bwd", lambda old: lambda program, argnums=0, **options: old(program, argnums, **options)
    ):
        yield
