"""torch.func: transforms, which turn a function into the function that computes its derivative.

They nest in any order. Reverse transforms run on the tape: the inputs become fresh leaves (or, if an outer transform
or the program differentiates them, stay connected to it), and whatever else the outputs depend on decides whether
the result needs a history of its own. Forward transforms open a level (see `core.levels`), so perturbations are
never confused. `vmap` is an honest loop: it calls the function on each slice and stacks, so it gives the numbers and
the gradients of PyTorch's vmap but not its speed, and does not refuse control flow that depends on values. A graph
that the function frees is freed after the last slice.

Arguments and results may be nested containers of tensors. Source: torch.func.
"""

from __future__ import annotations

import functools
from collections.abc import Callable, Sequence
from typing import Any

import numpy as np

from . import primitives as o
from .autograd.gradients import grad as tape_grad
from .core import levels
from .core.engine import one_call
from .core.modes import enable_grad
from .core.tape import AccumulateGrad, Node
from .core.tensor import Tensor
from .functions.creation import ones_like, zeros_like
from .functions.shaping import reshape, stack, unbind
from .utils.pytree import flatten, map_leaves

Function = Callable[..., Any]
Argnums = int | tuple[int, ...]


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
        if (
            isinstance(value, Tensor)
            and value.requires_grad
            and not self._others_are_differentiated([value], [])
        ):
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
        raise TypeError(
            f"torch.func transforms differentiate with respect to Tensors only, but got {type(x).__name__}"
        )
    if not x.dtype.differentiable:
        raise RuntimeError(
            f"only floating and complex inputs can be differentiated, but got one of dtype {x.dtype}"
        )
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


def _chosen(args: Sequence[Any], argnums: Argnums) -> list[Any]:
    return [args[i] for i in (argnums if isinstance(argnums, tuple) else (argnums,))]


def _with(args: Sequence[Any], argnums: Argnums, values: Sequence[Any]) -> list[Any]:
    replaced = list(args)
    for i, value in zip(argnums if isinstance(argnums, tuple) else (argnums,), values, strict=True):
        replaced[i] = value
    return replaced


def _split(result: Any, has_aux: bool) -> tuple[Any, Any]:
    if not has_aux:
        return result, None
    if not isinstance(result, tuple) or len(result) != 2:
        raise RuntimeError("with has_aux=True the function must return a tuple (output, aux)")
    return result


def vjp(func: Function, *primals: Any, has_aux: bool = False) -> Any:
    """The output of ``func(*primals)``, and a function from its cotangent to those of the primals (torch.func.vjp)."""
    aux: list[Any] = []

    def output_only(*inputs: Any) -> Any:
        out, extra = _split(func(*inputs), has_aux)
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
        chosen = lambda *xs: func(*_with(args, argnums, xs), **options)  # noqa: E731
        result = vjp(chosen, *_chosen(args, argnums), has_aux=has_aux)
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


def jvp(func: Function, primals: tuple[Any, ...], tangents: tuple[Any, ...], *, has_aux: bool = False) -> Any:
    """The output of ``func(*primals)``, and its tangent in the direction of the tangents (torch.func.jvp).

    TypeError unless both are tuples, RuntimeError unless they correspond.
    """
    if not isinstance(primals, tuple) or not isinstance(tangents, tuple):
        raise TypeError(
            "jvp(func, primals, tangents): primals and tangents must be tuples of the function's arguments"
        )
    xs, rebuild = flatten(primals)
    ts, _ = flatten(tangents)
    if [tuple(x.shape) for x in xs] != [tuple(t.shape) for t in ts]:
        raise RuntimeError("jvp: primals and tangents must have the same structure and shapes")
    level = levels.enter()
    try:
        output, aux = _split(
            func(*rebuild([_dual(x, t, level) for x, t in zip(xs, ts, strict=True)])), has_aux
        )
        primal = map_leaves(lambda v: levels.primal(v, level), output)
        tangent = map_leaves(lambda v: _tangent(v, level), output)
        extra = map_leaves(lambda v: levels.primal(v, level), aux)
    finally:
        levels.leave(level)
    return (primal, tangent, extra) if has_aux else (primal, tangent)


def _dual(x: Tensor, t: Tensor, level: int) -> Tensor:
    dual: Tensor = o.alias(x)
    levels.attach(dual, level, t)
    return dual


def _tangent(value: Tensor, level: int) -> Tensor:
    t = levels.tangent(value, level)
    return zeros_like(value) if t is None else t


def linearize(func: Function, *primals: Any) -> tuple[Any, Function]:
    """The output of ``func(*primals)``, and its derivative there as a linear function of tangents (torch.func.linearize).

    The function is run again for each tangent.
    """
    return func(*primals), lambda *tangents: jvp(func, primals, tangents)[1]


def vmap(
    func: Function,
    in_dims: Any = 0,
    out_dims: Any = 0,
    randomness: str = "error",
    *,
    chunk_size: int | None = None,
) -> Function:
    """The function applied to each slice of its arguments, results stacked (torch.vmap): a loop, see the module.

    `in_dims` says along which dimension each argument is sliced (None: not at all), `out_dims` where results stack.
    ValueError if no argument is sliced or sizes differ.
    """

    @functools.wraps(func)
    def batched(*args: Any, **options: Any) -> Any:
        leaves, rebuild = flatten(args)
        dims = _leaf_dims(in_dims, args)
        sizes = {x.shape[d] for x, d in zip(leaves, dims, strict=True) if d is not None}
        if len(sizes) != 1:
            raise ValueError(
                f"vmap: expected all mapped arguments to have one batch size, but got sizes {sorted(sizes)}"
            )
        slices = [[x] * max(sizes) if d is None else unbind(x, d) for x, d in zip(leaves, dims, strict=True)]
        with one_call():
            results = [flatten(func(*rebuild(row), **options)) for row in zip(*slices, strict=True)]
        outs = _leaf_dims(out_dims, results[0][1](results[0][0]))
        columns = zip(*(values for values, _ in results), strict=True)
        return results[0][1]([stack(column, d or 0) for column, d in zip(columns, outs, strict=True)])

    return batched


def _leaf_dims(dims: Any, tree: Any) -> list[int | None]:
    """One dimension for each leaf of a tree, from a number for all or a tree of numbers for its parts."""
    if dims is None or isinstance(dims, int):
        return [dims if isinstance(leaf, Tensor) else None for leaf in flatten(tree)[0]]
    children = tree.values() if isinstance(tree, dict) else tree
    parts = dims.values() if isinstance(dims, dict) else dims
    return [d for part, child in zip(parts, children, strict=True) for d in _leaf_dims(part, child)]


def jacrev(
    func: Function, argnums: Argnums = 0, *, has_aux: bool = False, chunk_size: int | None = None
) -> Function:
    """A function that returns the Jacobian, one reverse pass per element of the output (torch.func.jacrev)."""

    @functools.wraps(func)
    def jacobian(*args: Any, **options: Any) -> Any:
        chosen = lambda *xs: func(*_with(args, argnums, xs), **options)  # noqa: E731
        result = vjp(chosen, *_chosen(args, argnums), has_aux=has_aux)
        outs, rebuild = flatten(result[0])
        blocks = rebuild([_rows(out, i, outs, rebuild, result[1], argnums) for i, out in enumerate(outs)])
        return (blocks, result[2]) if has_aux else blocks

    return jacobian


def _units(x: Tensor) -> list[Tensor]:
    """For each element of a tensor, the tensor of its shape that is one there and zero elsewhere."""
    units = np.eye(x.numel(), dtype=x.array.dtype).reshape(-1, *x.shape)
    return [Tensor.of(unit) for unit in units]


def _rows(
    out: Tensor, number: int, outs: Sequence[Tensor], rebuild: Any, pullback: Function, argnums: Argnums
) -> Any:
    """The derivatives of every element of one output, with respect to everything."""
    zeros = [zeros_like(v) for v in outs]
    rows = [pullback(rebuild([*zeros[:number], unit, *zeros[number + 1 :]])) for unit in _units(out)]
    stacked = map_leaves(lambda *column: _shaped(column, out), *rows)
    return stacked if isinstance(argnums, tuple) else stacked[0]


def _shaped(column: Sequence[Tensor], out: Tensor) -> Tensor:
    return reshape(stack(column), tuple(out.shape) + tuple(column[0].shape))


def jacfwd(
    func: Function, argnums: Argnums = 0, has_aux: bool = False, *, randomness: str = "error"
) -> Function:
    """A function that returns the Jacobian, one forward pass per element of the input (torch.func.jacfwd)."""

    @functools.wraps(func)
    def jacobian(*args: Any, **options: Any) -> Any:
        xs, rebuild = flatten(tuple(_chosen(args, argnums)))
        chosen = lambda *parts: func(*_with(args, argnums, parts), **options)  # noqa: E731
        zeros = [zeros_like(x) for x in xs]
        per_leaf, aux = [], None
        for i, x in enumerate(xs):
            runs = [
                jvp(chosen, rebuild(xs), rebuild([*zeros[:i], unit, *zeros[i + 1 :]]), has_aux=has_aux)
                for unit in _units(x)
            ]
            aux = runs[0][2] if has_aux else None
            per_leaf.append(map_leaves(lambda *c, x=x: _columns(c, x), *[run[1] for run in runs]))
        blocks = _outputs_outside(per_leaf, rebuild, isinstance(argnums, tuple))
        return (blocks, aux) if has_aux else blocks

    return jacobian


def _columns(tangents: Sequence[Tensor], x: Tensor) -> Tensor:
    return reshape(stack(tangents, -1), tuple(tangents[0].shape) + tuple(x.shape))


def _outputs_outside(per_leaf: Sequence[Any], rebuild: Any, many: bool) -> Any:
    """Blocks nested outputs first, from a list over input leaves of trees over outputs."""

    def nested(*blocks: Any) -> Any:
        inner = rebuild(blocks)
        return inner if many else inner[0]

    return map_leaves(nested, *per_leaf)


def hessian(func: Function, argnums: Argnums = 0) -> Function:
    """A function that returns the second derivatives: forward over reverse (torch.func.hessian)."""
    return jacfwd(jacrev(func, argnums), argnums)


__all__ = ["grad", "grad_and_value", "hessian", "jacfwd", "jacrev", "jvp", "linearize", "vjp", "vmap"]
