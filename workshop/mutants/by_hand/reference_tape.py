"""A reference engine whose tape, leaves or hooks go wrong."""

from __future__ import annotations

from typing import Any

from workshop.mutant import mutant


@mutant("reference", "reference_engine.core.tensor.Tensor.accumulate")
def overwrites_gradients(old: Any) -> Any:
    """A backward replaces the gradient that a leaf holds.

    Models: `leaf.grad = g` where `+=` was meant.
    """

    def overwrite(leaf: Any, cotangent: Any) -> None:
        leaf._grad = None
        old(leaf, cotangent)

    return overwrite


@mutant("reference", "reference_engine.core.engine.Pass.run")
def shares_one_gradient(old: Any) -> Any:
    """A leaf's first gradient is the very array that was passed on, and not a copy.

    Models: a copy saved at the wrong place, so that adding to one gradient changes another.
    """

    def doubled(this: Any, roots: Any, cotangents: Any) -> Any:
        result = old(this, roots, cotangents)
        return [result[0]] * len(result) if result else result

    return doubled


@mutant("reference", "reference_engine.core.engine._order")
def runs_nodes_too_early(old: Any) -> Any:
    """A node may run before it has received everything: nodes follow the edges breadth first, and not their numbers.

    Models: a backward that walks the graph from its roots, and takes the first visit of a shared part for the last.
    """

    def order(roots: Any) -> Any:
        gradients = dict.fromkeys(roots)
        # The list grows while it is walked, which makes the order breadth first.
        for node in (queue := list(gradients)):
            new = [edge[0] for edge in node.edges if edge is not None and edge[0] not in gradients]
            gradients.update(dict.fromkeys(new))
            queue += dict.fromkeys(new)
        return list(gradients)

    return order


@mutant("reference", "reference_engine.core.primitive.PrimitiveNode.release")
def never_frees_the_graph(old: Any) -> Any:
    """A graph can be walked again although it was not retained.

    Models: saved values that live as long as the result.
    """
    return lambda node: None


@mutant("reference", "reference_engine.functions.call_forms.overriding")
def ignores_stand_ins(old: Any) -> Any:
    """`__torch_function__` of tensor-like objects is not called.

    Models: an entry point that was written before overriding was.
    """
    return lambda value: False


@mutant("reference", "reference_engine.core.engine.Pass._replaced")
def ignores_what_hooks_return(old: Any) -> Any:
    """A tensor hook sees the gradient, and what it returns is dropped.

    Models: hooks thought of as observers.
    """

    def unchanged(this: Any, hook: Any, cotangent: Any) -> Any:
        old(this, hook, cotangent)
        return cotangent

    return unchanged


@mutant("reference", "reference_engine.core.engine.Pass._replaced")
def hands_hooks_no_gradient(old: Any) -> Any:
    """A tensor hook is given zeros.

    Models: a hook that runs before its gradient has arrived.
    """
    return lambda this, hook, cotangent: old(this, hook, 0 * cotangent)


@mutant("reference", "reference_engine.core.hooks.RemovableHandle.remove")
def keeps_removed_hooks(old: Any) -> Any:
    """A hook that was removed is still called.

    Models: a table of hooks that was copied when the graph was built.
    """
    return lambda handle: None


@mutant("reference", "reference_engine.core.tensor.Tensor.detach")
def detach_copies(old: Any) -> Any:
    """A detached tensor has its own memory.

    Models: detach written as a copy, for safety.
    """
    return lambda x: old(old(x).clone())


@mutant("reference", "reference_engine.core.tensor.Tensor.detach")
def detach_keeps_the_history(old: Any) -> Any:
    """A detached tensor still requires grad.

    Models: a new name for the tensor, with the old node.
    """
    return lambda x: x.view_as(x) if x.requires_grad else old(x)


@mutant("reference", "reference_engine.core.tape.SavedTensor.check")
def does_not_count_versions(old: Any) -> Any:
    """Values that were saved are not checked for changes in place.

    Models: an engine without version counters.
    """
    return lambda saved, name: None


@mutant("reference", "reference_engine.core.tensor.Tensor.accumulate")
def reuses_the_buffers_of_gradients(old: Any) -> Any:
    """Stored gradients are shared by all leaves of a pass that have the same shape.

    Models: a buffer reused before its reader was done.
    """
    buffers: dict[object, Any] = {}

    def into_a_buffer(leaf: Any, cotangent: Any) -> None:
        old(leaf, cotangent)
        buffer = buffers.setdefault((leaf.array.shape, leaf.array.dtype), leaf._grad)
        if buffer is not leaf._grad:
            buffer.array[...] = leaf._grad.array
            leaf._grad = buffer

    return into_a_buffer
