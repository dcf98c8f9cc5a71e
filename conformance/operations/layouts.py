"""The same numbers in another layout: programs of a base array, of which the operation sees a view."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass

import numpy

from conformance.operations.judging import Judgement, compared, compared_each
from conformance.operations.problem import Problem
from conformance.operations.samples import NumPyArray
from conformance.protocol.types import Array, Program

__all__ = ["STRIDED", "TRANSPOSED", "Layout", "agrees_in_layout", "sums_over_broadcast", "sums_over_uses"]


@dataclass(frozen=True)
class Layout:
    """`base` puts numbers into a larger or rearranged array, and zeros between; `view` takes them out again."""

    name: str
    base: Callable[[NumPyArray], NumPyArray]
    view: Callable[[Problem, Array], Array]


def _spread(x: NumPyArray) -> NumPyArray:
    if not x.ndim:
        return x
    wide = numpy.zeros((*x.shape[:-1], 2 * x.shape[-1]))
    wide[..., ::2] = x
    return wide


def _transposed(problem: Problem, x: Array) -> Array:
    # Of several arguments, those that are matrices.
    return problem.ad.np.transpose(x) if x.ndim == 2 else x


STRIDED = Layout("strided view", _spread, lambda problem, x: x[..., ::2] if x.ndim else x)
TRANSPOSED = Layout("transposed view", lambda x: x.T if x.ndim == 2 else x, _transposed)


def agrees_in_layout(problem: Problem, layout: Layout) -> Judgement | None:
    """Whether the gradient by the base is the base of the gradient."""
    expected = [layout.base(x) for x in _gradients(problem, problem.scalar, problem.sample.differentiated)]
    bases = [layout.base(x) for x in problem.sample.differentiated]
    got = _gradients(problem, lambda *xs: problem.scalar(*(layout.view(problem, x) for x in xs)), bases)
    return compared_each(got, expected, f"gradient through a {layout.name}")


def sums_over_broadcast(problem: Problem) -> Judgement | None:
    """Whether the gradient of inputs that are broadcast is that of the inputs repeated, and summed.

    The first argument is a column of numbers, the others are rows.
    """
    count = problem.sample.differentiated[0].size
    columns = [x.reshape((count, 1) if at == 0 else (1, count)) for at, x in enumerate(problem.sample.differentiated)]
    repeated = [numpy.broadcast_to(x, (count, count)).copy() for x in columns]
    whole = _gradients(problem, problem.scalar, repeated)
    expected = [x.sum(1, keepdims=True) if at == 0 else x.sum(0, keepdims=True) for at, x in enumerate(whole)]
    got = _gradients(problem, problem.scalar, columns)
    return compared_each(got, expected, "gradient of a broadcast input")


def sums_over_uses(problem: Problem) -> Judgement | None:
    """Whether the gradient of one array in all arguments is the sum of their gradients."""
    x, *others = problem.sample.differentiated
    got = _gradients(problem, lambda x: problem.scalar(*[x] * (1 + len(others))), [x])
    parts = _gradients(problem, problem.scalar, [x] * (1 + len(others)))
    return compared(got[0], sum(parts), "gradient of an array in all arguments")


def _gradients(problem: Problem, program: Program, values: Sequence[NumPyArray]) -> list[NumPyArray]:
    gradient = problem.ad.grad(program, tuple(range(len(values))))
    return problem.numbers(gradient(*map(problem.array, values)))
