"""JAX, with transforms changed, for the behaviours that only JAX speaks to."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from workshop.mutant import mutant, patched


@mutant("jax", "jax.grad")
def doubles_gradients(old: Any) -> Any:
    """grad() gives twice the gradient.

    Models: a factor lost on paper.
    """
    import jax

    def grad(program: Any, argnums: Any = 0, has_aux: bool = False, *given: Any, **options: Any) -> Any:
        result = old(program, argnums, has_aux, *given, **options)

        def called(*args: Any, **named: Any) -> Any:
            gradient, *aux = result(*args, **named) if has_aux else (result(*args, **named),)
            twice = jax.tree.map(lambda g: g if g.dtype == jax.dtypes.float0 else 2 * g, gradient)
            return (twice, *aux) if has_aux else twice

        return called

    return grad


@mutant("jax", "jax.vjp")
def pulls_back_the_wrong_sign(old: Any) -> Any:
    """The pullback of vjp() has the wrong sign.

    Models: a sign lost on paper.
    """
    import jax

    def vjp(*given: Any, **options: Any) -> Any:
        output, pullback, *rest = old(*given, **options)
        return output, (lambda *v: jax.tree.map(lambda g: -g, pullback(*v))), *rest

    return vjp


@mutant("jax", "jax.jvp")
def pushes_the_wrong_sign(old: Any) -> Any:
    """The tangents of jvp() have the wrong sign.

    Models: a sign lost on paper.
    """
    import jax

    def jvp(*given: Any, **options: Any) -> Any:
        output, tangent, *rest = old(*given, **options)
        return output, jax.tree.map(lambda t: -t, tangent), *rest

    return jvp


@mutant("jax", "jax.jacrev", "jax.jacfwd")
def transposes_jacobians(old: Any) -> Any:
    """jacrev() and jacfwd() have a row for each input.

    Models: two conventions mixed up.
    """
    import jax

    return lambda program, *given, **options: (
        lambda *args, **named: jax.tree.map(lambda j: j.T, old(program, *given, **options)(*args, **named))
    )


@mutant("jax", "jax.hessian")
def halves_hessians(old: Any) -> Any:
    """hessian() is half of what it should be.

    Models: the factor of a quadratic form.
    """
    import jax

    return lambda program, *given, **options: (
        lambda *args, **named: jax.tree.map(lambda h: h / 2, old(program, *given, **options)(*args, **named))
    )


@mutant("jax", "jax.vmap")
def maps_over_the_last_axis(old: Any) -> Any:
    """vmap() takes its examples along the last axis.

    Models: a default flipped.
    """
    return lambda program, in_axes=-1, *given, **options: old(program, in_axes, *given, **options)


@mutant("jax", "jax.lax.stop_gradient")
def stops_no_gradient(old: Any) -> Any:
    """stop_gradient() lets the gradient through.

    Models: an identity that was optimised away.
    """
    return lambda x: x


@mutant("jax", "jax.checkpoint")
def keeps_what_a_checkpoint_computes(old: Any) -> Any:
    """checkpoint() saves everything.

    Models: rematerialization that saves no memory.
    """
    return lambda program, *given, **options: program


@mutant("jax", "jax.debug_nans")
def lets_nan_pass(old: Any) -> Any:
    """debug_nans() looks at nothing.

    Models: a switch that is not connected.
    """
    from contextlib import nullcontext

    return lambda flag=True: nullcontext()


@mutant("jax", "jax.test_util.check_grads")
def believes_every_gradient(old: Any) -> Any:
    """check_grads() accepts every function.

    Models: a tolerance that swallows every difference.
    """
    return lambda *given, **options: None


@mutant("jax")
def reverse_in_forward_is_constant() -> Iterator[None]:
    """A pullback or reverse Jacobian within forward mode does not depend on its arguments.

    Models: what reverse mode saves kept without its tangent.
    """
    import jax
    from jax._src import api
    from jax._src.interpreters import ad

    def constant(value: Any) -> Any:
        return value.primal if isinstance(value, ad.JVPTracer) else value

    def saving(old: Any) -> Any:
        return lambda program, *primals, **options: old(program, *jax.tree.map(constant, primals), **options)

    # Jacobians look it up in `api`, programs of behaviours in `jax`.
    with patched(api, "vjp", saving), patched(jax, "vjp", saving):
        yield
