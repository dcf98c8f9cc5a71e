"""Compiled operations: numbers and arrays as eager mode gives them."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import replace
from functools import partial
from typing import Any

import numpy

from conformance.laws.comparison import Difference, compared_each, first_of
from conformance.laws.operation_subject import OperationSubject
from conformance.laws.quantity import Quantity
from conformance.laws.scale import second
from conformance.protocol.types import Array

# Not computed jointly: a column with joint functions compiles no operations.
SECOND = replace(second, name="second derivative")
# Descriptions of arrays by their names, as text.
Described = dict[str, str]


def agrees_with_eager(subject: OperationSubject, quantity: Quantity, order: int = 1) -> Difference | None:
    """Whether a quantity of the compiled operation is that of eager mode."""
    compiled = subject.compiled(order)
    try:
        expected = subject.compiled(0).ask_numbers(quantity)
    except Exception:  # what eager mode raises is what other laws are about
        return None
    what = f"{quantity.name} of the compiled operation"
    return compared_each(compiled.ask_numbers(quantity), expected, what, error=subject.rounding)


def is_described_as_eager(
    subject: OperationSubject, describe: Callable[..., Described], *, transposed: bool = False
) -> Difference | None:
    """Whether arrays that come from the compiled operation are described as those of eager mode."""
    compiled = subject.compiled(1)
    try:
        expected = _described(subject.compiled(0), describe, transposed)
    except Exception:
        return None
    got = _described(compiled, describe, transposed)
    return first_of(
        Difference(
            "metadata", got.get(name, "none"), expected.get(name, "none"), what=f"{name} of the compiled operation"
        )
        for name in {**expected, **got}
        if got.get(name) != expected.get(name)
    )


def _described(at: OperationSubject, describe: Callable[..., Described], transposed: bool) -> Described:
    xs = _of_matrices(at) if transposed else [at.ad.leaf(x.tolist(), at.dtype) for x in at.point]
    return describe(at, xs, _arrays(at.call(*xs)))


def _of_matrices(at: OperationSubject) -> list[Array]:
    """The inputs, of elementwise operations as matrices; the first lies transposed in memory, if it is a matrix."""
    first, *others = [numpy.stack([x, x]) if at.operation.elementwise else x for x in at.point]
    leaf = at.ad.leaf(first.T.tolist() if first.ndim == 2 else first.tolist(), at.dtype)
    transposed = at.ad.np.transpose(leaf) if first.ndim == 2 else leaf
    return [transposed, *(at.ad.leaf(x.tolist(), at.dtype) for x in others)]


def _arrays(results: Any) -> list[Array]:
    flat = results if isinstance(results, (tuple, list)) else [results]
    return [x for x in flat if hasattr(x, "shape")]


def kinds(at: OperationSubject, xs: Sequence[Array], results: Sequence[Array]) -> Described:
    """Shape and dtype of results and gradients, and whether results require grad."""

    def kind(x: Array) -> str:
        return f"shape {tuple(x.shape)}, {at.ad.dtype_of(x)}, requires_grad {at.ad.requires_grad(x)}"

    return _descriptions(kind, results, _gradients(at, xs))


def strides(at: OperationSubject, xs: Sequence[Array], results: Sequence[Array]) -> Described:
    """Strides of results and gradients, along axes that have several elements."""
    return _descriptions(partial(_stride, at), results, _gradients(at, xs))


def result_strides(at: OperationSubject, xs: Sequence[Array], results: Sequence[Array]) -> Described:
    """Strides of results alone: a gradient lies as its cotangent, which a compiler copies to the result's layout."""
    return _descriptions(partial(_stride, at), results, ())


def _stride(at: OperationSubject, x: Array) -> str:
    along = [n for n, size in zip(at.ad.strides_of(x), x.shape, strict=True) if size > 1 and numpy.prod(x.shape)]
    return f"strides {along}"


def aliases(at: OperationSubject, xs: Sequence[Array], results: Sequence[Array]) -> Described:
    """The inputs, and the earlier results, that each result shares memory with, of a second call too."""
    inputs = [*xs, *at.inputs[len(xs) :]]
    again = _arrays(at.call(*xs))
    named = [*_numbered("input", inputs), *_numbered("result", results), *_numbered("result of a second call", again)]
    shared = {
        name: [other for other, y in named[: len(inputs) + number] if _share(at, x, y)]
        for number, (name, x) in enumerate(named[len(inputs) :])
    }
    return {name: f"shares memory with {' and '.join(others) or 'nothing'}" for name, others in shared.items()}


def _share(at: OperationSubject, x: Array, y: Array) -> bool:
    first, second = at.numbers([x, y])
    # The verb sees the same address alone, and not a view that begins later.
    same = at.ad.shares_memory(x, y) and first.size > 0
    return bool(same) or numpy.may_share_memory(first, second)


def _gradients(at: OperationSubject, xs: Sequence[Array]) -> Sequence[Array]:
    gradients: Sequence[Array] = at.ad.grad_of([at.scalar(*xs)], xs)
    return gradients


def _descriptions(describe: Callable[[Array], str], results: Sequence[Array], gradients: Sequence[Array]) -> Described:
    return {name: describe(x) for name, x in (*_numbered("result", results), *_numbered("gradient", gradients))}


def _numbered(kind: str, xs: Sequence[Any]) -> Iterator[tuple[str, Any]]:
    return ((f"{kind} {number}", x) for number, x in enumerate(xs))
