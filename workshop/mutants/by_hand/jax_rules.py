"""JAX, with rules given by hand and callbacks changed."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Any

from workshop.mutants.mutant import mutant, patched


@mutant("jax")
def jax_ignores_forward_rules() -> Iterator[None]:
    """A function with a custom_jvp is differentiated as if it had none.

    Models: a decorator that keeps the function and loses the rule.
    """
    import jax

    class Ignoring:
        def __init__(self, function: Any, *given: Any, **options: Any) -> None:
            self.function = function

        def defjvp(self, *rules: Any, **options: Any) -> None:
            """The rule is dropped."""

        defjvps = defjvp

        def __call__(self, *args: Any, **keywords: Any) -> Any:
            return self.function(*args, **keywords)

    with patched(jax, "custom_jvp", lambda old: Ignoring):
        yield


def _eager(old: Any, rule_of: Callable[[Any, tuple[Any, ...]], Any]) -> Any:
    """A kind of function that has a rule, and runs it, as `rule_of` does, at each call that no rule makes itself."""
    from jax._src.api_util import resolve_kwargs

    running: list[Any] = []

    class Eager(old):  # type: ignore[misc]
        def __call__(self, *args: Any, **keywords: Any) -> Any:
            output = super().__call__(*args, **keywords)
            if not running:
                running.append(self)
                try:
                    rule_of(self, resolve_kwargs(self.fun, args, keywords))
                finally:
                    running.pop()
            return output

    return Eager


@mutant("jax")
def jax_evaluates_by_rules() -> Iterator[None]:
    """A function with a rule runs it whenever it is called, except by the rule.

    Models: one code path for evaluation and differentiation.
    """
    import jax

    def forward(ruled: Any, args: tuple[Any, ...]) -> None:
        ruled.fwd(*args)

    def tangents(ruled: Any, args: tuple[Any, ...]) -> None:
        primals = tuple(x for n, x in enumerate(args) if n not in ruled.nondiff_argnums)
        ruled.jvp(*(args[n] for n in ruled.nondiff_argnums), primals, primals)

    with (
        patched(jax, "custom_vjp", lambda old: _eager(old, forward)),
        patched(jax, "custom_jvp", lambda old: _eager(old, tangents)),
    ):
        yield


@mutant("jax")
def jax_ignores_closures_for_gradients() -> Iterator[None]:
    """A function with a custom_gradient is differentiated as if it had none.

    Models: a decorator that keeps the function and loses the rule.
    """
    import jax

    with patched(jax, "custom_gradient", lambda old: lambda program: lambda *args: program(*args)[0]):
        yield


@mutant("jax")
def jax_converts_no_closures() -> Iterator[None]:
    """closure_convert() gives the program back as it is, with nothing that it captures.

    Models: an analysis that finds nothing.
    """
    import jax

    def kept(old: Any) -> Any:
        return lambda program, *args: (program, [])

    with patched(jax, "closure_convert", kept):
        yield


@mutant("jax")
def jax_takes_callbacks_for_constants() -> Iterator[None]:
    """What a callback returns has no derivative, where differentiating it should be refused.

    Models: a foreign function, silently detached.
    """
    import jax
    import jax.experimental

    def detached(old: Any) -> Any:
        def callback(function: Any, like: Any, *args: Any) -> Any:
            return old(function, like, *(jax.lax.stop_gradient(x) for x in args))

        return callback

    with patched(jax, "pure_callback", detached), patched(jax.experimental, "io_callback", detached):
        yield


@mutant("jax")
def jax_observes_nothing() -> Iterator[None]:
    """debug.callback() does not call the function.

    Models: an effect that nothing depends on, optimised away.
    """
    import jax

    with patched(jax.debug, "callback", lambda old: lambda function, *args: None):
        yield


@mutant("jax")
def jax_divides_zero_by_zero_in_sinc() -> Iterator[None]:
    """sinc() is one at zero, and its derivatives there are NaN.

    Models: a limit that is chosen after the division, without the rule that goes with it.
    """
    import jax.numpy as jnp

    def naive(x: Any) -> Any:
        return jnp.where(x == 0, 1.0, jnp.sin(jnp.pi * x) / (jnp.pi * x))

    with patched(jnp, "sinc", lambda old: naive):
        yield
