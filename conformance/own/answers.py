"""The answers of laws on a person's function: holds, broken, not supported, not asked, each with its reason."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from typing import Any

import numpy

from conformance import trial
from conformance.behaviour import Behaviour
from conformance.collection import load_all
from conformance.declaration import Declaration
from conformance.laws import LAWS
from conformance.laws.comparison import coarseness
from conformance.laws.judge import Deviation
from conformance.operations.inventory import laws_on
from conformance.operations.samples import Sample
from conformance.own.function import NAME, OwnFunction
from conformance.protocol import Adapter
from conformance.recording_adapter import HarnessError
from conformance.verdicts import Outcome, Verdict

HOLDS, BROKEN, UNSUPPORTED, UNASKED = "holds", "broken", "not supported", "not asked"
# Of a function, nothing but its numbers is known: no convention is documented, and no scale but that of doubles.
LEFT_OUT = (
    "kinks.an_engine_has_one_convention_for_a_kind_of_kink",
    "scale.the_pullback_scales_with_its_cotangent_in_single_precision",
    "scale.the_pullback_scales_with_its_cotangent_in_half_precision",
)
# Laws that compare with the function's own values.
OF_VALUES = (
    "derivatives.",
    "kinks.",
    "own.reverse_mode_gives",
    "cotangents.the_derivative_of_the_pullback",
    "own.the_reference",
)
# What a law differentiates twice, and what it asks of forward mode, by a word of its name.
TWICE = ("_over_", "second", "three_times", "the_derivative_of_the_pullback")
FORWARD = ("forward", "jvp", "tangent", "the_modes_agree")
# The order of laws by which a mistake is explained: the first that is broken is the headline.
PLAIN = ("derivatives.reverse_mode", "derivatives.forward_mode", "own.reverse_mode", "cotangents.", "repeats.", "own.")
# The chapters that the further columns of an engine answer.
OF_TRANSFORMS = ("derivatives", "transforms")


@dataclass(frozen=True)
class Answer:
    """The answer of a law. Of a broken one: what was compared, both sides, the point, and its numbers by argument."""

    law: str
    statement: str
    status: str
    reason: str = ""
    what: str = ""
    got: str = ""
    expected: str = ""
    at: str = ""
    error: str = ""
    numbers: Mapping[str, Any] = field(default_factory=dict)
    remedy: str = ""
    column: str = ""

    @property
    def size(self) -> int:
        """How many numbers its witness has."""
        return sum(int(numpy.size(x)) for x in self.numbers.values())


def place(answer: Answer) -> int:
    """The place among broken laws: what follows from another comes after it."""
    if any(word in answer.law for word in TWICE):
        return len(PLAIN)
    return next((at for at, start in enumerate(PLAIN) if answer.law.startswith(start)), len(PLAIN) + 1)


def laws_of(own: OwnFunction) -> list[Behaviour]:
    """The laws on operations that concern the function."""
    laws = laws_on({NAME: own.operation}, load_all(LAWS))
    return [law for law in laws if law.id not in LEFT_OUT]


def answers(
    columns: Iterable[tuple[Adapter, Declaration]],
    own: OwnFunction,
    laws: Collection[Behaviour],
    reasons: Mapping[str, str],
) -> Iterator[Answer]:
    """The answer of each law, from the first column that has one. `reasons`: why a law is not asked, by its name."""
    first, *others = columns
    for law in laws:
        reason = next((why for name, why in reasons.items() if name in law.id), None)
        if reason is not None:
            status = UNSUPPORTED if reason.startswith(UNSUPPORTED) else UNASKED
            yield Answer(law.id, law.statement, status, reason.removeprefix(f"{UNSUPPORTED}: "))
            continue
        asked = [first, *(others if law.chapter in OF_TRANSFORMS else ())]
        yield min((_answer(column, own, law) for column in asked), key=_rank)


def _rank(answer: Answer) -> int:
    return (BROKEN, HOLDS, UNSUPPORTED, UNASKED).index(answer.status)


def _answer(column: tuple[Adapter, Declaration], own: OwnFunction, law: Behaviour) -> Answer:
    adapter, declaration = column
    token = coarseness.set(own.coarseness)
    try:
        outcome = trial.run(law, adapter, NAME, declaration=declaration)
    finally:
        coarseness.reset(token)
    if outcome.verdict is Verdict.PASS:
        return Answer(law.id, law.statement, HOLDS, column=declaration.name)
    if outcome.verdict in (Verdict.FAIL, Verdict.DIFFERS):
        return _failed(own, law, outcome, declaration.name)
    return Answer(law.id, law.statement, UNASKED, outcome.message, column=declaration.name)


def _failed(own: OwnFunction, law: Behaviour, outcome: Outcome, column: str) -> Answer:
    error = outcome.raised
    witness = outcome.witness
    assert witness is not None
    if not isinstance(error, Deviation):
        text = f"{witness.error}: {witness.text}"
        remedy = next((remedy for phrase, remedy in own.call.functions.remedies.items() if phrase in str(error)), "")
        # An error where a rule is composed with another is clear enough; none is due in plain reverse mode.
        composed = law.chapter == "transforms" or any(word in law.id for word in (*TWICE, *FORWARD))
        if remedy or composed or isinstance(error, NotImplementedError):
            return Answer(law.id, law.statement, UNSUPPORTED, text, remedy=remedy, column=column)
        return Answer(law.id, law.statement, BROKEN, error=text, column=column, numbers=_numbers(own, None))
    sample = error.points[0]
    return Answer(
        *(law.id, law.statement, BROKEN, ""),
        *(witness.what, witness.got, witness.expected, sample.at),
        numbers=_numbers(own, sample),
        column=column,
    )


def _numbers(own: OwnFunction, sample: Sample | None) -> dict[str, Any]:
    values = sample.values if sample else own.call.values
    return {name: x.tolist() for name, x in zip(own.call.names, values, strict=True)}


__all__ = ["BROKEN", "HOLDS", "UNASKED", "UNSUPPORTED", "Answer", "HarnessError", "answers", "laws_of"]
