"""Operations: each function adds a step to a scope, unless no value fits."""

from __future__ import annotations

from math import prod

from conformance.programs.forms.ranges import BINARY, REDUCTIONS, SCANS, UNARY
from conformance.programs.generator.scope import Scope, Unfit
from conformance.protocol.types import Shape

UNARIES, BINARIES = tuple(UNARY), tuple(BINARY)


def unary(scope: Scope) -> int:
    """An elementwise operation of one value."""
    name = scope.draws.one_of(UNARIES)
    return scope.add(f"np.{name}", (scope.some(),))


def _fits(shape: Shape, other: Shape) -> bool:
    """Whether two shapes broadcast."""
    return all(a == b or a == 1 or b == 1 for a, b in zip(reversed(shape), reversed(other), strict=False))


def _pair(scope: Scope) -> tuple[int, int]:
    """Two values that broadcast against each other; often one value twice."""
    x = scope.some()
    shape = scope.known(x).shape
    y = scope.some(lambda known: _fits(known.shape, shape))
    # In either order, as each operand has a rule.
    return (x, y) if scope.draws.happens(0.5) else (y, x)


def binary(scope: Scope) -> int:
    """An elementwise operation of two values."""
    pair = _pair(scope)
    return scope.add("larger" if scope.draws.happens(0.06) else f"np.{scope.draws.one_of(BINARIES)}", pair)


def some_axis(scope: Scope, shape: Shape) -> int:
    """An axis, counted from either end."""
    # From either end: a rule that forgets to normalise a negative axis is a classic mistake.
    axis = scope.draws.below(2 * len(shape))
    return axis - len(shape)


def reduction(scope: Scope) -> int:
    """A reduction of an axis, or of all."""
    x = scope.some(lambda known: known.shape and 0 not in known.shape)
    known, name = scope.known(x), scope.draws.one_of(REDUCTIONS)
    axis = None if scope.draws.happens(0.25) and name not in ("amax", "amin") else some_axis(scope, known.shape)
    return scope.add(f"np.{name}", (x,), axis)


def scan(scope: Scope) -> int:
    """An operation along an axis that keeps the shape."""
    x = scope.some(lambda known: known.shape)
    name = scope.draws.one_of(SCANS)
    return scope.add(f"np.{name}", (x,), some_axis(scope, scope.known(x).shape))


def shaping(scope: Scope) -> int:
    """Another shape or order of the same elements. Where steps write in place, none that may share memory."""
    x = scope.some(lambda known: known.shape)
    shape, kind = scope.known(x).shape, scope.draws.below(3 if scope.written else 8)
    if kind == 0:
        return scope.add("np.flip", (x,), (some_axis(scope, shape),))
    if kind <= 2 and len(shape) > 1:
        return scope.add("np.tril" if kind == 1 else "np.triu", (x,))
    if kind == 3:
        return scope.add("np.reshape", (x,), scope.draws.one_of((shape[::-1], (1, *shape), (prod(shape),))))
    if kind == 4:
        return scope.add("np.expand_dims", (x,), scope.draws.below(len(shape) + 1))
    if kind == 5:
        return scope.add("np.broadcast_to", (x,), (2, *shape))
    if len(shape) != 2:
        raise Unfit
    return scope.add("np.diagonal" if kind == 6 else "np.transpose", (x,))


def joining(scope: Scope) -> int:
    """Arrays of one shape, joined along an axis, or along a new one."""
    x = scope.some(lambda known: known.shape)
    shape = scope.known(x).shape
    y = scope.some(lambda known: known.shape == shape)
    name = scope.draws.one_of(("stack", "concat"))
    return scope.add(f"np.{name}", (x, y), some_axis(scope, shape))


def indexing(scope: Scope) -> int:
    """Rows: one, several with repetition, or added to."""
    x = scope.some(lambda known: known.shape)
    shape, kind = scope.known(x).shape, scope.draws.below(3)
    if kind == 0 and not scope.written:
        return scope.add("row", (x,), scope.draws.below(2 * shape[0]) - shape[0])
    # Rows may repeat: their gradients must add up.
    index = tuple(scope.draws.below(shape[0]) for _ in range(2))
    if kind == 1:
        return scope.add("rows", (x,), index)
    y = scope.some(lambda other: other.shape == (2, *shape[1:]))
    return scope.add("rows_added", (x, y), index)


def product(scope: Scope) -> int:
    """A product of vectors and matrices."""
    x = scope.some(lambda known: 0 < len(known.shape) < 3)
    known = scope.known(x)
    if len(known.shape) == 1 and scope.draws.happens(0.2):
        return scope.add("np.outer", (x, x))
    count = known.shape[-1]
    y = scope.some(lambda y: 0 < len(y.shape) < 3 and y.shape[-2 if len(y.shape) > 1 else 0] == count)
    return scope.add("np.matmul", (x, y))


def detach(scope: Scope) -> int:
    """A value without its history. Only at the top, where differences can treat it as a constant."""
    if scope.depth:
        raise Unfit
    # Where steps write in place, a detached value that shared memory would not stay constant.
    return scope.add("constant" if scope.written else "detach", (scope.some(),))
