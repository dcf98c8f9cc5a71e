"""JAX, with rules given by hand and callbacks changed."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Any

from workshop.mutant import mutant, patched


@mutant("jax", "jax.custom_jvp")
def ignores_forward_rules(old: Any) -> Any:
    """A function with a custom_jvp is differentiated as if it had none.

    Models: a decorator that keeps the function and loses the rule.
    """

    class Ignoring:
        def __init__(self, function: Any, *given: Any, **options: Any) -> None:
            self.function = function

        def defjvp(self, *rules: Any, **options: Any) -> None:
            """The rule is dropped."""

        defjvps = defvjp = defjvp

        def __call__(self, *args: Any, **keywords: Any) -> Any:
            return self.function(*args, **keywords)

    return Ignoring


@mutant("jax", "jax.custom_vjp")
def ignores_custom_rules(old: Any) -> Any:
    """A function with a custom_vjp is differentiated as if it had none.

    Models: a decorator that keeps the function and loses the rule.
    """
    return ignores_forward_rules(old)


def _eager(old: Any, rule_of: Callable[[Any, tuple[Any, ...]], Any]) -> Any:
    """A kind of function that has a rule, and runs it, as `rule_of` does, at each call that no rule makes itself."""
    from jax._src.api_util import resolve_kwargs

    # A rule may call its function: without this list it would run itself without end.
    running: list[Any] = []

    class Eager(old):  # type: ignore[misc]
        def __call__(self, *args: Any, **keywords: Any) -> Any:
            output = super().__call__(*args, **keywords)
            if not running:
                running.append(self)
                try:
                    # Rules take positional arguments only.
                    rule_of(self, resolve_kwargs(self.fun, args, keywords))
                finally:
                    running.pop()
            return output

    return Eager


@mutant("jax")
def evaluates_by_rules() -> Iterator[None]:
    """A function with a rule runs it whenever it is called, except by the rule.

    Models: one code path for evaluation and differentiation.
    """
    import jax

    def forward(ruled: Any, args: tuple[Any, ...]) -> None:
        ruled.fwd(*args)

    def tangents(ruled: Any, args: tuple[Any, ...]) -> None:
        primals = tuple(x for n, x in enumerate(args) if n not in ruled.nondiff_argnums)
        # Any tangents will do: what the rule returns is dropped, and only its effects are seen.
        ruled.jvp(*(args[n] for n in ruled.nondiff_argnums), primals, primals)

    with (
        patched(jax, "custom_vjp", lambda old: _eager(old, forward)),
        patched(jax, "custom_jvp", lambda old: _eager(old, tangents)),
    ):
        yield


@mutant("jax", "jax.custom_gradient")
def ignores_closures_for_gradients(old: Any) -> Any:
    """A function with a custom_gradient is differentiated as if it had none.

    Models: a decorator that keeps the function and loses the rule.
    """
    return lambda program: lambda *args: program(*args)[0]


@mutant("jax", "jax.closure_convert")
def converts_no_closures(old: Any) -> Any:
    """closure_convert() gives the program back as it is, with nothing that it captures.

    Models: an analysis that finds nothing.
    """
    return lambda program, *args: (program, [])


@mutant("jax", "jax.pure_callback", "jax.experimental.io_callback")
def takes_callbacks_for_constants(old: Any) -> Any:
    """What a callback returns has no derivative, where differentiating it should raise an error.

    Models: a foreign function, silently detached.
    """
    import jax
    import jax.experimental

    def callback(function: Any, like: Any, *args: Any) -> Any:
        return old(function, like, *(jax.lax.stop_gradient(x) for x in args))

    return callback


@mutant("jax", "jax.debug.callback")
def observes_nothing(old: Any) -> Any:
    """debug.callback() does not call the function.

    Models: an effect that nothing depends on, optimised away.
    """
    return lambda function, *args: None


@mutant("jax", "jax.numpy.sinc")
def divides_zero_by_zero_in_sinc(old: Any) -> Any:
    """sinc() is one at zero, and its derivatives there are NaN.

    Models: a limit that is chosen after the division, without the rule that goes with it.
    """
    import jax.numpy as jnp

    def naive(x: Any) -> Any:
        return jnp.where(x == 0, 1.0, jnp.sin(jnp.pi * x) / (jnp.pi * x))

    return naive
