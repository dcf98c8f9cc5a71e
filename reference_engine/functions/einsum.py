"""Sums of products in Einstein's notation."""

from __future__ import annotations

import functools
from collections.abc import Sequence
from typing import Any

from .. import primitives as o
from ..core.tensor import Tensor
from .products import same_dtype


def einsum(equation: str, *operands: Any) -> Any:
    """Products of tensors summed over the letters that the result does not name, as in ``"ij,jk->ik"`` (torch.einsum).

    A letter twice in one term means its diagonal. Without an arrow the result has the letters that occur once, in
    alphabetic order. RuntimeError if letters and dimensions disagree.
    """
    tensors = operands[0] if len(operands) == 1 and isinstance(operands[0], (list, tuple)) else operands
    inputs, arrow, result = equation.replace(" ", "").partition("->")
    terms, letters = inputs.split(","), sorted(set(inputs) - {","})
    if not arrow or set(letters) - set(result):
        same_dtype("einsum", *tensors)
    if [len(term) for term in terms] != [x.ndim for x in tensors] or not set(result) <= set(letters):
        got = [list(x.shape) for x in tensors]
        raise RuntimeError(f"einsum: the terms of {equation!r} need one letter for each dimension, but got {got}")
    result = result if arrow else "".join(c for c in letters if inputs.count(c) == 1)
    order = [*result, *(c for c in letters if c not in result)]
    product = functools.reduce(o.mul, [_aligned(x, term, order) for x, term in zip(tensors, terms, strict=True)])
    summed = tuple(range(len(result), len(order)))
    return o.sum(product, dim=summed, keepdim=False) if summed else product


def _aligned(x: Tensor, term: str, order: Sequence[str]) -> Tensor:
    """The tensor with its dimensions in the order of all letters, of size one for letters that it does not have."""
    for letter in term:
        while term.count(letter) > 1:
            first, last = term.index(letter), term.rindex(letter)
            if x.shape[first] != x.shape[last]:
                raise RuntimeError(f"einsum: {letter!r} names dimensions of sizes {x.shape[first]} and {x.shape[last]}")
            # A diagonal comes last.
            x = o.diagonal(x, offset=0, dim1=first, dim2=last)
            term = term[:first] + term[first + 1 : last] + term[last + 1 :] + letter
    x = o.permute(x, dims=tuple(term.index(c) for c in order if c in term))
    sizes = iter(x.shape)
    return o.reshape(x, shape=tuple(next(sizes) if c in term else 1 for c in order))  # type: ignore[no-any-return]
