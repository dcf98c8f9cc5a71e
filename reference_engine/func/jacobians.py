"""Whole Jacobians and Hessians, one pass per row or column (torch.func)."""

from __future__ import annotations

import functools
from collections.abc import Sequence
from typing import Any

import numpy as np

from ..core.tensor import Tensor
from ..functions.creation import zeros_like
from ..functions.shaping import reshape, stack
from ..utils.pytree import flatten, map_leaves
from .arguments import Argnums, Function, chosen, replaced
from .forward import jvp
from .reverse import vjp


def jacrev(func: Function, argnums: Argnums = 0, *, has_aux: bool = False, chunk_size: int | None = None) -> Function:
    """A function that returns the Jacobian, one reverse pass per element of the output (torch.func.jacrev)."""

    @functools.wraps(func)
    def jacobian(*args: Any, **options: Any) -> Any:
        of_chosen = lambda *xs: func(*replaced(args, argnums, xs), **options)  # noqa: E731
        result = vjp(of_chosen, *chosen(args, argnums), has_aux=has_aux)
        outs, rebuild = flatten(result[0])
        blocks = rebuild([_rows(out, i, outs, rebuild, result[1], argnums) for i, out in enumerate(outs)])
        return (blocks, result[2]) if has_aux else blocks

    return jacobian


def _units(x: Tensor) -> list[Tensor]:
    """For each element of a tensor, the tensor of its shape that is one there and zero elsewhere."""
    units = np.eye(x.numel(), dtype=x.array.dtype).reshape(-1, *x.shape)
    return [Tensor.of(unit) for unit in units]


def _rows(out: Tensor, number: int, outs: Sequence[Tensor], rebuild: Any, pullback: Function, argnums: Argnums) -> Any:
    """The derivatives of every element of one output, with respect to everything."""
    zeros = [zeros_like(v) for v in outs]
    rows = [pullback(rebuild([*zeros[:number], unit, *zeros[number + 1 :]])) for unit in _units(out)]
    stacked = map_leaves(lambda *column: _shaped(column, out), *rows)
    return stacked if isinstance(argnums, tuple) else stacked[0]


def _shaped(column: Sequence[Tensor], out: Tensor) -> Tensor:
    return reshape(stack(column), tuple(out.shape) + tuple(column[0].shape))


def jacfwd(func: Function, argnums: Argnums = 0, has_aux: bool = False, *, randomness: str = "error") -> Function:
    """A function that returns the Jacobian, one forward pass per element of the input (torch.func.jacfwd)."""

    @functools.wraps(func)
    def jacobian(*args: Any, **options: Any) -> Any:
        xs, rebuild = flatten(tuple(chosen(args, argnums)))
        of_chosen = lambda *parts: func(*replaced(args, argnums, parts), **options)  # noqa: E731
        zeros = [zeros_like(x) for x in xs]
        per_leaf, aux = [], None
        for i, x in enumerate(xs):
            runs = [
                jvp(of_chosen, rebuild(xs), rebuild([*zeros[:i], unit, *zeros[i + 1 :]]), has_aux=has_aux)
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
