"""A second use: of a pullback, of a graph that is retained, of a gradient; and what was handed over is as it was."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import partial
from typing import Any

import numpy

from conformance.laws.comparison import Difference, compared_each, first_of, shown
from conformance.laws.compositions import forward, reverse
from conformance.laws.linearity import flat_outputs, some_cotangent
from conformance.laws.operation_subject import OperationSubject
from conformance.laws.quantity import gradient
from conformance.laws.subject import NumPyArray
from conformance.protocol.types import Array, Arrays

# Part of a tape's documented error: the first pass has freed the graph.
FREED = "a second time"
# What a mode does with an operation, by name: it takes the subject, a cotangent for the outputs, and tangents.
Use = tuple[str, Callable[[OperationSubject, Array, Sequence[Array]], Any]]


def repeats(subject: OperationSubject) -> Difference | None:
    """Whether a second call of the gradient, with the same arrays, gives what the first gave."""
    first = _copies(subject, subject.ask(gradient))
    # Anew: else the subject would return the gradient that it knows.
    return compared_each(subject.anew().ask_numbers(gradient), first, "gradient by a second call")


def pulls_back_twice(subject: OperationSubject) -> Difference | None:
    """Whether a second call of a pullback gives what the first gave; on a tape, that of a graph that is retained."""
    try:
        return _same_pullback(subject)
    except Exception as error:
        if FREED not in str(error):
            raise
        return _same_pass(subject)


def _same_pullback(subject: OperationSubject) -> Difference | None:
    _, pullback = subject.ad.vjp(partial(flat_outputs, subject), *subject.primals)
    g, h = (subject.array(some_cotangent(subject, number)) for number in (0, 1))
    first = _copies(subject, pullback(g))
    # Another cotangent in between: a pullback that keeps its first results would give them again.
    pullback(h)
    return compared_each(subject.numbers(pullback(g)), first, "VJP by a second call of the pullback")


def _same_pass(subject: OperationSubject) -> Difference | None:
    ad = subject.ad
    leaves = [ad.leaf(x.tolist(), subject.dtype) for x in subject.point]
    output = subject.scalar(*leaves)
    first, second = (_copies(subject, ad.grad_of([output], leaves, retain_graph=True)) for _ in range(2))
    return compared_each(second, first, "gradient by a second pass over a retained graph")


def _copies(subject: OperationSubject, xs: Arrays) -> list[NumPyArray]:
    # The engine may use its memory again.
    return [x.copy() for x in subject.numbers([*xs])]


def _pull_back(at: OperationSubject, cotangent: Array, tangents: Sequence[Array]) -> None:
    _, pullback = at.ad.vjp(partial(flat_outputs, at), *at.primals)
    pullback(cotangent)


def _push_forward(at: OperationSubject, cotangent: Array, tangents: Sequence[Array]) -> None:
    at.ad.jvp(at.scalar, at.primals, tuple(tangents))


def _twice(at: OperationSubject, cotangent: Array, tangents: Sequence[Array]) -> None:
    if at.operation.order > 1:
        reverse(at, reverse(at, at.cubic, 0), 0)(*at.primals)


def _forward_over_reverse(at: OperationSubject, cotangent: Array, tangents: Sequence[Array]) -> None:
    if at.operation.order > 1:
        forward(at, reverse(at, at.cubic, 0), 0)(*at.primals)


IN_REVERSE: tuple[Use, ...] = (("a VJP", _pull_back), ("a VJP of a VJP", _twice))
IN_FORWARD: tuple[Use, ...] = (("a JVP", _push_forward), ("a JVP of a VJP", _forward_over_reverse))


def writes_to_nothing(subject: OperationSubject, uses: Sequence[Use]) -> Difference | None:
    """Whether inputs, masks and indices, cotangents and tangents are as they were after each of the uses."""
    cotangent = subject.array(some_cotangent(subject, 0))
    tangents = subject.directions(0)
    held = {**_named("input", subject.inputs), "cotangent": cotangent, **_named("tangent", tangents)}
    before = dict(zip(held, subject.numbers([*held.values()]), strict=True))
    # Arrays that cannot be written need no derivative to be known as they were.
    if not any(x.flags.writeable for x in before.values()):
        return None
    # Copies, as these arrays may be the engine's memory itself, which is what may be written.
    before = {name: x.copy() for name, x in before.items()}
    return first_of(_written(subject, use, held, before, cotangent, tangents) for use in uses)


def _named(kind: str, xs: Sequence[Array]) -> dict[str, Array]:
    return {f"{kind} {number}": x for number, x in enumerate(xs)}


def _written(
    subject: OperationSubject,
    use: Use,
    held: dict[str, Array],
    before: dict[str, NumPyArray],
    cotangent: Array,
    tangents: Sequence[Array],
) -> Difference | None:
    name, act = use
    act(subject, cotangent, tangents)
    return first_of(
        Difference("numbers", shown(now), shown(before[what]), what=f"{what} after {name}")
        for what, now in zip(held, subject.numbers([*held.values()]), strict=True)
        if not numpy.array_equal(now, before[what], equal_nan=now.dtype.kind in "fc")
    )
