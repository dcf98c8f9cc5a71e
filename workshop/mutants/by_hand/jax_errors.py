"""JAX that gives a result where it should raise an error."""

from __future__ import annotations

from typing import Any

from workshop.mutant import mutant


@mutant("jax", "jax.grad")
def swallows_refusals_of_gradients(old: Any) -> Any:
    """What has no gradient, as a program, an argument, an input or an output, has one of zero.

    Models: a blanket except around the transform, which was meant for something else.
    """

    def grad(*given: Any, **options: Any) -> Any:
        def derivative(*args: Any, **keywords: Any) -> Any:
            try:
                return old(*given, **options)(*args, **keywords)
            except (TypeError, ValueError):
                return 0.0

        return derivative

    return grad


@mutant("jax", "jax.custom_jvp")
def swallows_refusals_of_calls(old: Any) -> Any:
    """A function with a custom_jvp that is called with arguments that it does not have returns zero.

    Models: a blanket except around the call, which was meant for something else.
    """

    class Lenient(old):  # type: ignore[misc]
        def __call__(self, *args: Any, **keywords: Any) -> Any:
            try:
                return super().__call__(*args, **keywords)
            except (TypeError, ValueError):
                return 0.0

    return Lenient
