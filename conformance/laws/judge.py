"""Judgement of discrepancies: filters that keep alarms true, then the smallest witness.

A law compares two numbers, or arrays of them. They disagree if they differ by ten times the estimated error. That
counts if it recurs at a neighbouring point of the same kind, where the function is differentiable along the direction.
"""

from __future__ import annotations

import os
import zlib
from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import contextmanager
from contextvars import ContextVar
from typing import Any, TypeAlias

import numpy

from conformance.laws import truth
from conformance.laws.comparison import Difference, coarseness, compared, shown
from conformance.laws.compositions import Composition
from conformance.laws.differences import STEP, Estimate, central, one_sided_agree
from conformance.laws.estimates import estimate
from conformance.laws.operation_subject import OperationSubject
from conformance.laws.quantity import values
from conformance.laws.subject import Subject
from conformance.mismatch import Mismatch, in_words
from conformance.operations.samples import Sample, seed
from conformance.trial import current
from conformance.verdicts import Witness

# Set for a run without joint functions in the columns that are eager (`operations --eager`).
EAGER = "AUTOGRAD_CONFORMANCE_EAGER"
# Whether the first deviation is enough, and whether the joint function is asked first.
_shortened: ContextVar[bool] = ContextVar("shortened", default=False)
_screened: ContextVar[bool] = ContextVar("screened", default=True)
# The part of what a joint function says is right that is judged in eager mode all the same: one in so many cells.
ANEW = 20


class Deviation(Mismatch):
    """A law does not hold: the simplest of the points at which that is seen, and the witness at the first."""

    def __init__(self, witnesses: Sequence[Witness], points: Sequence[Sample], mathematical: bool) -> None:
        super().__init__("; ".join(map(in_words, witnesses)), witnesses[0])
        self.points = points
        self.mathematical = mathematical


def agrees_with_differences(subject: OperationSubject, composition: Composition) -> Difference | None:
    """Whether a derivative along a direction is that of central differences of the derivative of an order less.

    An estimate by the operation's values alone, which is there already, may do; only what differs from it is compared
    with differences of the program, which cost much more.
    """
    known = estimate(subject, composition.order)
    return beside_differences(subject, composition.value(subject), composition.value_before(subject), known)


def beside_differences(
    subject: Subject, got: float, line: Callable[[float], float], known: Estimate | None = None, scale: float = 0.0
) -> Difference | None:
    """Whether a derivative is that of differences of the program along a line. An estimate that is `known` may do.

    None also where there is no derivative along that line: differences to both sides stay apart, or those of smaller
    steps give something else, as where a step crosses a pole, or leaves the domain.
    """

    def unlike(expected: Estimate) -> Difference | None:
        what = "derivative along a direction"
        return compared(got, expected.value, what, expected.error, scale, subject.nearness)

    def is_near(expected: Estimate) -> bool:
        # No number: a step has left the domain, and gives no derivative.
        return not numpy.isnan(expected.value) and unlike(expected) is None

    if (known and is_near(known)) or is_near(central(line)) or not one_sided_agree(line):
        return None
    # Two smaller steps that disagree mean that there is no derivative to compare with, so the point decides nothing.
    coarse = coarseness.get()
    finer, finest = (central(line, step=STEP / part) for part in coarse.parts)
    # `not <=` and no `>`: NaN is to return here, too.
    if not abs(finer.value - finest.value) <= coarse.settled * max(1.0, abs(finest.value)):
        return None
    return unlike(finest)


def agrees_with_truth(subject: OperationSubject, composition: Composition) -> Difference | None:
    """Whether the derivative of a function of numbers is true: in the tails too, up to rounding."""
    sample, order = subject.sample, composition.order
    point, along = ([float(x[0]) for x in xs] for xs in (sample.differentiated, sample.directions(1)))
    # What `cubic` adds.
    cubes = {1: 0.0, 2: sum(x * v * v for x, v in zip(point, along, strict=True)), 3: sum(v**3 for v in along)}
    total = composition.value(subject)
    # All elements are equal, and so are all outputs: their mean is the value.
    count = sum(x.size for x in subject.ask_numbers(values))
    got = (total - sample.differentiated[0].size * cubes[order]) / count
    true = truth.derivative(subject.operation, point, along, order)
    what = f"derivative of order {order}" + (f" along {tuple(along)}" if len(along) > 1 else "")
    return compared(got, true, what, scale=0.0 if sample.in_tail else 1.0 + abs(cubes[order]))


Judge: TypeAlias = Callable[[OperationSubject], Difference | None]


@contextmanager
def until_the_first(*, screened: bool = True) -> Iterator[None]:
    """A block in which laws stop at their first deviation; `screened`: where there is a joint function, ask it."""
    tokens = _shortened.set(True), _screened.set(screened)
    try:
        yield
    finally:
        _shortened.reset(tokens[0])
        _screened.reset(tokens[1])


def hold(ad: Any, points: Iterable[Sample], judge: Judge, mathematical: bool = True) -> None:
    """Raise Deviation, with the points at which the law does not hold, nor at their neighbours.

    Not `mathematical` is a law on what is a convention of the engine, or on how exactly it computes.

    An eager column whose engine has a joint function asks that first. What it says is wrong is judged anew, and so is a
    part of what it says is right: that is another computation, by a compiler.
    """
    points = list(points)
    if ad.joint_as_screen and not _is_judged_anew(points) and _holds_jointly(ad, points, judge):
        return
    deviations: dict[str, tuple[Witness, Sample]] = {}
    for sample in points:
        if _fails(ad, sample, judge):
            point, seen = _witness(ad, sample, judge)
            # Of a shape, it is the interface that decides.
            mathematical &= seen.kind != "shape"
            witness = deviation(point, seen)
            # Points with the same simplest witness are a single deviation.
            deviations.setdefault(in_words(witness), (witness, point))
            if _shortened.get():
                break
    if deviations:
        witnesses, where = zip(*deviations.values(), strict=True)
        raise Deviation(witnesses, where, mathematical)


def _fails(ad: Any, sample: Sample, judge: Judge) -> bool:
    current().assertions += 1
    return (
        judge(OperationSubject(ad, sample)) is not None and judge(OperationSubject(ad, sample.neighbour())) is not None
    )


def _holds_jointly(ad: Any, points: Sequence[Sample], judge: Judge) -> bool:
    ad.joint_now = ad.joint_as_screen
    try:
        return not any(_fails(ad, sample, judge) for sample in points)
    except Exception:
        # Whether the engine raises it in eager mode, too, is seen there.
        return False
    finally:
        ad.joint_now, current().untraced = None, False


def _is_judged_anew(points: Sequence[Sample]) -> bool:
    """Whether a cell belongs to the part that is judged in eager mode in any case; drawn by its name and the seed."""
    cell = f"{current().behaviour.id}[{points[0].operation.name}]" if points else ""
    return bool(os.environ.get(EAGER)) or not _screened.get() or zlib.crc32(cell.encode(), seed()) % ANEW == 0


def _witness(ad: Any, sample: Sample, judge: Judge) -> tuple[Sample, Difference]:
    """The simplest point near the sample at which the law does not hold, and what is seen there.

    Raises HarnessError where it holds at all of them: then it does not depend on the point alone.
    """
    for point in sample.simpler():
        if difference := judge(OperationSubject(ad, point)):
            return point, difference
    raise current().fault("the law failed, and holds at the same point when it is tried again")


def deviation(sample: Sample, difference: Difference) -> Witness:
    """The witness of a comparison at a point."""
    where = f"{call_of(sample)}, a {sample.at}" if sample.point else call_of(sample)
    return Witness(difference.got, difference.expected, difference.what, where)


def call_of(sample: Sample) -> str:
    """The operation at the point, as a call."""
    options = [f"{name}={value!r}" for name, value in sample.options.items()]
    # Where all elements are equal, the first is shown.
    values = [value.ravel()[0] if sample.single else value for value in sample.values]
    # Of an inventory, the meaning is the public name.
    name = sample.operation.meaning if sample.operation.call else sample.operation.name
    return f"{name}({', '.join([*map(shown, values), *options])})"
