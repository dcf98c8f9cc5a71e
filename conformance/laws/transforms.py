"""Transforms that change no derivative: compilation, and recomputation in a checkpoint."""

from __future__ import annotations

from collections.abc import Callable, Iterator

from conformance.laws.comparison import Difference
from conformance.laws.law import Comparison, EqualityLaw
from conformance.laws.operation_subject import OperationSubject
from conformance.laws.subject import Subject
from conformance.protocol.types import Arrays, Program


@EqualityLaw
def checkpointed(at: Subject) -> Iterator[Comparison]:
    """Under checkpointing the gradient is the same."""
    yield _is_gradient(at, at.ad.grad(at.ad.checkpoint(at.scalar), at.argnums)(*at.primals))


@EqualityLaw
def compiled(at: Subject) -> Iterator[Comparison]:
    """Compiled inside and outside, the gradient is the same."""
    ad, arguments = at.ad, (*at.primals, *at.cotangents)
    yield _is_gradient(at, ad.grad(ad.jit(at.weighted), at.argnums)(*arguments))
    yield _is_gradient(at, ad.jit(ad.grad(at.weighted, at.argnums))(*arguments))


def _is_gradient(at: Subject, got: Arrays) -> Comparison:
    # A part that is zero but for rounding is measured by the whole.
    return Comparison(got, at.gradient, "gradient", whole=at.gradient)


def agrees_with_eager() -> Callable[[OperationSubject], Difference | None]:
    """A judge of whether the gradient of a jitted program is that of the program.

    A program is compiled once for each variant of the options, with points and cotangents as arguments, and is then
    called at all points: compiling takes much longer than all the rest.
    """
    known: dict[tuple[int, bool], tuple[Program, Program]] = {}

    def comparisons(at: OperationSubject) -> Iterator[Comparison]:
        # Shapes and options are constants of a compiled program; points and cotangents are not.
        key = at.sample.variant, at.sample.single
        if key not in known:
            known[key] = at.ad.grad(at.ad.jit(at.weighted), at.argnums), at.ad.grad(at.weighted, at.argnums)
        got, expected = (gradient(*at.primals, *at.cotangents) for gradient in known[key])
        yield Comparison(got, expected, "gradient", whole=expected)

    return EqualityLaw(comparisons)
