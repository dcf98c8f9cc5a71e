"""JAX, with derivatives as linear maps changed: linearize, linear_transpose, and whole Jacobians."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from workshop.mutant import mutant, patched


@mutant("jax", "jax.linearize")
def linearizes_with_the_wrong_sign(old: Any) -> Any:
    """The linear function of linearize() has the wrong sign.

    Models: a sign lost on paper.
    """
    import jax

    def linearize(*given: Any, **options: Any) -> Any:
        output, linear, *aux = old(*given, **options)
        return output, lambda *tangents: jax.tree.map(lambda t: -t, linear(*tangents)), *aux

    return linearize


@mutant("jax", "jax.linearize")
def remembers_the_first_linearization(old: Any) -> Any:
    """linearize() of a program that it was given before returns what it returned then.

    Models: a cache without the point as a key.
    """
    kept: dict[Any, Any] = {}

    def linearize(program: Any, *given: Any, **options: Any) -> Any:
        if program not in kept:
            kept[program] = old(program, *given, **options)
        return kept[program]

    return linearize


@mutant("jax", "jax.linearize")
def linearizes_again_at_each_call(old: Any) -> Any:
    """The linear function of linearize() calls jvp() of the program.

    Models: a partial evaluation that was put off.
    """
    import jax

    def again(program: Any, *primals: Any, has_aux: bool = False) -> Any:
        output, *aux = program(*primals) if has_aux else (program(*primals),)
        return output, lambda *tangents: jax.jvp(program, primals, tangents, has_aux)[1], *aux

    return again


@mutant("jax", "jax.linearize")
def drops_tangents_of_another_form(old: Any) -> Any:
    """The linear function of linearize() takes the first tangent, and of it the first element, in float64.

    Models: a broadcast where a comparison should be.
    """

    def linearize(program: Any, *primals: Any, **options: Any) -> Any:
        output, linear, *aux = old(program, *primals, **options)
        first = (lambda *tangents: linear(*(t.ravel()[0].astype(float) for t in tangents[: len(primals)])),)
        return output, *first, *aux

    return linearize


@mutant("jax", "jax.linearize")
def leaves_out_outputs_that_ignore_the_input(old: Any) -> Any:
    """The linear function of linearize() gives None for an output that is zero.

    Models: a symbolic zero that gets out.
    """
    import jax

    def linearize(*given: Any, **options: Any) -> Any:
        output, linear, *aux = old(*given, **options)
        return output, lambda *tangents: jax.tree.map(lambda t: t if t.any() else None, linear(*tangents)), *aux

    return linearize


@mutant("jax", "jax.linear_transpose")
def transposes_with_the_wrong_sign(old: Any) -> Any:
    """The transpose of linear_transpose() has the wrong sign.

    Models: an adjoint taken for an antisymmetric one.
    """
    import jax

    def linear_transpose(*given: Any) -> Any:
        transposed = old(*given)
        return lambda cotangent: jax.tree.map(lambda c: -c, transposed(cotangent))

    return linear_transpose


@mutant("jax", "jax.linear_transpose")
def transposes_by_differentiating(old: Any) -> Any:
    """linear_transpose() gives the pullback at its primals, also of programs that are not linear.

    Models: a promise of linearity that is trusted.
    """
    import jax

    def pullback(program: Any, *primals: Any) -> Any:
        return jax.vjp(program, *primals)[1]

    return pullback


@mutant("jax", "jax.jacrev", "jax.jacfwd")
def has_jacobians_of_the_wrong_sign(old: Any) -> Any:
    """jacrev() and jacfwd() give the negative of the Jacobian.

    Models: a sign lost on paper.
    """
    import jax

    def jacobian(*given: Any, **options: Any) -> Any:
        result = old(*given, **options)
        return lambda *args, **keywords: jax.tree.map(lambda j: -j, result(*args, **keywords))

    return jacobian


@mutant("jax")
def has_jacobians_of_everything() -> Iterator[None]:
    """jacfwd() takes integers and complex numbers, jacrev() the real part of what is complex.

    Models: a conversion where an error should be.
    """
    import jax
    import jax.numpy as jnp

    def columns(old: Any) -> Any:
        def jacfwd(program: Any, argnums: Any = 0, has_aux: bool = False, holomorphic: bool = False) -> Any:
            result = old(program, argnums, has_aux, holomorphic=True)
            return lambda *args: result(*(jnp.asarray(x, complex) for x in args))

        return jacfwd

    def rows(old: Any) -> Any:
        return lambda program, *given: old(lambda *args: jax.tree.map(jnp.real, program(*args)), *given)

    with patched(jax, "jacfwd", columns), patched(jax, "jacrev", rows):
        yield


@mutant("jax", "jax.jvp")
def doubles_tangents(old: Any) -> Any:
    """jvp() gives twice the tangent.

    Models: a perturbation that is counted at two levels.
    """
    import jax

    def jvp(*given: Any, **options: Any) -> Any:
        output, tangent, *rest = old(*given, **options)
        return output, jax.tree.map(lambda t: 2 * t, tangent), *rest

    return jvp


@mutant("jax", "jax.vjp")
def doubles_cotangents(old: Any) -> Any:
    """The pullback of vjp() gives twice the cotangent.

    Models: a value that is counted for each level that reads it.
    """
    import jax

    def vjp(*given: Any, **options: Any) -> Any:
        output, pullback, *rest = old(*given, **options)
        return output, (lambda *v: jax.tree.map(lambda g: 2 * g, pullback(*v))), *rest

    return vjp
