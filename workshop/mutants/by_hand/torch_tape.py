"""PyTorch, with backward and autograd.grad changed so that its users would call it a bug."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import Any

from workshop.mutants.mutant import mutant, patched


@contextmanager
def _of_both(change: Callable[[Any], Any]) -> Iterator[None]:
    """Change what backward() and autograd.grad() have in common: the call of the engine."""
    from torch import autograd

    with patched(autograd, "_engine_run_backward", change):
        yield


def _leaves_behind(tensors: Any) -> list[Any]:
    """The leaves that a backward from these tensors would reach."""
    pending = [t.grad_fn for t in tensors if getattr(t, "grad_fn", None) is not None]
    found, seen = [t for t in tensors if getattr(t, "is_leaf", False)], set()
    while pending:
        node = pending.pop()
        if node in seen:
            continue
        seen.add(node)
        found.extend([node.variable] if hasattr(node, "variable") else [])
        pending.extend(behind for behind, _ in node.next_functions if behind is not None)
    return found


def _as_tuple(tensors: Any) -> tuple[Any, ...]:
    return tuple(tensors) if isinstance(tensors, (tuple, list)) else (tensors,)


@mutant("torch")
def torch_overwrites_gradients() -> Iterator[None]:
    """A backward replaces the gradients that leaves hold.

    Models: gradients assigned rather than accumulated.
    """
    from torch import autograd

    def overwriting(old: Any) -> Any:
        def backward(tensors: Any, *given: Any, **named: Any) -> None:
            for leaf in _leaves_behind(_as_tuple(tensors)):
                leaf.grad = None
            old(tensors, *given, **named)

        return backward

    with patched(autograd, "backward", overwriting):
        yield


@mutant("torch")
def torch_never_frees_the_graph() -> Iterator[None]:
    """The graph is always retained.

    Models: saved values that live as long as the result.
    """
    with _of_both(lambda old: lambda outputs, grads, retain, *rest, **named: old(outputs, grads, True, *rest, **named)):
        yield


@mutant("torch")
def torch_always_frees_the_graph() -> Iterator[None]:
    """The graph is freed although it is to be retained.

    Models: retain_graph accepted and ignored.
    """
    from torch import autograd

    def freeing(old: Any) -> Any:
        def run(outputs: Any, grads: Any, retain: Any, create: Any, *rest: Any, **named: Any) -> Any:
            return old(outputs, grads, create and retain, create, *rest, **named)

        return run

    with patched(autograd, "_engine_run_backward", freeing):
        yield


@mutant("torch")
def torch_ignores_create_graph() -> Iterator[None]:
    """A derivative has no graph, although one was asked for.

    Models: a backward that runs without recording, whatever was said.
    """

    def without(old: Any) -> Any:
        def run(outputs: Any, grads: Any, retain: Any, create: Any, *rest: Any, **named: Any) -> Any:
            return old(outputs, grads, retain or create, False, *rest, **named)

        return run

    with _of_both(without):
        yield


@mutant("torch")
def torch_always_creates_a_graph() -> Iterator[None]:
    """A derivative always has a graph.

    Models: recording left on while backward runs.
    """
    with _of_both(lambda old: lambda o, g, retain, create, *rest, **named: old(o, g, retain, True, *rest, **named)):
        yield


@mutant("torch")
def torch_allows_unused_inputs() -> Iterator[None]:
    """An input that the output does not depend on has the gradient None, without being asked for.

    Models: a refusal dropped for convenience.
    """

    def allowing(old: Any) -> Any:
        def run(o: Any, g: Any, retain: Any, create: Any, inputs: Any, allow_unreachable: Any, **named: Any) -> Any:
            return old(o, g, retain, create, inputs, True, **named)

        return run

    with _of_both(allowing):
        yield


@mutant("torch")
def torch_grad_accumulates() -> Iterator[None]:
    """autograd.grad() leaves its gradients in the leaves as well.

    Models: one way through the engine for both functions.
    """
    import torch
    from torch import autograd

    def leaving(old: Any) -> Any:
        def grad(outputs: Any, inputs: Any, *given: Any, **named: Any) -> Any:
            found = old(outputs, inputs, *given, **named)
            for leaf, gradient in zip(_as_tuple(inputs), found, strict=True):
                if isinstance(gradient, torch.Tensor) and leaf.is_leaf:
                    leaf.grad = gradient.detach()
            return found

        return grad

    with patched(autograd, "grad", leaving):
        yield


@mutant("torch")
def torch_backward_ignores_inputs() -> Iterator[None]:
    """backward(inputs=...) fills every leaf.

    Models: an argument that is accepted and dropped.
    """
    from torch import autograd

    def every_leaf(old: Any) -> Any:
        def backward(*given: Any, inputs: Any = None, **named: Any) -> None:
            old(*given, **named)

        return backward

    with patched(autograd, "backward", every_leaf):
        yield


@mutant("torch")
def torch_ignores_the_gradient() -> Iterator[None]:
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


@mutant("torch")
def torch_implies_a_gradient_of_any_shape() -> Iterator[None]:
    """Backward from a vector needs no gradient: it takes ones.

    Models: the refusal of outputs that are no scalars, dropped for convenience.
    """
    import torch
    from torch import autograd

    def implied(old: Any) -> Any:
        def make(outputs: Any, grads: Any, **named: Any) -> Any:
            given = [torch.ones_like(o) if g is None else g for o, g in zip(outputs, grads, strict=True)]
            return old(outputs, tuple(given), **named)

        return make

    with patched(autograd, "_make_grads", implied):
        yield
