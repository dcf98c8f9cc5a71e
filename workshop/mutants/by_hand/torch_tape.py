"""PyTorch, with backward and autograd.grad changed so that its users would call it a bug."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import Any

from workshop.mutant import mutant, patched


@contextmanager
def _of_both(change: Callable[[Any], Any]) -> Iterator[None]:
    """Change what backward() and autograd.grad() have in common: the call of the engine."""
    from torch import autograd

    with patched(autograd, "_engine_run_backward", change):
        yield


def _leaves_behind(tensors: Any) -> list[Any]:
    """The leaves that a backward from these tensors would reach."""
    pending = [t.grad_fn for t in tensors if getattr(t, "grad_fn", None) is not None]
    roots, seen = [t for t in tensors if getattr(t, "is_leaf", False)], set()
    while pending:
        node = pending.pop()
        if node in seen:
            continue
        seen.add(node)
        # Only the node that accumulates into a leaf has a `variable`, which is the leaf.
        roots.extend([node.variable] if hasattr(node, "variable") else [])
        pending.extend(behind for behind, _ in node.next_functions if behind is not None)
    return roots


def _as_tuple(tensors: Any) -> tuple[Any, ...]:
    return tuple(tensors) if isinstance(tensors, (tuple, list)) else (tensors,)


@mutant("torch", "torch.autograd.backward")
def overwrites_gradients(old: Any) -> Any:
    """A backward replaces the gradients that leaves hold.

    Models: gradients assigned rather than accumulated.
    """

    def backward(tensors: Any, *given: Any, **named: Any) -> None:
        for leaf in _leaves_behind(_as_tuple(tensors)):
            leaf.grad = None
        old(tensors, *given, **named)

    return backward


@mutant("torch")
def never_frees_the_graph() -> Iterator[None]:
    """The graph is always retained.

    Models: saved values that live as long as the result.
    """
    with _of_both(lambda old: lambda outputs, grads, retain, *rest, **named: old(outputs, grads, True, *rest, **named)):
        yield


@mutant("torch", "torch.autograd._engine_run_backward")
def always_frees_the_graph(old: Any) -> Any:
    """The graph is freed although it is to be retained.

    Models: retain_graph accepted and ignored.
    """

    def run(outputs: Any, grads: Any, retain: Any, create: Any, *rest: Any, **named: Any) -> Any:
        # Kept where a graph is created: else every higher derivative would fail, and not only what retain_graph
        # promises.
        return old(outputs, grads, create and retain, create, *rest, **named)

    return run


@mutant("torch")
def ignores_create_graph() -> Iterator[None]:
    """A derivative has no graph, although one was asked for.

    Models: a backward that always runs without recording.
    """

    def without(old: Any) -> Any:
        def run(outputs: Any, grads: Any, retain: Any, create: Any, *rest: Any, **named: Any) -> Any:
            return old(outputs, grads, retain or create, False, *rest, **named)

        return run

    with _of_both(without):
        yield


@mutant("torch")
def always_creates_a_graph() -> Iterator[None]:
    """A derivative always has a graph.

    Models: recording left on while backward runs.
    """
    with _of_both(lambda old: lambda o, g, retain, create, *rest, **named: old(o, g, retain, True, *rest, **named)):
        yield


@mutant("torch")
def allows_unused_inputs() -> Iterator[None]:
    """An input that the output does not depend on has the gradient None, without being asked for.

    Models: an error dropped for convenience.
    """

    def allowing(old: Any) -> Any:
        def run(o: Any, g: Any, retain: Any, create: Any, inputs: Any, allow_unreachable: Any, **named: Any) -> Any:
            return old(o, g, retain, create, inputs, True, **named)

        return run

    with _of_both(allowing):
        yield


@mutant("torch", "torch.autograd.grad")
def grad_accumulates(old: Any) -> Any:
    """autograd.grad() leaves its gradients in the leaves as well.

    Models: one way through the engine for both functions.
    """
    import torch

    def grad(outputs: Any, inputs: Any, *given: Any, **named: Any) -> Any:
        result = old(outputs, inputs, *given, **named)
        for leaf, gradient in zip(_as_tuple(inputs), result, strict=True):
            if isinstance(gradient, torch.Tensor) and leaf.is_leaf:
                leaf.grad = gradient.detach()
        return result

    return grad


@mutant("torch", "torch.autograd.backward")
def backward_ignores_inputs(old: Any) -> Any:
    """backward(inputs=...) fills every leaf.

    Models: an argument that is accepted and dropped.
    """

    def backward(*given: Any, inputs: Any = None, **named: Any) -> None:
        old(*given, **named)

    return backward


@mutant("torch")
def ignores_the_gradient() -> Iterator[None]:
    """The cotangent that is given counts as ones.

    Models: the implicit gradient of a scalar taken for every output.
    """
    import torch

    def ones(old: Any) -> Any:
        def run(outputs: Any, grads: Any, *rest: Any, **named: Any) -> Any:
            return old(outputs, tuple(g if g is None else torch.ones_like(g) for g in grads), *rest, **named)

        return run

    with _of_both(ones):
        yield


@mutant("torch", "torch.autograd._make_grads")
def implies_a_gradient_of_any_shape(old: Any) -> Any:
    """Backward from a vector needs no gradient: it takes ones.

    Models: the error for outputs that are no scalars, dropped for convenience.
    """
    import torch

    def make(outputs: Any, grads: Any, **named: Any) -> Any:
        given = [torch.ones_like(o) if g is None else g for o, g in zip(outputs, grads, strict=True)]
        return old(outputs, tuple(given), **named)

    return make
