"""JAX, with transforms changed, for the behaviours that only JAX speaks to."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from workshop.mutants.mutant import mutant, patched


@mutant("jax")
def jax_doubles_gradients() -> Iterator[None]:
    """grad() gives twice the gradient.

    Models: a factor lost on paper.
    """
    import jax

    def doubled(old: Any) -> Any:
        def grad(program: Any, argnums: Any = 0, has_aux: bool = False, *given: Any, **options: Any) -> Any:
            found = old(program, argnums, has_aux, *given, **options)

            def called(*args: Any, **named: Any) -> Any:
                gradient, *aux = found(*args, **named) if has_aux else (found(*args, **named),)
                twice = jax.tree.map(lambda g: g if g.dtype == jax.dtypes.float0 else 2 * g, gradient)
                return (twice, *aux) if has_aux else twice

            return called

        return grad

    with patched(jax, "grad", doubled):
        yield


@mutant("jax")
def jax_pulls_back_the_wrong_sign() -> Iterator[None]:
    """The pullback of vjp() has the wrong sign.

    Models: a sign lost on paper.
    """
    import jax

    def turned(old: Any) -> Any:
        def vjp(*given: Any, **options: Any) -> Any:
            output, pullback, *rest = old(*given, **options)
            return output, (lambda *v: jax.tree.map(lambda g: -g, pullback(*v))), *rest

        return vjp

    with patched(jax, "vjp", turned):
        yield


@mutant("jax")
def jax_pushes_the_wrong_sign() -> Iterator[None]:
    """The tangents of jvp() have the wrong sign.

    Models: a sign lost on paper.
    """
    import jax

    def turned(old: Any) -> Any:
        def jvp(*given: Any, **options: Any) -> Any:
            output, tangent, *rest = old(*given, **options)
            return output, jax.tree.map(lambda t: -t, tangent), *rest

        return jvp

    with patched(jax, "jvp", turned):
        yield


@mutant("jax")
def jax_transposes_jacobians() -> Iterator[None]:
    """jacrev() and jacfwd() have a row for each input.

    Models: two conventions mixed up.
    """
    import jax

    def turned(old: Any) -> Any:
        return lambda program, *given, **options: (
            lambda *args: jax.tree.map(lambda j: j.T, old(program, *given, **options)(*args))
        )

    with patched(jax, "jacrev", turned), patched(jax, "jacfwd", turned):
        yield


@mutant("jax")
def jax_halves_hessians() -> Iterator[None]:
    """hessian() is half of what it should be.

    Models: the factor of a quadratic form.
    """
    import jax

    def halved(old: Any) -> Any:
        return lambda program, *given, **options: (
            lambda *args: jax.tree.map(lambda h: h / 2, old(program, *given, **options)(*args))
        )

    with patched(jax, "hessian", halved):
        yield


@mutant("jax")
def jax_maps_over_the_last_axis() -> Iterator[None]:
    """vmap() takes its examples along the last axis.

    Models: a default flipped.
    """
    import jax

    def last(old: Any) -> Any:
        return lambda program, in_axes=-1, *given, **options: old(program, in_axes, *given, **options)

    with patched(jax, "vmap", last):
        yield


@mutant("jax")
def jax_stops_no_gradient() -> Iterator[None]:
    """stop_gradient() lets the gradient through.

    Models: an identity that was optimised away.
    """
    import jax

    with patched(jax.lax, "stop_gradient", lambda old: lambda x: x):
        yield


@mutant("jax")
def jax_ignores_custom_rules() -> Iterator[None]:
    """A function with a custom_vjp is differentiated as if it had none.

    Models: a decorator that keeps the function and loses the rule.
    """
    import jax

    class Ignoring:
        def __init__(self, function: Any, *given: Any, **options: Any) -> None:
            self.function = function

        def defvjp(self, *rules: Any, **options: Any) -> None:
            """The rules are dropped."""

        def __call__(self, *args: Any) -> Any:
            return self.function(*args)

    with patched(jax, "custom_vjp", lambda old: Ignoring):
        yield


@mutant("jax")
def jax_keeps_what_a_checkpoint_computes() -> Iterator[None]:
    """checkpoint() saves everything.

    Models: rematerialization that saves no memory.
    """
    import jax

    with patched(jax, "checkpoint", lambda old: lambda program, *given, **options: program):
        yield


@mutant("jax")
def jax_lets_nan_pass() -> Iterator[None]:
    """debug_nans() looks at nothing.

    Models: a switch that is not connected.
    """
    from contextlib import nullcontext

    import jax

    with patched(jax, "debug_nans", lambda old: lambda flag=True: nullcontext()):
        yield


@mutant("jax")
def jax_believes_every_gradient() -> Iterator[None]:
    """check_grads() accepts every function.

    Models: a tolerance that swallows every difference.
    """
    import jax.test_util

    with patched(jax.test_util, "check_grads", lambda old: lambda *given, **options: None):
        yield


@mutant("jax")
def jax_reverse_in_forward_is_constant() -> Iterator[None]:
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

    with patched(api, "vjp", saving), patched(jax, "vjp", saving):
        yield
