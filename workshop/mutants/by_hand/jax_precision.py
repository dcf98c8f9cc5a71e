"""JAX, with the gradients of integers changed, which hold no numbers, and the switch for 64 bits."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import AbstractContextManager
from typing import Any

from workshop.mutant import mutant, patched


def _with_empty(replace: Callable[[Any], Any]) -> AbstractContextManager[None]:
    """JAX whose grad() gives, for each cotangent that holds no numbers, what `replace` makes of it."""
    import jax

    def replaced(g: Any) -> Any:
        return replace(g) if g.dtype == jax.dtypes.float0 else g

    def changed(old: Any) -> Any:
        def grad(program: Any, argnums: Any = 0, has_aux: bool = False, *given: Any, **options: Any) -> Any:
            result = old(program, argnums, has_aux, *given, **options)

            def called(*args: Any, **named: Any) -> Any:
                gradient, *aux = result(*args, **named) if has_aux else (result(*args, **named),)
                filled = jax.tree.map(replaced, gradient)
                return (filled, *aux) if has_aux else filled

            return called

        return grad

    return patched(jax, "grad", changed)


@mutant("jax")
def gives_integers_integer_gradients() -> Iterator[None]:
    """grad() gives zeros of type int for an integer that is allowed as input.

    Models: gradients that are made like their inputs.
    """
    import jax.numpy as jnp

    with _with_empty(lambda g: jnp.zeros(g.shape, int)):
        yield


@mutant("jax")
def gives_integers_a_gradient_without_dimensions() -> Iterator[None]:
    """grad() gives for an integer that is allowed as input a cotangent without numbers, and without its shape.

    Models: one object for every gradient that there is not.
    """
    import numpy as np

    with _with_empty(lambda g: np.zeros((), g.dtype)):
        yield


@mutant("jax", "jax.vjp")
def pulls_back_none_from_integers(old: Any) -> Any:
    """A pullback of vjp() gives None where the cotangents hold no numbers.

    Models: a symbolic zero that gets out.
    """
    import jax

    def vjp(*given: Any, **options: Any) -> Any:
        output, pullback, *rest = old(*given, **options)

        def called(*cotangents: Any) -> Any:
            result = pullback(*cotangents)
            empty = [getattr(c, "dtype", None) == jax.dtypes.float0 for c in jax.tree.leaves(cotangents)]
            return jax.tree.map(lambda g: None, result) if empty and all(empty) else result

        return output, called, *rest

    return vjp


@mutant("jax", "jax._src.numpy.ufuncs.promote_args_inexact")
def computes_with_empty_cotangents(old: Any) -> Any:
    """Functions of one or more floating-point arrays take what holds no numbers for zeros.

    Models: a promotion of types that knows every type.
    """
    import jax
    import jax.numpy as jnp

    def numbers(x: Any) -> Any:
        return jnp.zeros(x.shape) if getattr(x, "dtype", None) == jax.dtypes.float0 else x

    return lambda name, *args: old(name, *map(numbers, args))


@mutant("jax", "jax.enable_x64")
def keeps_double_precision(old: Any) -> Any:
    """enable_x64() changes nothing: 64 bits stay switched on where they are switched off.

    Models: a switch that is not connected.
    """
    from contextlib import nullcontext

    return lambda flag=True: nullcontext()
