"""Whole Jacobians and Hessians (torch.func): one pass maps a pullback, or a pushforward, over a basis.

A row of the basis is one in one element and zero in every other, of all tensors together, so mapping over the rows
gives every derivative at once, or as many at a time as `chunk_size` says.
"""

from __future__ import annotations

import functools
from collections.abc import Sequence
from typing import Any

from ..autograd.basis import basis, columns_of, rows_of
from ..core.tensor import Tensor
from ..utils.pytree import flatten, map_leaves
from .arguments import Argnums, Function, chosen, replaced
from .batching import vmap
from .forward import jvp
from .reverse import vjp


def jacrev(func: Function, argnums: Argnums = 0, *, has_aux: bool = False, chunk_size: int | None = None) -> Function:
    """A function that returns the Jacobian in reverse mode, of shape output + input (torch.func.jacrev).

    Structures nest outputs first. With `has_aux` the result is (Jacobian, aux). `chunk_size` limits how many rows are
    computed at a time. RuntimeError unless outputs are floating or complex tensors.
    """
    if chunk_size is not None and chunk_size < 1:
        raise ValueError(f"jacrev: `chunk_size` should be greater than 0, but got {chunk_size}")

    @functools.wraps(func)
    def jacobian(*args: Any, **options: Any) -> Any:
        of_chosen = lambda *xs: func(*replaced(args, argnums, xs), **options)  # noqa: E731
        result = vjp(of_chosen, *chosen(args, argnums), has_aux=has_aux)
        outs, rebuild = flatten(result[0])
        _check_differentiable(outs)
        rows, again = flatten(vmap(result[1], chunk_size=chunk_size)(rebuild(basis(outs))))
        blocks = [again(block) for block in zip(*(rows_of(leaf, outs) for leaf in rows), strict=True)]
        blocks = rebuild([_inner(block, argnums) for block in blocks])
        return (blocks, result[2]) if has_aux else blocks

    return jacobian


def _check_differentiable(outs: Sequence[Tensor]) -> None:
    for out in outs:
        if not out.dtype.differentiable:
            raise RuntimeError(
                "vjp(f, ...): All outputs of f must be floating-point or complex Tensors, got Tensor with dtype "
                f"{out.dtype}: return it as aux, with has_aux=True"
            )


def jacfwd(func: Function, argnums: Argnums = 0, has_aux: bool = False, *, randomness: str = "error") -> Function:
    """A function that returns the Jacobian in forward mode, of shape output + input (torch.func.jacfwd).

    As `jacrev`, with columns in place of rows; `randomness` is that of `vmap`.
    """

    @functools.wraps(func)
    def jacobian(*args: Any, **options: Any) -> Any:
        primals = tuple(chosen(args, argnums))
        xs, rebuild = flatten(primals)
        of_chosen = lambda *parts: func(*replaced(args, argnums, parts), **options)  # noqa: E731

        def column(*tangents: Any) -> Any:
            result = jvp(of_chosen, primals, tangents, has_aux=has_aux)
            return result[1], result[2] if has_aux else ()

        columns, aux = vmap(column, out_dims=(0, None), randomness=randomness)(*rebuild(basis(xs)))
        blocks = map_leaves(lambda c: _inner(rebuild(columns_of(c, xs)), argnums), columns)
        return (blocks, aux) if has_aux else blocks

    return jacobian


def _inner(blocks: Any, argnums: Argnums) -> Any:
    return blocks if isinstance(argnums, tuple) else blocks[0]


def hessian(func: Function, argnums: Argnums = 0) -> Function:
    """A function that returns the second derivatives: forward over reverse (torch.func.hessian)."""
    return jacfwd(jacrev(func, argnums), argnums)
