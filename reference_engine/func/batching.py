"""vmap as an honest loop (torch.func.vmap).

It calls the function on each slice and stacks, so it gives the numbers and the gradients of PyTorch's vmap but not
its speed, and it does not refuse control flow that depends on values. A graph that the function frees is freed after
the last slice, as if it had been called once.
"""

from __future__ import annotations

import functools
from typing import Any

from ..core.engine import one_call
from ..core.tensor import Tensor
from ..functions.shaping import stack, unbind
from ..utils.pytree import flatten
from .arguments import Function


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
