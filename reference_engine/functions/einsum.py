"""Sums of products in Einstein's notation."""

# mypy: disable-error-code="no-any-return"

from __future__ import annotations

import string
from collections.abc import Sequence
from typing import Any

from .. import primitives as o
from ..core.tensor import Tensor
from .products import same_numbers


def einsum(equation: str, *operands: Any) -> Tensor:
    """Products of tensors summed over the letters that the result does not name, as in ``"ij,jk->ik"`` (torch.einsum).

    A letter twice in one term means its diagonal; an ellipsis stands for dimensions that broadcast. Without an arrow
    the result has the letters that occur once, in alphabetic order. RuntimeError if letters and dimensions disagree.
    """
    tensors = operands[0] if len(operands) == 1 and isinstance(operands[0], (list, tuple)) else operands
    terms, result = _parsed(equation.replace(" ", ""), [x.ndim for x in tensors])
    x, letters = _diagonals(tensors[0], terms[0])
    for i, (y, term) in enumerate(zip(tensors[1:], terms[1:], strict=True), start=2):
        needed = set(result).union(*terms[i:])
        x, letters = _product(x, letters, *_diagonals(y, term), needed)
    x, letters = _summed(x, letters, set(result))
    return o.permute(x, dims=tuple(letters.index(c) for c in result))


def _parsed(equation: str, ndims: Sequence[int]) -> tuple[list[str], str]:
    """The letters of each term and of the result, with letters of their own for what ellipses stand for."""
    left, arrow, result = equation.partition("->")
    terms = left.split(",")
    if len(terms) != len(ndims):
        raise RuntimeError(f"einsum(): {len(terms)} terms were given in {equation!r} for {len(ndims)} operands")
    free = [c for c in string.printable if not c.isspace() and c not in equation]
    hidden = [n - len(t) + 3 if "..." in t else 0 for t, n in zip(terms, ndims, strict=True)]
    shared = "".join(free[: max(hidden)])
    terms = [t.replace("...", shared[len(shared) - n :]) for t, n in zip(terms, hidden, strict=True)]
    for term, n in zip(terms, ndims, strict=True):
        if len(term) != n:
            raise RuntimeError(f"einsum(): the number of subscripts of {term!r} in {equation!r} is not {n} dimensions")
    every = "".join(terms)
    once = shared + "".join(sorted(c for c in set(every) - set(shared) if every.count(c) == 1))
    result = result.replace("...", shared) if arrow else once
    if len(set(result)) < len(result) or not set(result) <= set(every):
        raise RuntimeError(f"einsum(): the result of {equation!r} must name letters of the operands, each once")
    return terms, result


def _diagonals(x: Tensor, letters: str) -> tuple[Tensor, str]:
    """A term in which no letter is repeated."""
    for c in letters:
        while letters.count(c) > 1:
            first, second = letters.index(c), letters.rindex(c)
            if x.shape[first] != x.shape[second]:
                raise RuntimeError(
                    f"einsum(): subscript {c} is repeated for an operand but the sizes don't match, "
                    f"{x.shape[second]} != {x.shape[first]}"
                )
            x = o.diagonal(x, offset=0, dim1=first, dim2=second)
            letters = letters[:first] + letters[first + 1 : second] + letters[second + 1 :] + c
    return x, letters


def _summed(x: Tensor, letters: str, needed: set[str]) -> tuple[Tensor, str]:
    """A term without the letters that nothing else needs."""
    gone = tuple(i for i, c in enumerate(letters) if c not in needed)
    return (o.sum(x, dim=gone, keepdim=False) if gone else x), "".join(c for c in letters if c in needed)


def _product(x: Tensor, a: str, y: Tensor, b: str, needed: set[str]) -> tuple[Tensor, str]:
    """The product of two terms as one product of matrices."""
    x, a = _summed(x, a, needed | set(b))
    y, b = _summed(y, b, needed | set(a))
    x, y = _matched(x, a, y, b), _matched(y, b, x, a)
    both = [c for c in a if c in b]
    batch, inner = [c for c in both if c in needed], [c for c in both if c not in needed]
    rows, columns = [c for c in a if c not in b], [c for c in b if c not in a]
    size = dict(zip(b + a, (*y.shape, *x.shape), strict=True))
    if inner:
        same_numbers("einsum()", x, y)
    # Without a sum the product of a column and a row is one of elements, whose types may differ.
    multiply = o.bmm if inner else o.mul
    product = multiply(_matrix(x, a, [batch, rows, inner], size), _matrix(y, b, [batch, inner, columns], size))
    letters = "".join([*batch, *rows, *columns])
    return o.reshape(product, shape=tuple(size[c] for c in letters)), letters


def _matched(x: Tensor, a: str, y: Tensor, b: str) -> Tensor:
    """A term expanded along the letters where it has size one and the other has not; RuntimeError if neither has."""
    sizes = dict(zip(b, y.shape, strict=True))
    for c, n in zip(a, x.shape, strict=True):
        if n != sizes.get(c, n) and 1 not in (n, sizes[c]):
            raise RuntimeError(f"einsum(): operands do not broadcast: subscript {c!r} has sizes {n} and {sizes[c]}")
    shape = tuple(sizes.get(c, n) if n == 1 else n for c, n in zip(a, x.shape, strict=True))
    return x if shape == tuple(x.shape) else o.expand(x, shape=shape)


def _matrix(x: Tensor, letters: str, groups: list[list[str]], size: dict[str, int]) -> Tensor:
    """A term with the letters of each group as one dimension, those of the batch apart."""
    order = [letters.index(c) for group in groups for c in group]
    shape = [size[c] for c in groups[0]]
    for group in groups[1:]:
        shape.append(1)
        for c in group:
            shape[-1] *= size[c]
    return o.reshape(o.permute(x, dims=tuple(order)), shape=tuple(shape))
