"""The same numbers in another layout: programs of a base array, of which the operation sees a view."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import partial
from typing import Any

import numpy

from conformance.laws.comparison import Difference, compared, compared_each, first_of
from conformance.laws.operation_subject import OperationSubject
from conformance.laws.quantity import Quantity, gradient, quantity, register
from conformance.laws.subject import Subject
from conformance.operations.samples import NumPyArray
from conformance.protocol.types import Array, Arrays, Program

# The number of rows that an offset view leaves out.
SKIPPED = 2
# No operation has more: a transformer's layer has 13.
ARGUMENTS = 16


@dataclass(frozen=True)
class Layout:
    """`base` puts numbers into a larger or rearranged array, and zeros between; `view` takes them out again."""

    name: str
    base: Callable[[NumPyArray], NumPyArray]
    view: Callable[[Subject, Array], Array]


def _spread(x: NumPyArray) -> NumPyArray:
    if not x.ndim:
        return x
    # Zeros between: a gradient that ignores the strides lands on them, and is not zero there.
    wide = numpy.zeros((*x.shape[:-1], 2 * x.shape[-1]))
    wide[..., ::2] = x
    return wide


def _later(x: NumPyArray) -> NumPyArray:
    return numpy.concatenate([numpy.zeros((SKIPPED, *x.shape[1:])), x]) if x.ndim else x


def _flipped(subject: Subject, x: Array) -> Array:
    return subject.ad.np.flip(x, (x.ndim - 1,)) if x.ndim else x


def _transposed(subject: Subject, x: Array) -> Array:
    # Of several arguments, those that are matrices.
    return subject.ad.np.transpose(x) if x.ndim == 2 else x


STRIDED = Layout("strided view", _spread, lambda subject, x: x[..., ::2] if x.ndim else x)
OFFSET = Layout("view that begins later", _later, lambda subject, x: x[SKIPPED:] if x.ndim else x)
FLIPPED = Layout("flipped view", lambda x: x[..., ::-1] if x.ndim else x, _flipped)
TRANSPOSED = Layout("transposed view", lambda x: x.T if x.ndim == 2 else x, _transposed)


def _laid_out(xs: Sequence[Any], by: Callable[[Any], Any], only: int | None) -> list[Any]:
    return [by(x) if only in (None, at) else x for at, x in enumerate(xs)]


def _gradient(at: Subject, program: Program, arrays: Sequence[Array]) -> Arrays:
    return tuple(at.ad.grad(program, tuple(range(len(arrays))))(*arrays))


def _through(layout: Layout, only: int | None = None) -> Quantity:
    """The gradient by the base of an array in a layout: of all arguments, or of `only` that."""

    def compute(at: Subject, *bases: Array) -> Arrays:
        def program(*xs: Array) -> Array:
            return at.scalar(*_laid_out(xs, partial(layout.view, at), only))

        return _gradient(at, program, bases)

    def concerns(at: Any) -> bool:
        # Of an argument that is no matrix, the transpose is the argument.
        return only is None or (only < len(at.point) and at.point[only].ndim == 2)

    name = f"gradient through a {layout.name}" + ("" if only is None else f" of argument {only}")
    return Quantity(name, compute, lambda at: _laid_out(at.point, layout.base, only), concerns)


THROUGH = {layout.name: register(_through(layout)) for layout in (STRIDED, OFFSET, FLIPPED, TRANSPOSED)}
OF_ARGUMENT = [register(_through(TRANSPOSED, only)) for only in range(ARGUMENTS)]


def agrees_in_layout(subject: OperationSubject, layout: Layout) -> Difference | None:
    """Whether the gradient by the base is the base of the gradient, with all arguments in the layout."""
    return _agrees_through(subject, THROUGH[layout.name], layout)


def agrees_for_each_transposed(subject: OperationSubject) -> Difference | None:
    """The same where a single matrix is a transposed view, and the others lie as they are: for each matrix."""
    matrices = [at for at, x in enumerate(subject.point) if x.ndim == 2]
    return first_of(_agrees_through(subject, OF_ARGUMENT[at], TRANSPOSED, at) for at in matrices)


def _agrees_through(
    subject: OperationSubject, through: Quantity, layout: Layout, only: int | None = None
) -> Difference | None:
    expected = _laid_out(subject.ask_numbers(gradient), layout.base, only)
    return compared_each(subject.ask_numbers(through), expected, through.name)


def sums_over_expanded(subject: OperationSubject) -> Difference | None:
    """Whether the gradient of a column that is expanded to an array is the sum over the columns of the array.

    All columns of an argument are then the same place in memory (stride 0). For each argument.
    """
    arrays = subject.point
    return first_of(_sums_over_columns(subject, at) for at, x in enumerate(arrays) if x.ndim)


def _sums_over_columns(subject: OperationSubject, at: int) -> Difference | None:
    values = list(subject.point)
    column = values[at][..., :1]
    whole = [*values]
    whole[at] = numpy.broadcast_to(column, values[at].shape).copy()
    try:
        expected = subject.moved_to(whole).ask_numbers(gradient)
    except Exception:  # of a matrix with equal columns, there may be no inverse and no factor
        subject.ask_numbers(gradient)  # raises the error where it has another cause
        return None
    # Nor a number, such as the logarithm of their determinant: parts that are not finite have no sum.
    if not all(numpy.isfinite(x).all() for x in expected):
        return None
    # Large parts may cancel in the sum.
    scale = float(numpy.max(numpy.abs(expected[at]), initial=0.0))
    expected[at] = expected[at].sum(-1, keepdims=True)
    values[at] = column
    got = subject.ask_numbers(EXPANDED[at], *values)
    return compared_each(got, expected, f"gradient through argument {at}, an expanded view", scale=scale)


def _expanded(number: int) -> Quantity:
    """The gradient by the first column of an argument, which is expanded to its shape."""

    def compute(at: Subject, *arrays: Array) -> Arrays:
        def program(*xs: Array) -> Array:
            wide = at.ad.np.broadcast_to(xs[number], at.point[number].shape)
            return at.scalar(*xs[:number], wide, *xs[number + 1 :])

        return _gradient(at, program, arrays)

    def extras(at: Any) -> Sequence[NumPyArray]:
        return [x[..., :1] if position == number else x for position, x in enumerate(at.point)]

    def concerns(at: Any) -> bool:
        return number < len(at.point) and at.point[number].ndim > 0

    return Quantity(f"gradient through argument {number}, an expanded view", compute, extras, concerns)


EXPANDED = [register(_expanded(number)) for number in range(ARGUMENTS)]


def _is_elementwise(at: Any) -> bool:
    return bool(at.operation.elementwise)


def _is_of_several(at: Any) -> bool:
    return bool(at.operation.elementwise) and len(at.point) > 1


def agrees_as_scalars(subject: OperationSubject) -> Difference | None:
    """Whether arrays without axes have the gradients of the only element of arrays with an axis."""
    single = OperationSubject(subject.ad, subject.sample.first())
    numbers = [x.ravel()[:1] for x in single.sample.differentiated]
    expected = [x[0] for x in single.ask_numbers(of_one_element, *numbers)]
    got = single.ask_numbers(of_scalars, *(x[0] for x in numbers))
    return compared_each(got, expected, "gradient of an array without axes")


def _columns(at: Any) -> list[NumPyArray]:
    """The first argument as a column, and the others as rows."""
    count = at.point[0].size
    return [x.reshape((count, 1) if number == 0 else (1, count)) for number, x in enumerate(at.point)]


def _repeated(at: Any) -> list[NumPyArray]:
    # By NumPy, so that the expected sums do not rest on the engine's own handling of a broadcast.
    count = at.point[0].size
    return [numpy.broadcast_to(x, (count, count)).copy() for x in _columns(at)]


def sums_over_broadcast(subject: OperationSubject) -> Difference | None:
    """Whether the gradient of inputs that are broadcast is that of the inputs repeated, and summed.

    The first argument is a column of numbers, the others are rows; or rows without elements, and the sum is zero.
    """
    whole = subject.ask_numbers(of_repeated)
    expected = [x.sum(1, keepdims=True) if at == 0 else x.sum(0, keepdims=True) for at, x in enumerate(whole)]
    got = subject.ask_numbers(of_columns)
    return compared_each(got, expected, "gradient of a broadcast input") or _sums_over_nothing(subject)


def _without_elements(at: Any) -> list[NumPyArray]:
    return [x if number == 0 else x[:, :0] for number, x in enumerate(_columns(at))]


def _sums_over_nothing(subject: OperationSubject) -> Difference | None:
    # Of no elements, an engine cannot infer the dtype.
    typed = OperationSubject(subject.ad, subject.sample, "float64")
    expected = [numpy.zeros_like(x) for x in _without_elements(subject)]
    return compared_each(
        typed.ask_numbers(of_columns_by_nothing), expected, "gradient of an input broadcast to no elements"
    )


def at_other_shapes(
    name: str, extras: Callable[[Any], Sequence[NumPyArray]], concerns: Callable[[Any], bool]
) -> Quantity:
    """The gradient at arrays of other shapes than the point's."""
    return register(Quantity(name, lambda at, *xs: _gradient(at, at.scalar, xs), extras, concerns))


of_one_element = at_other_shapes("of one element", lambda at: [x.ravel()[:1] for x in at.point], _is_elementwise)
of_scalars = at_other_shapes("without axes", lambda at: [x.ravel()[0] for x in at.point], _is_elementwise)
of_repeated = at_other_shapes("repeated", _repeated, _is_of_several)
of_columns = at_other_shapes("broadcast", _columns, _is_of_several)
of_columns_by_nothing = at_other_shapes("broadcast to no elements", _without_elements, _is_of_several)


def sums_over_uses(subject: OperationSubject) -> Difference | None:
    """Whether the gradient of an array that is all arguments is the sum of their gradients."""
    same = [subject.point[0]] * len(subject.point)
    (got,) = subject.ask_numbers(of_all_arguments)
    parts = subject.moved_to(same).ask_numbers(gradient)
    return compared(got, sum(parts), "gradient of an array in all arguments")


@quantity(lambda at: [at.point[0]], _is_of_several)
def of_all_arguments(at: Subject, x: Array) -> Arrays:
    """The gradient by an array that is all arguments."""
    return _gradient(at, lambda x: at.scalar(*[x] * len(at.point)), [x])
