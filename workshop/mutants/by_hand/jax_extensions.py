"""JAX, with Taylor mode, custom rules for vmap, compilation and foreign functions changed."""

from __future__ import annotations

from typing import Any

from workshop.mutant import mutant


@mutant("jax", "jax.experimental.jet.jet")
def doubles_taylor_series(old: Any) -> Any:
    """jet() returns twice the series.

    Models: a factor lost on paper.
    """
    import jax

    def jet(*given: Any) -> Any:
        value, series = old(*given)
        return value, jax.tree.map(lambda term: 2 * term, series)

    return jet


@mutant("jax", "jax.experimental.jet.jet")
def scales_taylor_series_always(old: Any) -> Any:
    """jet() ignores factorial_scaled.

    Models: an argument that is not used.
    """
    return lambda program, primals, series, factorial_scaled=True: old(program, primals, series)


@mutant("jax", "jax.experimental.jet.jet")
def takes_operations_without_a_rule_for_constants(old: Any) -> Any:
    """jet() of an operation without a rule returns zeros.

    Models: a default rule.
    """

    def jet(program: Any, primals: Any, series: Any, *rest: Any) -> Any:
        try:
            return old(program, primals, series, *rest)
        except KeyError:
            return program(*primals), [0 * term for term in series[0]]

    return jet


@mutant("jax", "jax.custom_batching.custom_vmap")
def ignores_rules_for_vmap(old: Any) -> Any:
    """custom_vmap() is the function itself, whatever its rule.

    Models: a decorator that returns what it is given.
    """

    class Plain:
        def __init__(self, program: Any) -> None:
            self.program = program

        def __call__(self, *args: Any) -> Any:
            return self.program(*args)

        def def_vmap(self, rule: Any) -> None:
            pass

    return Plain


@mutant("jax", "jax.custom_batching.custom_vmap.def_vmap")
def tells_rules_that_all_is_batched(old: Any) -> Any:
    """A custom rule for vmap is told that each argument is batched.

    Models: flags that are not computed.
    """

    def def_vmap(self: Any, rule: Any) -> Any:
        return old(self, lambda size, batched, *args: rule(size, [True] * len(batched), *args))

    return def_vmap


@mutant("jax", "jax.custom_batching.sequential_vmap")
def maps_all_at_once(old: Any) -> Any:
    """sequential_vmap() is the function itself.

    Models: a decorator that returns what it is given.
    """
    return lambda program: program


@mutant("jax", "jax.jit")
def compiles_nothing(old: Any) -> Any:
    """jit() returns the program.

    Models: a compiler that is switched off.
    """
    return lambda program, **options: program


@mutant("jax", "jax.jit")
def compiles_without_static_arguments(old: Any) -> Any:
    """jit() traces static arguments.

    Models: an option that is not passed on.
    """
    return lambda program, **options: old(program)


@mutant("jax", "jax.lax.cond")
def exchanges_branches(old: Any) -> Any:
    """cond() takes the other branch.

    Models: a condition the wrong way round.
    """
    return lambda predicate, when_true, when_false, *operands: old(predicate, when_false, when_true, *operands)


@mutant("jax", "jax.lax.scan")
def scans_backwards(old: Any) -> Any:
    """scan() runs from the last element to the first.

    Models: the order of the backward pass.
    """
    return lambda body, initial, xs: old(body, initial, xs, reverse=True)


@mutant("jax", "jax.lax.scan", "jax.lax.while_loop")
def negates_what_a_loop_carries(old: Any) -> Any:
    """scan() and while_loop() negate the last carry.

    Models: a sign lost on paper.
    """
    import jax

    def loop(*given: Any) -> Any:
        result = old(*given)
        carry, *ys = result if len(given) == 3 and not callable(given[1]) else (result,)
        negated = jax.tree.map(lambda x: -x, carry)
        return (negated, *ys) if ys else negated

    return loop


@mutant("jax", "jax.lax.fori_loop")
def loops_at_least_once(old: Any) -> Any:
    """fori_loop() runs one iteration at least.

    Models: a condition that is asked too late.
    """
    return lambda lower, upper, *given: old(lower, max(upper, lower + 1), *given)


@mutant("jax", "jax.lax.fori_loop")
def counts_one_less(old: Any) -> Any:
    """fori_loop() leaves out the last iteration.

    Models: a bound that is off by one.
    """
    return lambda lower, upper, *given: old(lower, upper - 1, *given)


@mutant("jax", "jax.ffi.ffi_call")
def takes_foreign_functions_for_constants(old: Any) -> Any:
    """A call of a foreign function is zero.

    Models: a call without rules that counts as a constant.
    """
    import jax.numpy as jnp

    return lambda target, like: lambda *args: jnp.zeros(like.shape, like.dtype)


@mutant("jax", "jax.numpy.sum")
def sums_lists(old: Any) -> Any:
    """sum() takes a list for an array.

    Models: NumPy's conversion.
    """
    import jax.numpy as jnp

    return lambda x, *given, **options: old(jnp.asarray(x), *given, **options)
