"""JAX, with solvers, symbolic zeros, Refs, tanh and checks of derivatives changed."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from workshop.mutant import mutant, patched


@mutant("jax", "jax.lax.custom_root")
def roots_are_constants(old: Any) -> Any:
    """custom_root() returns what the solver does, as a constant.

    Models: a solver that is run outside of the trace.
    """
    import jax

    return lambda f, guess, solve, tangent_solve: jax.lax.stop_gradient(solve(f, guess))


@mutant("jax", "jax.lax.custom_root")
def roots_depend_on_their_guess(old: Any) -> Any:
    """The result of custom_root() has the derivative one by the initial guess, too.

    Models: a solver that is differentiated as well as the equation.
    """
    import jax

    return lambda f, guess, *rest: old(f, guess, *rest) + guess - jax.lax.stop_gradient(guess)


@mutant("jax", "jax.lax.custom_linear_solve")
def linear_solves_are_symmetric(old: Any) -> Any:
    """custom_linear_solve() solves the transposed system by `solve`, also if the map is not symmetric.

    Models: a transpose that is forgotten, which no test of a symmetric matrix shows.
    """
    return lambda matvec, b, solve, transpose_solve=None, symmetric=False: old(matvec, b, solve, None, True)


@mutant("jax", "jax.lax.custom_linear_solve")
def linear_solves_are_never_symmetric(old: Any) -> Any:
    """custom_linear_solve() ignores symmetric=True.

    Models: an option that is read and not passed on.
    """
    return lambda matvec, b, solve, transpose_solve=None, symmetric=False: old(matvec, b, solve, transpose_solve)


@mutant("jax", "jax.scipy.sparse.linalg.cg")
def conjugate_gradients_are_constants(old: Any) -> Any:
    """What cg() returns has no derivative.

    Models: a solver that is run outside of the trace.
    """
    import jax

    return lambda *args, **options: jax.lax.stop_gradient(old(*args, **options))


def _filled(zeros: Any) -> Any:
    """Cotangents or tangents with arrays of zeros in the place of symbolic ones."""
    import jax.numpy as jnp
    from jax.custom_derivatives import SymbolicZero

    return tuple(jnp.zeros(z.shape) if isinstance(z, SymbolicZero) else z for z in zeros)


@mutant("jax")
def fills_in_symbolic_zeros() -> Iterator[None]:
    """With symbolic_zeros=True, rules get arrays of zeros, and every argument counts as differentiated.

    Models: an option that changes the signature and nothing else.
    """
    import jax
    from jax.custom_derivatives import CustomVJPPrimal

    def jvp_class(old: Any) -> Any:
        class Filling(old):  # type: ignore[misc]
            def defjvp(self, rule: Any, symbolic_zeros: bool = False) -> Any:
                given = (lambda primals, tangents: rule(primals, _filled(tangents))) if symbolic_zeros else rule
                return super().defjvp(given, symbolic_zeros)

        return Filling

    def vjp_class(old: Any) -> Any:
        class Filling(old):  # type: ignore[misc]
            def defvjp(self, forward: Any, backward: Any, symbolic_zeros: bool = False) -> None:
                def forward_of_records(*records: Any) -> Any:
                    return forward(*(CustomVJPPrimal(record.value, True) for record in records))

                def filled(saved: Any, g: Any) -> Any:
                    return backward(saved, _filled(g) if isinstance(g, tuple) else g)

                super().defvjp(
                    *((forward_of_records, filled) if symbolic_zeros else (forward, backward)), symbolic_zeros
                )

        return Filling

    with patched(jax, "custom_jvp", jvp_class), patched(jax, "custom_vjp", vjp_class):
        yield


@mutant("jax", "jax.custom_jvp")
def rules_are_constants_for_the_next_order(old: Any) -> Any:
    """What a JVP rule computes of its primals is a constant for a second derivative.

    Models: a rule that is evaluated outside of the outer trace.
    """
    import jax

    class Stopping(old):  # type: ignore[misc]
        def defjvp(self, rule: Any, symbolic_zeros: bool = False) -> Any:
            return super().defjvp(lambda primals, tangents: rule(jax.lax.stop_gradient(primals), tangents))

    return Stopping


@mutant("jax", "jax.custom_vjp")
def residuals_may_be_anything(old: Any) -> Any:
    """Residuals of a forward rule are kept as Python objects, whatever they are.

    Models: a closure in the place of traced residuals.
    """

    class Keeping(old):  # type: ignore[misc]
        def defvjp(self, forward: Any, backward: Any, symbolic_zeros: bool = False) -> None:
            kept: list[Any] = []

            def keeping(*args: Any) -> Any:
                output, residuals = forward(*args)
                kept.append(residuals)
                return output, ()

            super().defvjp(keeping, lambda _, g: backward(kept[-1], g), symbolic_zeros)

    return Keeping


@mutant("jax", "jax.custom_vjp")
def cotangents_are_tuples(old: Any) -> Any:
    """A backward rule that returns a list raises TypeError.

    Models: a test for the type in the place of one for the length.
    """

    class Strict(old):  # type: ignore[misc]
        def defvjp(self, forward: Any, backward: Any, symbolic_zeros: bool = False) -> None:
            def strict(saved: Any, g: Any) -> Any:
                result = backward(saved, g)
                if isinstance(result, list):
                    raise TypeError("a list of cotangents")
                return result

            super().defvjp(forward, strict, symbolic_zeros)

    return Strict


@mutant("jax", "jax.lax.stop_gradient")
def containers_are_not_stopped(old: Any) -> Any:
    """stop_gradient() of a container returns it as it is.

    Models: a function of one array that lets anything else through.
    """
    return lambda x: x if isinstance(x, (dict, tuple, list)) else old(x)


@mutant("jax", "jax.lax.stop_gradient")
def stops_nothing(old: Any) -> Any:
    """stop_gradient() is the identity for derivatives, too.

    Models: an annotation that a later pass drops.
    """
    return lambda x: x


@mutant("jax", "jax.new_ref")
def refs_hold_constants(old: Any) -> Any:
    """What a Ref is made of is a constant for derivatives.

    Models: memory that is made outside of the trace.
    """
    import jax

    return lambda x: old(jax.lax.stop_gradient(x))


@mutant("jax", "jax.vjp")
def gradient_refs_are_exchanged(old: Any) -> Any:
    """with_refs() binds its entries in reverse order.

    Models: arguments that are popped from a stack.
    """

    class Reversed:
        def __init__(self, pullback: Any) -> None:
            self.pullback = pullback

        def __call__(self, *cotangents: Any) -> Any:
            return self.pullback(*cotangents)

        def with_refs(self, *entries: Any) -> Any:
            return self.pullback.with_refs(*reversed(entries))

    def vjp(program: Any, *primals: Any, **options: Any) -> Any:
        output, pullback, *aux = old(program, *primals, **options)
        return output, Reversed(pullback), *aux

    return vjp


@mutant("jax", "jax.test_util.check_jvp", "jax.test_util.check_vjp")
def checks_of_products_accept_anything(old: Any) -> Any:
    """check_jvp() and check_vjp() compare nothing.

    Models: a comparison under `if __debug__`, or with a tolerance of infinity.
    """
    return lambda *args, **options: None


@mutant("jax", "jax.test_util.check_grads")
def checks_reverse_mode_only(old: Any) -> Any:
    """check_grads() ignores its modes and checks reverse mode.

    Models: an argument that is not passed on.
    """
    return lambda program, args, order, modes: old(program, args, order=order, modes=["rev"])


@mutant("jax", "jax.numpy.tanh")
def tanh_passes_gradients_where_it_rounds_to_one(old: Any) -> Any:
    """Where tanh() is 1 or -1 its derivative is one.

    Models: a guard against gradients that vanish.
    """
    import jax
    import jax.numpy as jnp

    return lambda x: jnp.where(jnp.abs(x) > 19, x + jax.lax.stop_gradient(old(x) - x), old(x))
