"""Smooth programs between containers of random structure, drawn by Hypothesis, and their derivatives by NumPy.

A program takes containers of arrays and returns one. It is C tanh(B x) + A x on the entries of its arguments, in order,
with random matrices: no two entries can be exchanged without a difference. Its Jacobian is C diag(1 - tanh(Bx)^2)B + A.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from functools import cached_property
from typing import Any

import numpy as np
from hypothesis import strategies as st

Tree = Any


@dataclass(frozen=True)
class Leaf:
    """The place of an array of that shape."""

    shape: tuple[int, ...]


LEAVES = st.sampled_from([Leaf(()), Leaf((2,)), Leaf((3,)), Leaf((2, 2))])
TREES = st.recursive(
    LEAVES,
    lambda inner: (
        st.lists(inner, min_size=1, max_size=2)
        | st.tuples(inner, inner)
        | st.dictionaries(st.sampled_from("abc"), inner, min_size=1, max_size=2)
    ),
    max_leaves=3,
)


def leaves(tree: Tree) -> list[Any]:
    """What is at the leaves, keys of dicts in sorted order."""
    if isinstance(tree, dict):
        return [leaf for key in sorted(tree) for leaf in leaves(tree[key])]
    return [leaf for part in tree for leaf in leaves(part)] if isinstance(tree, (list, tuple)) else [tree]


def filled(tree: Tree, values: Iterator[Any]) -> Tree:
    """The same containers with these values at the leaves."""
    if isinstance(tree, dict):
        made = {key: filled(tree[key], values) for key in sorted(tree)}
        return {key: made[key] for key in tree}
    return type(tree)(filled(part, values) for part in tree) if isinstance(tree, (list, tuple)) else next(values)


def structure(tree: Tree) -> Tree:
    """The containers alone."""
    return filled(tree, iter(["*"] * len(leaves(tree))))


def size(tree: Tree) -> int:
    """How many numbers the arrays have."""
    return sum(math.prod(leaf.shape) for leaf in leaves(tree))


def unflattened(ad: Any, tree: Tree, flat: Any) -> Tree:
    """The entries of a vector of NumPy or of the engine, in containers of arrays of these shapes."""
    ends = np.cumsum([math.prod(leaf.shape) for leaf in leaves(tree)])
    parts = zip((int(end) for end in (0, *ends)), map(int, ends), leaves(tree), strict=False)
    return filled(tree, iter([ad.np.reshape(flat[start:end], leaf.shape) for start, end, leaf in parts]))


def flattened(ad: Any, tree: Tree) -> Any:
    """The entries of all arrays as a vector of the engine."""
    return ad.np.concat([ad.np.reshape(array, (-1,)) for array in leaves(tree)])


@dataclass(frozen=True)
class Smooth:
    """A program of two arguments with these containers, and what its numbers are drawn by."""

    source: tuple[Tree, Tree]
    target: Tree
    seed: int

    @cached_property
    def matrices(self) -> tuple[Any, Any, Any]:
        draw, columns, rows = np.random.default_rng(self.seed), size(self.source), size(self.target)
        return draw.uniform(-1, 1, (rows, columns)), draw.uniform(-1, 1, (3, columns)), draw.uniform(-1, 1, (rows, 3))

    def vector(self, tree: Tree, number: int) -> Any:
        """A vector for arrays of these shapes, another for each number."""
        return np.random.default_rng((self.seed, number)).uniform(-1, 1, size(tree))

    def given(self, ad: Any, tree: Tree, number: int) -> Tree:
        """The same as arrays of the engine, in their containers."""
        return unflattened(ad, tree, ad.array(self.vector(tree, number).tolist(), dtype="float64"))

    def on(self, ad: Any) -> Callable[..., Tree]:
        a, b, c = (ad.array(matrix.tolist(), dtype="float64") for matrix in self.matrices)

        def program(*args: Tree) -> Tree:
            x = flattened(ad, args)
            return unflattened(ad, self.target, c @ ad.np.tanh(b @ x) + a @ x)

        return program

    def jacobian(self, x: Any) -> Any:
        """At a vector, by the formula."""
        a, b, c = self.matrices
        return c @ np.diag(1 - np.tanh(b @ x) ** 2) @ b + a


def programs(target: st.SearchStrategy[Tree] = TREES, source: st.SearchStrategy[Tree] = TREES) -> Any:
    return st.builds(Smooth, st.tuples(source, source), target, st.integers(0, 2**16))
