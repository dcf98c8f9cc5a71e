"""JAX, with a promise of grad() broken by another transform: keywords, flags, auxiliary output, a second call."""

from __future__ import annotations

from contextlib import suppress
from typing import Any

from workshop.mutant import mutant


@mutant("jax", "jax.value_and_grad", "jax.jacrev", "jax.jacfwd", "jax.hessian")
def gives_every_keyword_the_value_one(old: Any) -> Any:
    """Derivatives besides grad() pass keyword arguments on as 1.

    Models: a default that is bound too early.
    """

    def transform(*given: Any, **options: Any) -> Any:
        result = old(*given, **options)
        return lambda *args, **keywords: result(*args, **dict.fromkeys(keywords, 1.0))

    return transform


@mutant("jax", "jax.grad", "jax.value_and_grad", "jax.jacrev", "jax.jacfwd", "jax.hessian")
def tries_the_program_out(old: Any) -> Any:
    """A transform calls the program when it is made.

    Models: a check of the output that runs too early.
    """

    def transform(program: Any, *given: Any, **options: Any) -> Any:
        with suppress(Exception):
            program(1.0)
        return old(program, *given, **options)

    return transform


@mutant("jax", "jax.value_and_grad", "jax.jacrev", "jax.jacfwd")
def calls_the_program_for_its_shape(old: Any) -> Any:
    """A derivative calls the program once more.

    Models: a shape that is asked of the program itself.
    """

    def transform(program: Any, *given: Any, **options: Any) -> Any:
        result = old(program, *given, **options)
        return lambda *args, **keywords: (program(*args, **keywords), result(*args, **keywords))[1]

    return transform


@mutant("jax", "jax.jvp")
def evaluates_apart_from_the_tangent(old: Any) -> Any:
    """jvp() calls the program for the value, and once more for the tangent.

    Models: two passes where one would do.
    """
    return lambda program, primals, *given: (program(*primals), *old(program, primals, *given)[1:])


@mutant("jax", "jax.value_and_grad", "jax.jacrev", "jax.jacfwd", "jax.hessian")
def conjugates_holomorphic_derivatives(old: Any) -> Any:
    """The derivative of a holomorphic function is its conjugate.

    Models: another library's convention.
    """
    import jax

    def transform(program: Any, argnums: Any = 0, has_aux: bool = False, holomorphic: bool = False, *rest: Any) -> Any:
        result = old(program, argnums, has_aux, holomorphic, *rest)
        return (lambda *args: jax.tree.map(jax.numpy.conj, result(*args))) if holomorphic else result

    return transform


@mutant("jax", "jax.value_and_grad")
def orders_gradients_by_argument(old: Any) -> Any:
    """value_and_grad() returns gradients in the order of the arguments.

    Models: a set in the place of a sequence.
    """
    return lambda program, argnums=0, *rest: old(program, argnums if argnums == 0 else tuple(sorted(argnums)), *rest)


@mutant("jax", "jax.fwd_and_bwd")
def separates_auxiliary_output_first(old: Any) -> Any:
    """The forward function of fwd_and_bwd() returns auxiliary output before the residuals.

    Models: an order of results mixed up.
    """

    def fwd_and_bwd(*given: Any, **options: Any) -> Any:
        forward, backward = old(*given, **options)

        def reordered(*args: Any) -> Any:
            output, *rest = forward(*args)
            return output, *rest[::-1]

        return reordered, backward

    return fwd_and_bwd


@mutant("jax", "jax.fwd_and_bwd")
def keeps_the_first_residuals(old: Any) -> Any:
    """The backward function of fwd_and_bwd() uses the residuals of its first call again.

    Models: a cache without a key.
    """

    def fwd_and_bwd(*given: Any, **options: Any) -> Any:
        forward, backward = old(*given, **options)
        kept: dict[str, Any] = {}
        return forward, lambda residuals, *given: backward(kept.setdefault("first", residuals), *given)

    return fwd_and_bwd


@mutant("jax", "jax.fwd_and_bwd")
def orders_cotangents_by_argument(old: Any) -> Any:
    """fwd_and_bwd() returns cotangents in the order of the arguments.

    Models: a set in the place of a sequence.
    """

    def fwd_and_bwd(program: Any, argnums: Any, **options: Any) -> Any:
        return old(program, argnums if isinstance(argnums, int) else tuple(sorted(argnums)), **options)

    return fwd_and_bwd


@mutant("jax", "jax.jacobian")
def has_an_alias_for_the_first_argument(old: Any) -> Any:
    """jacobian() is with respect to the first argument.

    Models: an alias that forgets its options.
    """
    return lambda program, argnums=0, *rest: old(program, 0, *rest)


@mutant("jax", "jax.hessian")
def orders_hessians_after_auxiliary_output(old: Any) -> Any:
    """hessian() returns the auxiliary output first.

    Models: an order of results mixed up.
    """

    def hessian(program: Any, argnums: Any = 0, has_aux: bool = False, *rest: Any) -> Any:
        result = old(program, argnums, has_aux, *rest)
        return (lambda *args: result(*args)[::-1]) if has_aux else result

    return hessian


@mutant("jax", "jax.linearize")
def linearizes_at_the_first_point(old: Any) -> Any:
    """linearize() of a program gives the linear function of its first point again.

    Models: a cache with the wrong key.
    """
    kept: dict[Any, Any] = {}

    def linearize(program: Any, *primals: Any, **options: Any) -> Any:
        output, linear, *aux = old(program, *primals, **options)
        return output, kept.setdefault(program, linear), *aux

    return linearize


@mutant("jax", "jax.linearize")
def doubles_what_it_linearizes(old: Any) -> Any:
    """The linear function of linearize() gives twice the tangent.

    Models: a perturbation that is counted at two levels.
    """
    import jax

    def linearize(*given: Any, **options: Any) -> Any:
        output, linear, *aux = old(*given, **options)
        return output, lambda *tangents: jax.tree.map(lambda t: 2 * t, linear(*tangents)), *aux

    return linearize


@mutant("jax", "jax.fwd_and_bwd")
def doubles_separate_cotangents(old: Any) -> Any:
    """The backward function of fwd_and_bwd() gives twice the cotangents.

    Models: a factor lost on paper.
    """
    import jax

    def fwd_and_bwd(*given: Any, **options: Any) -> Any:
        forward, backward = old(*given, **options)
        return forward, lambda *args: jax.tree.map(lambda g: 2 * g, backward(*args))

    return fwd_and_bwd


@mutant("jax", "jax.linear_transpose")
def transposes_to_double_precision(old: Any) -> Any:
    """The transpose of a function returns float64 for float32.

    Models: a default dtype.
    """
    import jax

    def linear_transpose(*given: Any) -> Any:
        transposed = old(*given)
        return lambda *cotangents: jax.tree.map(
            lambda x: x.astype("float64") if x.dtype == "float32" else x, transposed(*cotangents)
        )

    return linear_transpose


@mutant("jax", "jax.custom_derivatives.linear_call")
def transposes_a_call_by_its_function(old: Any) -> Any:
    """The transpose of linear_call() is the function itself.

    Models: an argument that is not used.
    """
    return lambda function, transpose, *given: old(function, function, *given)


@mutant("jax", "jax.custom_derivatives.linear_call")
def calls_the_transpose(old: Any) -> Any:
    """linear_call() exchanges the function and its transpose.

    Models: arguments mixed up.
    """
    return lambda function, transpose, *given: old(transpose, function, *given)


@mutant("jax", "jax.tree_util.register_dataclass")
def takes_metadata_for_data(old: Any) -> Any:
    """register_dataclass() registers metadata fields as data.

    Models: an argument that is not used.
    """
    return lambda kind, data, metadata: old(kind, [*data, *metadata], [])
