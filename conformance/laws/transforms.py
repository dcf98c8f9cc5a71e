"""Transforms that change no derivative: compilation, and recomputation in a checkpoint."""

from __future__ import annotations

from collections.abc import Iterator

from conformance.laws.law import Comparison, EqualityLaw
from conformance.laws.subject import Subject
from conformance.protocol.types import Arrays


@EqualityLaw.of_operations
def checkpointed(at: Subject) -> Iterator[Comparison]:
    """Under checkpointing the gradient is the same."""
    yield _is_gradient(at, at.ad.grad(at.ad.checkpoint(at.scalar), at.argnums)(*at.primals))


@EqualityLaw.of_operations
def compiled(at: Subject) -> Iterator[Comparison]:
    """Compiled inside and outside, the gradient is the same."""
    ad, arguments = at.ad, (*at.primals, *at.cotangents)
    yield _is_gradient(at, ad.grad(ad.jit(at.weighted), at.argnums)(*arguments))
    yield _is_gradient(at, ad.jit(ad.grad(at.weighted, at.argnums))(*arguments))


def _is_gradient(at: Subject, got: Arrays) -> Comparison:
    # A part that is zero but for rounding is measured by the whole.
    return Comparison(got, at.gradient, "gradient", whole=at.gradient)
