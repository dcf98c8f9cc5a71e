"""A reference engine whose tape, leaves or hooks go wrong."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from workshop.mutants.mutant import mutant, patched


@mutant("reference")
def overwrites_gradients() -> Iterator[None]:
    """A backward replaces the gradient that a leaf holds.

    Models: `leaf.grad = g` where `+=` was meant.
    """
    from reference_engine.core.tensor import Tensor

    def accumulate(old: Any) -> Any:
        def overwrite(leaf: Any, cotangent: Any) -> None:
            leaf._grad = None
            old(leaf, cotangent)

        return overwrite

    with patched(Tensor, "accumulate", accumulate):
        yield


@mutant("reference")
def shares_one_gradient() -> Iterator[None]:
    """A leaf's first gradient is the very array that was passed on, and not one of its own.

    Models: a copy saved at the wrong place, so that adding to one gradient changes another.
    """
    from reference_engine.core.engine import Pass

    def run(old: Any) -> Any:
        def doubled(this: Any, roots: Any, cotangents: Any) -> Any:
            found = old(this, roots, cotangents)
            return [found[0]] * len(found) if found else found

        return doubled

    with patched(Pass, "run", run):
        yield


@mutant("reference")
def runs_nodes_too_early() -> Iterator[None]:
    """A node may run before it has received everything: nodes follow the edges breadth first, and not their numbers.

    Models: a backward that walks the graph from its roots, and takes the first visit of a shared part for the last.
    """
    from reference_engine.core import engine

    def by_distance(old: Any) -> Any:
        def order(roots: Any) -> Any:
            found = dict.fromkeys(roots)
            for node in (queue := list(found)):
                new = [edge[0] for edge in node.edges if edge is not None and edge[0] not in found]
                found.update(dict.fromkeys(new))
                queue += dict.fromkeys(new)
            return list(found)

        return order

    with patched(engine, "_order", by_distance):
        yield


@mutant("reference")
def never_frees_the_graph() -> Iterator[None]:
    """A graph can be walked again although nobody asked to retain it.

    Models: saved values that live as long as the result.
    """
    from reference_engine.core.nodes import PrimitiveNode

    with patched(PrimitiveNode, "release", lambda old: lambda node: None):
        yield


@mutant("reference")
def ignores_stand_ins() -> Iterator[None]:
    """Objects that stand in for tensors are not asked what to do.

    Models: an entry point that was written before overriding was.
    """
    from reference_engine.functions import calling

    with patched(calling, "overriding", lambda old: lambda value: False):
        yield


@mutant("reference")
def ignores_what_hooks_return() -> Iterator[None]:
    """A tensor hook sees the gradient, and what it returns is dropped.

    Models: hooks thought of as observers.
    """
    from reference_engine.core.engine import Pass

    def replaced(old: Any) -> Any:
        def unchanged(this: Any, hook: Any, cotangent: Any) -> Any:
            old(this, hook, cotangent)
            return cotangent

        return unchanged

    with patched(Pass, "_replaced", replaced):
        yield


@mutant("reference")
def hands_hooks_no_gradient() -> Iterator[None]:
    """A tensor hook is given zeros.

    Models: a hook that runs before its gradient has arrived.
    """
    from reference_engine.core.engine import Pass

    def replaced(old: Any) -> Any:
        return lambda this, hook, cotangent: old(this, hook, 0 * cotangent)

    with patched(Pass, "_replaced", replaced):
        yield


@mutant("reference")
def keeps_removed_hooks() -> Iterator[None]:
    """A hook that was removed is still called.

    Models: a table of hooks that was copied when the graph was built.
    """
    from reference_engine.core.hooks import RemovableHandle

    with patched(RemovableHandle, "remove", lambda old: lambda handle: None):
        yield


@mutant("reference")
def detach_copies() -> Iterator[None]:
    """A detached tensor has memory of its own.

    Models: detach written as a copy, for safety.
    """
    from reference_engine.core.tensor import Tensor

    with patched(Tensor, "detach", lambda old: lambda x: old(old(x).clone())):
        yield


@mutant("reference")
def detach_keeps_the_history() -> Iterator[None]:
    """A detached tensor still requires grad.

    Models: a new name for the tensor, with the old node.
    """
    from reference_engine.core.tensor import Tensor

    with patched(Tensor, "detach", lambda old: lambda x: x.view_as(x) if x.requires_grad else old(x)):
        yield


@mutant("reference")
def does_not_count_versions() -> Iterator[None]:
    """Values that were saved are not checked for changes in place.

    Models: an engine without version counters.
    """
    from reference_engine.core.saved import SavedTensor

    with patched(SavedTensor, "check", lambda old: lambda saved, name: None):
        yield


@mutant("reference")
def reuses_the_buffers_of_gradients() -> Iterator[None]:
    """Stored gradients are shared by all leaves of a pass that have the same shape.

    Models: a buffer reused before its reader was done.
    """
    from reference_engine.core.tensor import Tensor

    buffers: dict[object, Any] = {}

    def accumulate(old: Any) -> Any:
        def into_a_buffer(leaf: Any, cotangent: Any) -> None:
            old(leaf, cotangent)
            buffer = buffers.setdefault((leaf.array.shape, leaf.array.dtype), leaf._grad)
            if buffer is not leaf._grad:
                buffer.array[...] = leaf._grad.array
                leaf._grad = buffer

        return into_a_buffer

    with patched(Tensor, "accumulate", accumulate):
        yield
