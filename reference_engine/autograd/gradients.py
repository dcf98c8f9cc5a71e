"""`backward` and `grad`: the two ways of asking for gradients.

Both turn their arguments into edges and cotangents, raise errors before anything has changed,
and run a pass of the engine. `backward` adds into the leaves' ``.grad``, `grad` returns (torch.autograd).
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, NamedTuple

import numpy as np

from .. import primitives as o
from ..batching.active import batching
from ..batching.batched import Batched
from ..batching.execution import unbatched
from ..core import warn
from ..core.engine import run_backward
from ..core.modes import state
from ..core.tape import Edge, Node
from ..core.tensor import Tensor
from ..functions.call_forms import overridable

Tensors = Any


class GradientEdge(NamedTuple):
    """Where cotangents of a tensor go; taken by `grad` like the tensor (torch.autograd.graph.GradientEdge)."""

    node: Node
    output_nr: int


@overridable
def backward(
    tensors: Tensors,
    grad_tensors: Tensors = None,
    retain_graph: bool | None = None,
    create_graph: bool = False,
    grad_variables: Tensors = None,
    inputs: Tensors = None,
) -> None:
    """Add the gradients of the given tensors into the ``.grad`` of the leaves, or of `inputs` only.

    Each tensor is weighted by its `grad_tensors` entry, which may be None for a single element. `retain_graph`
    (default: `create_graph`) keeps what the graph saved; `create_graph` makes the gradients differentiable.
    RuntimeError for tensors without history, for gradients that do not fit, and for a graph already freed; TypeError
    for gradients that are no tensors. Source: torch.autograd.backward.
    """
    # Accumulating into leaves from within a mapped function would be a side effect of a pure function.
    if state.now.transforms:
        raise RuntimeError(
            "backward() called inside a functorch transform. This is not supported, please use functorch.grad or "
            "functorch.vjp (torch.func.grad, torch.func.vjp) instead, or call backward() outside of the transform."
        )
    if grad_variables is not None:
        grad_tensors = _renamed(grad_tensors, grad_variables)
    wanted = None if inputs is None else _inputs(inputs)
    if wanted is not None and not wanted:
        raise RuntimeError("`inputs` argument to `backward()` cannot be empty: leave it out to reach every leaf")
    outputs = _as_tuple(tensors)
    cotangents = _cotangents(outputs, grad_tensors)
    # All errors are raised before the pass, so that a failed call leaves every .grad and graph as it was.
    outputs, cotangents = _without_plain(outputs, cotangents)
    roots = _roots(outputs)
    targets = [_accumulating_edge(x) for x in wanted or ()]
    # The graph of a gradient refers to the nodes it came from, so their saved values must stay.
    keep = create_graph if retain_graph is None else retain_graph
    if create_graph:
        warn.user(
            "Using backward() with create_graph=True will create a reference cycle between the parameter and its "
            "gradient: set .grad to None after use, or use autograd.grad, which makes no cycle"
        )
    run_backward(roots, cotangents, keep=keep, create_graph=create_graph, targets=targets, accumulate=True)


@overridable
def grad(
    outputs: Tensors,
    inputs: Tensors,
    grad_outputs: Tensors = None,
    retain_graph: bool | None = None,
    create_graph: bool = False,
    only_inputs: bool = True,
    allow_unused: bool | None = None,
    is_grads_batched: bool = False,
    materialize_grads: bool = False,
) -> Any:
    """The gradients of the outputs' weighted sum with respect to each input, as a tuple; ``.grad`` stays as it is.

    Inputs that come as a dict have their gradients in a dict.

    An input that the outputs do not depend on raises an error; it gives None with `allow_unused`, zeros with
    `materialize_grads`. With `is_grads_batched` the first dimension of each `grad_outputs` entry is a batch of
    weights, and the results have that dimension too; a single pass computes them all. Otherwise as `backward`.
    Source: torch.autograd.grad.
    """
    if not only_inputs:
        warn.future("only_inputs argument is deprecated and is ignored now: use torch.autograd.backward")
    if materialize_grads and allow_unused is False:
        raise ValueError(
            "Expected allow_unused to be True or not passed when materialize_grads=True: unused inputs get zeros"
        )
    sources, wanted = _as_tuple(outputs), _inputs(inputs)
    if not wanted:
        raise RuntimeError("`inputs` argument to `grad()` cannot be empty: name what to differentiate with respect to")
    cotangents = _cotangents(sources, grad_outputs, is_grads_batched)
    sources, cotangents = _without_plain(sources, cotangents)
    roots, targets = _roots(sources), [_target(x) for x in wanted]
    options = {"create_graph": create_graph, "targets": targets}
    keep = create_graph if retain_graph is None else retain_graph
    if is_grads_batched:
        results = _batched(roots, cotangents, keep, options)
    else:
        results = run_backward(roots, cotangents, keep=keep, **options)  # type: ignore[arg-type]
    grads = _filled(results, wanted, create_graph) if materialize_grads else _complete(results, bool(allow_unused))
    return dict(zip(inputs, grads, strict=True)) if isinstance(inputs, dict) else grads


def _batched(roots: Sequence[Edge], cotangents: Sequence[Tensor], keep: bool, options: Any) -> list[Tensor | None]:
    """One pass for all rows of the cotangents at once."""
    sizes = {c.array.shape[0] for c in cotangents}
    if len(sizes) > 1:
        raise ValueError(f"is_grads_batched: the batches of grad_outputs must have one size, but have {sorted(sizes)}")
    # The pass itself is mapped: rules run on batches, so a single pass serves all rows.
    with batching(sizes.pop()) as batch:
        rows = [Batched.wrap(c, batch.level) for c in cotangents]
        results = run_backward(roots, rows, keep=keep, **options)
        return [r if r is None else unbatched(r, batch) for r in results]


def _complete(results: Any, may_be_unused: bool) -> tuple[Tensor | None, ...]:
    for index, result in enumerate(results):
        if result is None and not may_be_unused:
            raise RuntimeError(
                f"The differentiated Tensor at index {index} appears to not have been used in the graph: the outputs "
                "do not depend on it. Set allow_unused=True to get None for it, or materialize_grads=True to get zeros."
            )
    return tuple(results)


def _filled(results: Any, inputs: Any, create_graph: bool) -> tuple[Tensor, ...]:
    return tuple(_zeros(x, create_graph) if g is None else g for g, x in zip(results, inputs, strict=True))


def _zeros(x: Any, create_graph: bool) -> Tensor:
    """The gradient by what the outputs do not depend on; a leaf that requires grad, where gradients have a graph."""
    # Constant zeros would break a second derivative that calls backward on every gradient.
    zeros = _filled_like(x, 0)
    return zeros.requires_grad_() if create_graph else zeros


def _as_tuple(tensors: Any) -> tuple[Any, ...]:
    # Both can be iterated over, and would come apart in `tuple`.
    if isinstance(tensors, (Tensor, GradientEdge)):
        return (tensors,)
    try:
        return tuple(tensors)
    except TypeError:
        raise TypeError(f"expected a Tensor or a sequence of Tensors, but got {type(tensors).__name__}") from None


def _inputs(tensors: Tensors) -> tuple[Any, ...]:
    """The inputs, which may come by name."""
    return _as_tuple(tuple(tensors.values()) if isinstance(tensors, dict) else tensors)


def _renamed(grad_tensors: Tensors, grad_variables: Tensors) -> Tensors:
    warn.future("`grad_variables` is deprecated. Use `grad_tensors` instead.")
    if grad_tensors is not None:
        raise RuntimeError(
            "`grad_tensors` and `grad_variables` (deprecated) arguments both passed to `backward()`: "
            "they mean the same, so only use `grad_tensors`"
        )
    return grad_variables


def _without_plain(outputs: Any, cotangents: list[Any]) -> tuple[Any, list[Any]]:
    """Leave out outputs that have no history and no gradient, if there are others: they add nothing."""
    # An output without history stays if it is the only one, so that `_roots` names it in an error.
    pairs = [(out, c) for out, c in zip(outputs, cotangents, strict=True) if c is not None]
    return (outputs, cotangents) if not pairs else ([out for out, _ in pairs], [c for _, c in pairs])


def _roots(outputs: Sequence[Any]) -> list[Edge]:
    roots = []
    for index, out in enumerate(outputs):
        edge = out if isinstance(out, GradientEdge) else out.edge() if isinstance(out, Tensor) else None
        if edge is None:
            raise RuntimeError(
                f"element {index} of tensors does not require grad and does not have a grad_fn: nothing that it was "
                "computed from requires grad (or it was computed under no_grad, or from .data or detach())"
            )
        roots.append(edge)
    return roots


def _target(x: Any) -> Edge:
    if isinstance(x, GradientEdge):
        return x
    if not isinstance(x, Tensor):
        raise RuntimeError(f"all inputs have to be Tensors or GradientEdges, but got {type(x).__name__}")
    edge = x.edge()
    if edge is None:
        raise RuntimeError("One of the differentiated Tensors does not require grad: call requires_grad_() on it first")
    return edge


def _accumulating_edge(x: Any) -> Edge:
    """The edge of an input of backward(); a non-leaf will keep its gradient."""
    edge = _target(x)
    # Does nothing for a leaf, whose gradient is kept anyway.
    if isinstance(x, Tensor):
        x.retain_grad()
    return edge


def _cotangents(outputs: Sequence[Any], given: Tensors, batched: bool = False) -> list[Tensor]:
    """A cotangent per output: as given, or 1 for a real output of a single element."""
    if given is None:
        grads: tuple[Any, ...] = (None,) * len(outputs)
    elif isinstance(given, (Tensor, bool, int, float, complex)):
        grads = (given,)
    else:
        grads = tuple(given)
    for g in grads:
        if g is not None and not isinstance(g, Tensor):
            raise TypeError(f"gradients can be either Tensors or None, but got {type(g).__name__}")
    if len(grads) != len(outputs):
        raise RuntimeError(f"got {len(outputs)} tensors and {len(grads)} gradients: give one gradient for each tensor")
    return [_cotangent(i, out, g, batched) for i, (out, g) in enumerate(zip(outputs, grads, strict=False))]


def _cotangent(index: int, out: Any, g: Any, batched: bool) -> Any:
    if g is None:
        return _implicit(out)
    # An edge has no tensor whose shape and dtype could be compared.
    if isinstance(out, GradientEdge):
        return g
    _check_shape(index, out, g, batched)
    if g.dtype.is_complex != out.dtype.is_complex:
        raise RuntimeError(
            "For complex Tensors, both grad_output and output are required to have the same dtype: "
            f"grad_output[{index}] has a dtype of {g.dtype} and output[{index}] has a dtype of {out.dtype}."
        )
    return g if g.dtype is out.dtype else o.cast(g, dtype=out.array.dtype)


def _check_shape(index: int, out: Tensor, g: Tensor, batched: bool) -> None:
    if batched and (not g.ndim or g.shape[1:] != out.shape):
        raise RuntimeError(
            "If `is_grads_batched=True`, we interpret the first dimension of each grad_output as the batch dimension, "
            f"and the rest must match the output: grad_output[{index}] has shape {tuple(g.shape)}, "
            f"output[{index}] has shape {tuple(out.shape)}."
        )
    if not batched and g.shape != out.shape:
        raise RuntimeError(
            f"Mismatch in shape: grad_output[{index}] has a shape of {g.shape} and output[{index}] has a shape of "
            f"{out.shape}; a gradient has the shape of what it is the gradient of"
        )


def _implicit(out: Any) -> Any:
    if not isinstance(out, Tensor) or not out.requires_grad:
        return None
    if out.array.size != 1:
        raise RuntimeError(
            f"grad can be implicitly created only for scalar outputs, but this one has shape {tuple(out.shape)}: "
            "give a gradient of that shape, or reduce the output to one element, as with sum()"
        )
    if out.array.dtype.kind == "c":
        raise RuntimeError(
            f"grad can be implicitly created only for real scalar outputs but got {out.dtype}: give a gradient, or "
            "take the real part or the absolute value"
        )
    return _filled_like(out, 1)


def _filled_like(x: Tensor, value: int) -> Tensor:
    """One value in the shape and dtype of a tensor, once for each example of a batch."""
    return x.expanded_to_batch(Tensor.of(np.full(x.array.shape, value, x.array.dtype)))


def backward_method(
    self: Tensor,
    gradient: Tensor | None = None,
    retain_graph: bool | None = None,
    create_graph: bool = False,
    inputs: Tensors = None,
) -> None:
    """Add the gradient of this tensor into the leaves' ``.grad`` (torch.Tensor.backward); see `backward`."""
    backward(self, gradient, retain_graph, create_graph, inputs=inputs)
