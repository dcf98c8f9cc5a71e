"""JAX, with transforms that take or give something else than they should."""

from __future__ import annotations

from typing import Any

from workshop.mutant import mutant


@mutant("jax", "jax.value_and_grad")
def doubles_the_value_beside_a_gradient(old: Any) -> Any:
    """value_and_grad() gives twice the value, and the right gradient.

    Models: a loss that is added up twice.
    """
    import jax

    def value_and_grad(*given: Any, **options: Any) -> Any:
        both = old(*given, **options)

        def called(*args: Any, **keywords: Any) -> Any:
            value, gradient = both(*args, **keywords)
            return jax.tree.map(lambda v: 2 * v, value), gradient

        return called

    return value_and_grad


@mutant("jax", "jax.value_and_grad")
def differentiates_any_value(old: Any) -> Any:
    """value_and_grad() sums what is no scalar, and takes integers.

    Models: a shortcut around the checks of grad().
    """
    import jax.numpy as jnp

    return lambda program, argnums=0, has_aux=False, holomorphic=False, allow_int=False: old(
        lambda *args: jnp.sum(program(*args)), argnums, has_aux, holomorphic, True
    )


@mutant("jax", "jax.vjp")
def takes_any_cotangents(old: Any) -> Any:
    """A pullback of vjp() brings cotangents into the structure, shape and dtype of the output where it can.

    Models: arrays that are broadcast wherever they fit.
    """
    import jax
    import jax.numpy as jnp

    def cast(cotangent: Any, like: Any) -> Any:
        # The dtype of cotangents of integers, which hold nothing that could be cast.
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

    def vjp(*given: Any, **options: Any) -> Any:
        output, pullback, *rest = old(*given, **options)
        return output, (lambda *cotangents: pullback(fitted(output, cotangents))), *rest

    return vjp


@mutant("jax", "jax.jvp")
def converts_tangents(old: Any) -> Any:
    """jvp() converts tangents to the dtype of their primals.

    Models: arithmetic that promotes its operands.
    """
    import jax
    import jax.numpy as jnp

    def jvp(program: Any, primals: Any, tangents: Any, *given: Any, **options: Any) -> Any:
        fitted = jax.tree.map(lambda x, t: jnp.asarray(t, x.dtype), primals, tangents)
        return old(program, primals, fitted, *given, **options)

    return jvp


@mutant("jax", "jax.fwd_and_bwd")
def separates_without_a_choice(old: Any) -> Any:
    """fwd_and_bwd() takes the first argument where none is chosen.

    Models: the default of the other transforms.
    """
    return lambda program, argnums=0, **options: old(program, argnums, **options)
