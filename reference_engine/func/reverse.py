"""Reverse transforms: vjp, grad, grad_and_value (torch.func).

They run on the tape. The inputs become fresh leaves or, if an outer transform or the program differentiates them,
stay connected to it; what else the outputs depend on decides whether the result needs a history.

Within the function the transform records even if the caller does not (`no_grad` outside is ignored, `no_grad` inside
is respected). What it returns to a caller that does not record has no history.
"""

from __future__ import annotations

import functools
import weakref
from collections.abc import Sequence
from typing import Any

from .. import primitives as o
from ..autograd.gradients import grad as tape_grad
from ..batching.batched import Batched
from ..core.modes import enable_grad, state, transforming
from ..core.tape import AccumulateGrad, Node
from ..core.tensor import Tensor
from ..functions.creation import ones_like, zeros_like
from ..utils.pytree import flatten, map_leaves
from .arguments import Argnums, Function, check_structure, chosen, replaced, split_aux, tensors_of

# The leaves of transforms whose function has returned: no derivative with respect to them can be asked for.
_finished: weakref.WeakSet[Node] = weakref.WeakSet()


class _Recording:
    """One run of a function with inputs to differentiate with respect to."""

    def __init__(self, function: Function, primals: Sequence[Any]) -> None:
        self.inputs = [map_leaves(self._input, p) for p in primals]
        with enable_grad(), transforming():
            self.output = function(*self.inputs)
        self.leaves = [x for tree in self.inputs for x in flatten(tree)[0]]
        _finished.update(x.edge()[0] for x in self.leaves if x.is_leaf)

    def _input(self, x: Any) -> Tensor:
        """An input to differentiate with respect to, connected to what it comes from if that has a history."""
        if not isinstance(x, Tensor):
            raise ValueError(f"Thing passed to transform API must be Tensor, got {type(x)}: write torch.tensor(...)")
        if not x.dtype.differentiable:
            raise RuntimeError(
                f"only Tensors of floating point dtype can require gradients, but got an input of dtype {x.dtype}"
            )
        fresh: Tensor = o.alias(x)
        return fresh if fresh.requires_grad else _leaf(fresh)

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
        if isinstance(value, Tensor) and not self._others_are_differentiated([value], []):
            return _without_history(value)
        return value

    def _others_are_differentiated(self, outputs: Sequence[Tensor], cotangents: Sequence[Tensor]) -> bool:
        if not state.now.grad:
            return False  # the caller does not record
        if any(_histories(c) for c in cotangents):
            return True
        reached = _leaves_reached([node for out in outputs for node in _histories(out)])
        return any(node not in _finished for node in reached)


def _leaf(x: Tensor) -> Tensor:
    leaf = x.twin()
    leaf._requires_grad = True
    return leaf


def _histories(x: Tensor) -> list[Node]:
    """The node of a tensor, if any, and that of the batch which it is an example of."""
    edge = x.edge()
    own = [] if edge is None else [edge[0]]
    return own + _histories(x.value) if isinstance(x, Batched) else own


def _without_history(x: Tensor) -> Tensor:
    if not isinstance(x, Batched):
        return x.twin() if x.requires_grad else x
    bare = Batched.wrap(_without_history(x.value), x.level)
    bare.tangents = x.tangents
    return bare


def _leaves_reached(roots: Sequence[Node]) -> list[Node]:
    """The nodes that accumulate into leaves, among all that the roots lead to."""
    seen, pending = set(roots), list(roots)
    while pending:
        for edge in pending.pop().edges:
            if edge is not None and edge[0] not in seen:
                seen.add(edge[0])
                pending.append(edge[0])
    return [node for node in seen if isinstance(node, AccumulateGrad)]


def vjp(func: Function, *primals: Any, has_aux: bool = False) -> Any:
    """The output of ``func(*primals)``, and a function from its cotangent to those of the primals (torch.func.vjp).

    With `has_aux` the function returns a pair, and its second part is returned last, undifferentiated. RuntimeError
    unless the output consists of floating or complex tensors, and for cotangents of another structure.
    """
    aux: list[Any] = []

    def output_only(*inputs: Any) -> Any:
        out, extra = split_aux(func(*inputs), has_aux, "vjp(f, *primals)")
        aux.append(extra)
        return out

    run = _Recording(output_only, primals)
    outs = tensors_of(run.output, "vjp(f, *primals)")

    def pullback(cotangents: Any) -> tuple[Any, ...]:
        """The primals' cotangents, one per primal; may be called any number of times."""
        check_structure("vjp", cotangents, run.output, "the cotangents and the output")
        pulled = run.pull(outs, flatten(cotangents)[0])
        return tuple(_rebuilt(run.inputs, pulled))

    output = map_leaves(run.closed, run.output)
    return (output, pullback, map_leaves(run.closed, aux[0])) if has_aux else (output, pullback)


def _rebuilt(trees: Sequence[Any], leaves: Sequence[Any]) -> list[Any]:
    return list(flatten(list(trees))[1](leaves))


def grad_and_value(func: Function, argnums: Argnums = 0, has_aux: bool = False) -> Function:
    """A function that returns the gradient and the value of a scalar function (torch.func.grad_and_value).

    `argnums` names the arguments to differentiate; a tuple of them gives a tuple of gradients. With `has_aux` the
    result is ``(gradient, (value, aux))``. RuntimeError unless the value is a tensor without dimensions.
    """

    @functools.wraps(func)
    def gradient(*args: Any, **options: Any) -> Any:
        of_chosen = lambda *xs: _scalar(func(*replaced(args, argnums, xs), **options), has_aux)  # noqa: E731
        result = vjp(of_chosen, *chosen(args, argnums), has_aux=has_aux)
        value, pullback = result[0], result[1]
        pulled = pullback(ones_like(value))
        pulled = pulled if isinstance(argnums, tuple) else pulled[0]
        return (pulled, (value, result[2])) if has_aux else (pulled, value)

    return gradient


def _scalar(result: Any, has_aux: bool) -> Any:
    """The result of a function to take the gradient of, whose output must be a scalar tensor."""
    value, _ = split_aux(result, has_aux, "grad_and_value(f)(*args)")
    if not isinstance(value, Tensor):
        raise RuntimeError(f"grad_and_value(f)(*args): Expected f(*args) to return a Tensor, got {type(value)}")
    if value.array.ndim:
        raise RuntimeError(
            f"grad_and_value(f)(*args): Expected f(*args) to return a scalar tensor, got tensor with "
            f"{value.array.ndim} dims. Maybe you wanted to use the vjp or jacrev APIs instead?"
        )
    return result


def grad(func: Function, argnums: Argnums = 0, has_aux: bool = False) -> Function:
    """A function that returns the gradient of a scalar function, or (gradient, aux) (torch.func.grad)."""
    both = grad_and_value(func, argnums, has_aux)

    @functools.wraps(func)
    def gradient(*args: Any, **options: Any) -> Any:
        pulled, value = both(*args, **options)
        return (pulled, value[1]) if has_aux else pulled

    return gradient
