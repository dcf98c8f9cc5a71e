"""JAX, with rules given by hand and callbacks changed."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from tests.mutants.mutant import mutant, patched


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


@mutant("jax")
def jax_evaluates_by_rules() -> Iterator[None]:
    """A function with a rule runs it whenever it is called.

    Models: one code path for evaluation and differentiation.
    """
    import jax

    class Eager:
        def __init__(self, ruled: Any) -> None:
            self.ruled = ruled

        def defvjp(self, forward: Any, backward: Any) -> None:
            self.ruled.defvjp(forward, backward)
            self.rule = forward

        def defjvp(self, rule: Any) -> None:
            self.ruled.defjvp(rule)
            self.rule = lambda *args: rule(args, args)

        def __call__(self, *args: Any) -> Any:
            self.rule(*args)
            return self.ruled(*args)

    def eager(old: Any) -> Any:
        return lambda *given, **options: Eager(old(*given, **options))

    with patched(jax, "custom_vjp", eager), patched(jax, "custom_jvp", eager):
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
