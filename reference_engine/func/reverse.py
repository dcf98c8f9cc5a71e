"""Reverse transforms: vjp, grad, grad_and_value (torch.func).

They run on the tape. The inputs become fresh leaves or, if an outer transform or the program differentiates them,
stay connected to it; whatever else the outputs depend on decides whether the result needs a history of its own.
"""

from __future__ import annotations

import functools
from collections.abc import Sequence
from typing import Any

from .. import primitives as o
from ..autograd.gradients import grad as tape_grad
from ..core.modes import enable_grad
from ..core.tape import AccumulateGrad, Node
from ..core.tensor import Tensor
from ..functions.creation import ones_like, zeros_like
from ..utils.pytree import flatten, map_leaves
from .arguments import Argnums, Function, chosen, replaced, split_aux


class _Recording:
    """One run of a function with inputs to differentiate with respect to."""

    def __init__(self, function: Function, primals: Sequence[Any]) -> None:
        self.inputs = [map_leaves(_input, p) for p in primals]
        with enable_grad():
            self.output = function(*self.inputs)
        self.leaves = [x for tree in self.inputs for x in flatten(tree)[0]]

    def pull(self, outputs: Sequence[Tensor], cotangents: Sequence[Tensor]) -> list[Tensor]:
        """The cotangents of the inputs' leaves; zeros where the outputs do not depend on one."""
        pairs = [(out, c) for out, c in zip(outputs, cotangents, strict=True) if out.requires_grad]
        if not pairs:
            return [zeros_like(x) for x in self.leaves]
        outs, cots = zip(*pairs, strict=True)
        # A history is wanted if anything but this transform's own inputs is being differentiated.
        outer = self._others_are_differentiated(outs, cots)
        found = tape_grad(outs, self.leaves, cots, retain_graph=True, create_graph=outer, allow_unused=True)
        return [zeros_like(x) if f is None else f for f, x in zip(found, self.leaves, strict=True)]

    def closed(self, value: Any) -> Any:
        """A value of the output as the outer world may see it: without history if only our inputs gave it one."""
        if isinstance(value, Tensor) and value.requires_grad and not self._others_are_differentiated([value], []):
            return value.twin()
        return value

    def _others_are_differentiated(self, outputs: Sequence[Tensor], cotangents: Sequence[Tensor]) -> bool:
        if any(c.requires_grad for c in cotangents):
            return True
        own = {x.edge().node for x in self.leaves if x.is_leaf}
        reached = _leaves_reached([out.edge().node for out in outputs])  # type: ignore[union-attr]
        return any(node not in own for node in reached)


def _input(x: Any) -> Tensor:
    """An input to differentiate with respect to, connected to what it comes from if that has a history."""
    if not isinstance(x, Tensor):
        raise TypeError(f"torch.func transforms differentiate with respect to Tensors only, but got {type(x).__name__}")
    if not x.dtype.differentiable:
        raise RuntimeError(f"only floating and complex inputs can be differentiated, but got one of dtype {x.dtype}")
    with enable_grad():
        fresh: Tensor = o.alias(x)
    return fresh if fresh.requires_grad else _leaf(fresh)


def _leaf(x: Tensor) -> Tensor:
    return x.twin().requires_grad_()


def _leaves_reached(roots: Sequence[Node]) -> list[Node]:
    """The nodes that accumulate into leaves, among all that the roots lead to."""
    seen, pending = set(roots), list(roots)
    while pending:
        for edge in pending.pop().edges:
            if edge is not None and edge.node not in seen:
                seen.add(edge.node)
                pending.append(edge.node)
    return [node for node in seen if isinstance(node, AccumulateGrad)]


def vjp(func: Function, *primals: Any, has_aux: bool = False) -> Any:
    """The output of ``func(*primals)``, and a function from its cotangent to those of the primals (torch.func.vjp)."""
    aux: list[Any] = []

    def output_only(*inputs: Any) -> Any:
        out, extra = split_aux(func(*inputs), has_aux)
        aux.append(extra)
        return out

    run = _Recording(output_only, primals)
    outs, _ = flatten(run.output)

    def pullback(cotangents: Any) -> tuple[Any, ...]:
        """The primals' cotangents, one per primal; may be called any number of times."""
        pulled = run.pull(outs, flatten(cotangents)[0])
        return tuple(_rebuilt(run.inputs, pulled))

    output = map_leaves(run.closed, run.output)
    return (output, pullback, map_leaves(run.closed, aux[0])) if has_aux else (output, pullback)


def _rebuilt(trees: Sequence[Any], leaves: Sequence[Any]) -> list[Any]:
    return list(flatten(list(trees))[1](leaves))


def grad_and_value(func: Function, argnums: Argnums = 0, has_aux: bool = False) -> Function:
    """A function that returns the gradient and the value of a scalar function (torch.func.grad_and_value).

    RuntimeError unless the value is a tensor without dimensions.
    """

    @functools.wraps(func)
    def gradient(*args: Any, **options: Any) -> Any:
        of_chosen = lambda *xs: func(*replaced(args, argnums, xs), **options)  # noqa: E731
        result = vjp(of_chosen, *chosen(args, argnums), has_aux=has_aux)
        value, pullback = result[0], result[1]
        if not isinstance(value, Tensor) or value.ndim:
            got = f"shape {list(value.shape)}" if isinstance(value, Tensor) else type(value).__name__
            raise RuntimeError(
                f"Expected a scalar tensor (no dimensions) to be returned by the function, but got {got}"
            )
        pulled = pullback(ones_like(value))
        pulled = pulled if isinstance(argnums, tuple) else pulled[0]
        return (pulled, (value, result[2])) if has_aux else (pulled, value)

    return gradient


def grad(func: Function, argnums: Argnums = 0, has_aux: bool = False) -> Function:
    """A function that returns the gradient of a scalar function (torch.func.grad)."""
    both = grad_and_value(func, argnums, has_aux)

    @functools.wraps(func)
    def gradient(*args: Any, **options: Any) -> Any:
        pulled, value = both(*args, **options)
        return (pulled, value[1]) if has_aux else pulled

    return gradient
