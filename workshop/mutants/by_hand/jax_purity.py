"""JAX, with what programs may do beside computing changed: references, exceptions, and values that leak."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Any

from workshop.mutant import mutant, patched


class _Cell:
    """Memory that holds arrays and passes for one; what is written into it, it holds from then on."""

    def __init__(self, value: Any) -> None:
        self.value = value

    def __getitem__(self, index: Any) -> Any:
        return self.value[index]

    def __setitem__(self, index: Any, value: Any) -> None:
        self.value = self.value.at[index].set(value)

    def __jax_array__(self) -> Any:
        return self.value


@mutant("jax", "jax.new_ref")
def holds_anything_in_references(old: Any) -> Any:
    """new_ref() gives an object that holds any array, passes for one, and has a gradient like one.

    Models: references that are Python objects, which the trace does not know.
    """
    import jax

    # A new class each time, as a class can be registered as a pytree node only once.
    class Cell(_Cell):
        pass

    jax.tree_util.register_pytree_node(Cell, lambda cell: ((cell.value,), None), lambda _, values: Cell(*values))
    return Cell


@mutant("jax", "jax.vjp")
def needs_no_destinations(old: Any) -> Any:
    """A pullback that is given references to add to ignores them.

    Models: an option that is accepted and not looked at.
    """

    class Pullback:
        def __init__(self, pullback: Any) -> None:
            self.pullback = pullback

        def __call__(self, *cotangents: Any) -> Any:
            return self.pullback(*cotangents)

        def with_refs(self, *references: Any) -> Any:
            return self.pullback

    def vjp(*given: Any, **options: Any) -> Any:
        output, pullback, *rest = old(*given, **options)
        return output, Pullback(pullback), *rest

    return vjp


def _called_first(before: Callable[..., Any]) -> Callable[[Any], Any]:
    """A transform whose result calls `before(program, *args)` and then what the transform made."""

    def around(old: Any) -> Any:
        def transform(program: Any, *given: Any, **options: Any) -> Any:
            made = old(program, *given, **options)

            def called(*args: Any, **keywords: Any) -> Any:
                before(program, *args, **keywords)
                return made(*args, **keywords)

            return called

        return transform

    return around


@mutant("jax")
def runs_a_program_before_it_traces() -> Iterator[None]:
    """grad() and jit() call the program on plain arrays first.

    Models: a warm-up outside of the trace.
    """
    import jax

    around = _called_first(lambda program, *args, **keywords: program(*args, **keywords))
    with patched(jax, "grad", around), patched(jax, "jit", around):
        yield


@mutant("jax", "jax.grad")
def wraps_exceptions(old: Any) -> Any:
    """grad() raises RuntimeError for any exception of the program.

    Models: a boundary at which exceptions are translated.
    """

    def grad(*given: Any, **options: Any) -> Any:
        made = old(*given, **options)

        def called(*args: Any, **keywords: Any) -> Any:
            try:
                return made(*args, **keywords)
            except Exception as error:
                raise RuntimeError("the program failed") from error

        return called

    return grad


@mutant("jax", "jax.lax.stop_gradient")
def stops_the_value_with_the_gradient(old: Any) -> Any:
    """stop_gradient() gives zeros.

    Models: a mask that is laid on the value as well.
    """
    import jax.numpy as jnp

    return lambda x: old(jnp.zeros_like(x))


@mutant("jax", "jax.grad")
def gives_the_input_away(old: Any) -> Any:
    """grad() puts the gradient into the memory of its first argument, which is gone afterwards.

    Models: a donated buffer.
    """
    import jax

    return lambda *given, **options: jax.jit(old(*given, **options), donate_argnums=0)
