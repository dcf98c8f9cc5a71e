"""JAX that answers where it should refuse."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from workshop.mutants.mutant import mutant, patched


@mutant("jax")
def jax_swallows_refusals_of_gradients() -> Iterator[None]:
    """What has no gradient, as a program, an argument, an input or an output, has one of zero.

    Models: a blanket except around the transform, which was meant for something else.
    """
    import jax

    def lenient(old: Any) -> Any:
        def grad(*given: Any, **options: Any) -> Any:
            def derivative(*args: Any, **keywords: Any) -> Any:
                try:
                    return old(*given, **options)(*args, **keywords)
                except (TypeError, ValueError):
                    return 0.0

            return derivative

        return grad

    with patched(jax, "grad", lenient):
        yield


@mutant("jax")
def jax_swallows_refusals_of_calls() -> Iterator[None]:
    """A function with a custom_jvp that is called with arguments that it does not have answers zero.

    Models: a blanket except around the call, which was meant for something else.
    """
    import jax

    def lenient(old: Any) -> Any:
        class Lenient(old):  # type: ignore[misc]
            def __call__(self, *args: Any, **keywords: Any) -> Any:
                try:
                    return super().__call__(*args, **keywords)
                except (TypeError, ValueError):
                    return 0.0

        return Lenient

    with patched(jax, "custom_jvp", lenient):
        yield
