"""Parts of a derivative: by some of the arguments, and of some of the outputs, beside the whole."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import combinations
from typing import Any

import numpy

from conformance.laws.comparison import Difference, compared, compared_each, first_of
from conformance.laws.operation_subject import OperationSubject
from conformance.laws.quantity import Quantity, gradient, register
from conformance.laws.subject import NumPyArray, Subject
from conformance.operations.row import Operation
from conformance.protocol.types import Array, Arrays

# The operations of which each subset of the arguments is differentiated: of more there are too many.
FEW = (2, 3)
SUBSETS = [chosen for size in range(1, max(FEW)) for chosen in combinations(range(max(FEW)), size)]
# Operations with several outputs that are differentiable.
SEVERAL = (
    "aminmax array_split bidirectional_gru broadcast_arrays chunk dsplit eig eigh eigvals eigvalsh gru gru_without_bias"
    " hsplit lstm lstm_cell lstm_with_projection lu lu_of_tall lu_of_wide meshgrid multi_head_attention"
    " multi_head_attention_of_widths qr qr_of_tall qr_of_wide relu_rnn rnn rnn_of_lengths slogdet split_with_sizes"
    " std_mean svd svd_of_tall svd_of_wide svdvals two_layer_lstm unstack var_mean vsplit"
)
# The most outputs that quantities are made for; each may be complex, and then counts twice.
OUTPUTS = 3


def has_several_arguments(operation: Operation) -> bool:
    """Whether two or three of its arguments are differentiated."""
    return len(operation.differentiated) in FEW


def has_several_outputs(operation: Operation) -> bool:
    """Whether it has several outputs that are numbers."""
    return operation.name in SEVERAL.split()


def _concerns(chosen: Sequence[int]) -> Any:
    def concerns(at: Any) -> bool:
        # All of the arguments are no part of them: theirs is the gradient.
        return has_several_arguments(at.operation) and max(chosen) < len(at.point) != len(chosen)

    return concerns


def _gradient_by(chosen: tuple[int, ...]) -> Quantity:
    def compute(at: Subject) -> Arrays:
        return tuple(at.ad.grad(at.scalar, chosen)(*at.primals))

    return Quantity(f"gradient by arguments {chosen}", compute, concerns=_concerns(chosen))


def _tangent_by(chosen: tuple[int, ...]) -> Quantity:
    """The tangents along a direction of these arguments: of these alone, and with zeros for the others."""

    def compute(at: Subject) -> Arrays:
        directions = at.directions(0)

        def program(*xs: Array) -> Array:
            free = iter(xs)
            return at.scalar(*(next(free) if n in chosen else x for n, x in enumerate(at.primals)))

        alone = at.ad.jvp(program, *(tuple(xs[n] for n in chosen) for xs in (at.primals, directions)))
        zeros = tuple(v if n in chosen else v * 0.0 for n, v in enumerate(directions))
        # A tape's output that no dual number has reached has no tangent.
        return [x * 0.0 if v is None else v for x, v in (alone, at.ad.jvp(at.scalar, at.primals, zeros))]

    return Quantity(f"tangents of arguments {chosen}", compute, concerns=_concerns(chosen))


GRADIENTS_BY = {chosen: register(_gradient_by(chosen)) for chosen in SUBSETS}
TANGENTS_BY = {chosen: register(_tangent_by(chosen)) for chosen in SUBSETS}


def _subsets(subject: OperationSubject) -> list[tuple[int, ...]]:
    return [chosen for chosen in SUBSETS if _concerns(chosen)(subject)]


def agrees_by_subsets(subject: OperationSubject) -> Difference | None:
    """Whether the gradient by some of the arguments is their part of the gradient by all."""
    whole = subject.ask_numbers(gradient)
    return first_of(
        compared_each(
            subject.ask_numbers(GRADIENTS_BY[chosen]), [whole[n] for n in chosen], f"gradient by arguments {chosen}"
        )
        for chosen in _subsets(subject)
    )


def agrees_with_zero_tangents(subject: OperationSubject) -> Difference | None:
    """Whether the JVP along some of the arguments is that with zeros as the tangents of the others."""
    pairs = ((chosen, subject.ask_numbers(TANGENTS_BY[chosen])) for chosen in _subsets(subject))
    return first_of(
        compared(got, expected, f"JVP along arguments {chosen}", subject.rounding) for chosen, (got, expected) in pairs
    )


def of_outputs(chosen: tuple[int, ...]) -> Quantity:
    """The gradient of some outputs, and that of all with zeros as the cotangents of the others."""

    def compute(at: Subject) -> Arrays:
        def alone(*xs: Array) -> Array:
            parts = [part for n, part in enumerate(at.parts(*xs)) if n in chosen]
            # On a tape, an input that no output depends on is an error.
            return sum((at.ad.np.sum(x) * 0.0 for x in xs), at.dot([x for _, x in parts], at.weights(parts)))

        def among_zeros(*xs: Array) -> Array:
            parts = at.parts(*xs)
            weights = [w if n in chosen else w * 0.0 for n, w in enumerate(at.weights(parts))]
            return at.dot([x for _, x in parts], weights)

        return [x for program in (alone, among_zeros) for x in at.ad.grad(program, at.argnums)(*at.primals)]

    def concerns(at: Any) -> bool:
        return has_several_outputs(at.operation) and max(chosen) < _count(at) != len(chosen)

    return Quantity(f"gradient of outputs {chosen}", compute, concerns=concerns)


def _count(at: Any) -> int:
    return sum(2 if output.is_complex else 1 for output in at.outline)


OF_OUTPUTS = [register(of_outputs(chosen)) for size in (1, 2) for chosen in combinations(range(2 * OUTPUTS), size)]


def agrees_of_outputs(subject: OperationSubject) -> Difference | None:
    """Whether the gradient of some outputs, each alone and in pairs, is that with zeros for those of the others.

    And whether those of single outputs add up to the gradient of all.
    """
    halves = {quantity: both_gradients(subject, quantity) for quantity in OF_OUTPUTS if quantity.concerns(subject)}
    wrong = first_of(compared_each(got, expected, of.name) for of, (got, expected) in halves.items())
    # The first of the list are those of a single part.
    singles = [got for of, (got, _) in halves.items() if of in OF_OUTPUTS[: 2 * OUTPUTS]]
    # Of more outputs, some are in no quantity.
    if wrong or len(singles) != _count(subject):
        return wrong
    total = [numpy.sum(parts, axis=0) for parts in zip(*singles, strict=True)]
    return compared_each(total, subject.ask_numbers(gradient), "sum of the gradients of single outputs")


def both_gradients(subject: OperationSubject, quantity: Quantity) -> tuple[list[NumPyArray], list[NumPyArray]]:
    """The gradient of some outputs alone, and that with zeros for the others."""
    xs = subject.ask_numbers(quantity)
    return xs[: len(xs) // 2], xs[len(xs) // 2 :]
