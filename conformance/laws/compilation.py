"""Compiled programs of an operation beside eager ones."""

from __future__ import annotations

from collections.abc import Callable

from conformance.laws.compositions import gradient
from conformance.laws.judge import Judgement, agrees
from conformance.laws.operation_subject import OperationSubject
from conformance.protocol.types import Program

__all__ = ["agrees_with_eager"]


def agrees_with_eager() -> Callable[[OperationSubject], Judgement | None]:
    """A judge of whether the gradient of a jitted program is that of the program.

    A program is compiled once for each variant of the options, with the cotangents of its first point, and is then
    called at the others: compiling takes much longer than all the rest.
    """
    compiled: dict[tuple[int, bool], tuple[Program, Program]] = {}

    def judge(subject: OperationSubject) -> Judgement | None:
        at = subject.sample.variant, subject.sample.single
        if at not in compiled:
            compiled[at] = subject.ad.grad(subject.ad.jit(subject.scalar), subject.argnums), gradient(subject)
        return agrees(subject, *compiled[at])

    return judge
