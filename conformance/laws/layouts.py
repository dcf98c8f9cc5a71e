"""The same numbers in another layout: programs of a base array, of which the operation sees a view."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any

import numpy

from conformance.laws.comparison import Difference, compared, compared_each, first_of
from conformance.laws.operation_subject import OperationSubject
from conformance.operations.samples import NumPyArray
from conformance.protocol.types import Array, Program

# The number of rows that an offset view leaves out.
SKIPPED = 2


@dataclass(frozen=True)
class Layout:
    """`base` puts numbers into a larger or rearranged array, and zeros between; `view` takes them out again."""

    name: str
    base: Callable[[NumPyArray], NumPyArray]
    view: Callable[[OperationSubject, Array], Array]


def _spread(x: NumPyArray) -> NumPyArray:
    if not x.ndim:
        return x
    # Zeros between: a gradient that ignores the strides lands on them, and is not zero there.
    wide = numpy.zeros((*x.shape[:-1], 2 * x.shape[-1]))
    wide[..., ::2] = x
    return wide


def _later(x: NumPyArray) -> NumPyArray:
    return numpy.concatenate([numpy.zeros((SKIPPED, *x.shape[1:])), x]) if x.ndim else x


def _flipped(subject: OperationSubject, x: Array) -> Array:
    return subject.ad.np.flip(x, (x.ndim - 1,)) if x.ndim else x


def _transposed(subject: OperationSubject, x: Array) -> Array:
    # Of several arguments, those that are matrices.
    return subject.ad.np.transpose(x) if x.ndim == 2 else x


STRIDED = Layout("strided view", _spread, lambda subject, x: x[..., ::2] if x.ndim else x)
OFFSET = Layout("view that begins later", _later, lambda subject, x: x[SKIPPED:] if x.ndim else x)
FLIPPED = Layout("flipped view", lambda x: x[..., ::-1] if x.ndim else x, _flipped)
TRANSPOSED = Layout("transposed view", lambda x: x.T if x.ndim == 2 else x, _transposed)


def agrees_in_layout(subject: OperationSubject, layout: Layout, only: int | None = None) -> Difference | None:
    """Whether the gradient by the base is the base of the gradient: of all arguments, or of `only` that."""

    def laid_out(xs: Sequence[Any], by: Callable[[Any], Any]) -> list[Any]:
        return [by(x) if only in (None, at) else x for at, x in enumerate(xs)]

    def program(*xs: Array) -> Array:
        return subject.scalar(*laid_out(xs, lambda x: layout.view(subject, x)))

    expected = laid_out(_gradients(subject, subject.scalar, subject.point), layout.base)
    got = _gradients(subject, program, laid_out(subject.point, layout.base))
    which = "" if only is None else f" of argument {only}"
    return compared_each(got, expected, f"gradient through a {layout.name}{which}")


def agrees_for_each_transposed(subject: OperationSubject) -> Difference | None:
    """The same where a single matrix is a transposed view, and the others lie as they are: for each matrix."""
    matrices = [at for at, x in enumerate(subject.point) if x.ndim == 2]
    return first_of(agrees_in_layout(subject, TRANSPOSED, at) for at in matrices)


def sums_over_expanded(subject: OperationSubject) -> Difference | None:
    """Whether the gradient of a column that is expanded to an array is the sum over the columns of the array.

    All columns of an argument are then the same place in memory (stride 0). For each argument.
    """
    arrays = subject.point
    return first_of(_sums_over_columns(subject, at) for at, x in enumerate(arrays) if x.ndim)


def _sums_over_columns(subject: OperationSubject, at: int) -> Difference | None:
    values = list(subject.point)
    shape, column = values[at].shape, values[at][..., :1]

    def program(*xs: Array) -> Array:
        wide = subject.ad.np.broadcast_to(xs[at], shape)
        return subject.scalar(*xs[:at], wide, *xs[at + 1 :])

    values[at] = numpy.broadcast_to(column, shape).copy()
    expected = _gradients(subject, subject.scalar, values)
    # Large parts may cancel in the sum.
    scale = float(numpy.max(numpy.abs(expected[at]), initial=0.0))
    expected[at] = expected[at].sum(-1, keepdims=True)
    values[at] = column
    got = _gradients(subject, program, values)
    return compared_each(got, expected, f"gradient through argument {at}, an expanded view", scale=scale)


def agrees_as_scalars(subject: OperationSubject) -> Difference | None:
    """Whether arrays without axes have the gradients of the only element of arrays with an axis."""
    single = OperationSubject(subject.ad, subject.sample.first())
    with_axis = [x.ravel()[:1] for x in single.sample.differentiated]
    expected = [x[0] for x in _gradients(single, single.scalar, with_axis)]
    got = _gradients(single, single.scalar, [x[0] for x in with_axis])
    return compared_each(got, expected, "gradient of an array without axes")


def is_empty_for_empty(subject: OperationSubject) -> Difference | None:
    """Whether arrays without elements have a gradient, without elements."""
    empty = [numpy.zeros((0,)) for _ in subject.point]
    return compared_each(_gradients(subject, subject.scalar, empty), empty, "gradient of an empty array")


def sums_over_broadcast(subject: OperationSubject) -> Difference | None:
    """Whether the gradient of inputs that are broadcast is that of the inputs repeated, and summed.

    The first argument is a column of numbers, the others are rows; or rows without elements, and the sum is zero.
    """
    count = subject.point[0].size
    columns = [x.reshape((count, 1) if at == 0 else (1, count)) for at, x in enumerate(subject.point)]
    # Repeated by NumPy, so that the expected sums do not rest on the engine's own handling of a broadcast.
    repeated = [numpy.broadcast_to(x, (count, count)).copy() for x in columns]
    whole = _gradients(subject, subject.scalar, repeated)
    expected = [x.sum(1, keepdims=True) if at == 0 else x.sum(0, keepdims=True) for at, x in enumerate(whole)]
    got = _gradients(subject, subject.scalar, columns)
    return compared_each(got, expected, "gradient of a broadcast input") or _sums_over_nothing(subject, columns)


def _sums_over_nothing(subject: OperationSubject, columns: Sequence[NumPyArray]) -> Difference | None:
    # Of no elements, an engine cannot infer the dtype.
    typed = OperationSubject(subject.ad, subject.sample, "float64")
    values = [x if at == 0 else x[:, :0] for at, x in enumerate(columns)]
    got = _gradients(typed, typed.scalar, values)
    return compared_each(got, [numpy.zeros_like(x) for x in values], "gradient of an input broadcast to no elements")


def sums_over_uses(subject: OperationSubject) -> Difference | None:
    """Whether the gradient of an array that is all arguments is the sum of their gradients."""
    x, *others = subject.point
    got = _gradients(subject, lambda x: subject.scalar(*[x] * (1 + len(others))), [x])
    parts = _gradients(subject, subject.scalar, [x] * (1 + len(others)))
    return compared(got[0], sum(parts), "gradient of an array in all arguments")


def _gradients(subject: OperationSubject, program: Program, values: Sequence[NumPyArray]) -> list[NumPyArray]:
    gradient = subject.ad.grad(program, tuple(range(len(values))))
    return subject.numbers(gradient(*map(subject.array, values)))
