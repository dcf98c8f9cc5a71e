"""The answers of laws on a person's function: holds, broken, not supported, not asked, each with its reason."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Any

import numpy

from conformance import trial
from conformance.behaviour import Behaviour
from conformance.collection import load_all
from conformance.declaration import Declaration
from conformance.known_failures import file_of, load
from conformance.laws import LAWS
from conformance.laws.judge import Deviation, until_the_first
from conformance.laws.subject import NumPyArray
from conformance.operations import TABLE
from conformance.operations.inventory import laws_on
from conformance.operations.row import Operation
from conformance.own.function import NAME, OwnFunction, coarse_as
from conformance.own.program import program_of
from conformance.own.shrink import at_numbers, shrunk
from conformance.protocol import Adapter
from conformance.verdicts import Outcome, Verdict

HOLDS, BROKEN, KNOWN, UNSUPPORTED, UNASKED = "holds", "broken", "known", "not supported", "not asked"
# Of a function, nothing but its numbers is known: no convention is documented, and no scale but that of doubles. In
# float16 right formulas underflow near zero: the square of 6e-4; in bfloat16 large numbers cancel.
LEFT_OUT = (
    "precision.float16_agrees_with_double_at_special_points",
    "precision.bfloat16_agrees_with_double_at_special_points",
    "kinks.an_engine_has_one_convention_for_a_kind_of_kink",
    "scale.the_pullback_scales_with_its_cotangent_in_single_precision",
    "scale.the_pullback_scales_with_its_cotangent_in_half_precision",
)
STALE = "take it out of the known breaks"
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
FORWARD = ("forward", "jvp", "_tangent", "the_modes_agree")
# The first derivative at the author's point.
FIRST = ("derivatives.reverse_mode_", "derivatives.forward_mode_", "own.reverse_mode_", "own.the_modes_agree")
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
    program: str = ""
    column: str = ""

    @property
    def size(self) -> int:
        """The number of numbers in its witness."""
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


def answer(
    columns: Sequence[tuple[Adapter, Declaration]], own: OwnFunction, law: Behaviour, reasons: Mapping[str, str]
) -> Answer:
    """The answer of a law: of the columns, the first that says most. `reasons`: why laws are not asked, by name."""
    reason = next((why for name, why in reasons.items() if name in law.id), None)
    if reason is not None:
        status = UNSUPPORTED if reason.startswith(UNSUPPORTED) else UNASKED
        return Answer(law.id, law.statement, status, reason.removeprefix(f"{UNSUPPORTED}: "))
    asked = columns if law.chapter in OF_TRANSFORMS else columns[:1]
    return min((_answer(column, own, law) for column in asked), key=_rank)


def strict(answer: Answer, known: str) -> Answer:
    """The answer where the law is `known` to be broken, for a reason: if it holds, the reason has to go."""
    if known and answer.status == BROKEN:
        return replace(answer, status=KNOWN, reason=known)
    if known and answer.status == HOLDS:
        return replace(answer, status=BROKEN, error=f"the law holds, and is known as broken: {known}", remedy=STALE)
    return answer


def _rank(answer: Answer) -> int:
    return (BROKEN, HOLDS, UNSUPPORTED, UNASKED).index(answer.status)


def _answer(column: tuple[Adapter, Declaration], own: OwnFunction, law: Behaviour) -> Answer:
    adapter, declaration = column
    with coarse_as(own.computed), until_the_first():
        outcome = trial.run(law, adapter, NAME, declaration=declaration)
        if outcome.verdict is Verdict.PASS:
            return Answer(law.id, law.statement, HOLDS, column=declaration.name)
        if outcome.verdict not in (Verdict.FAIL, Verdict.DIFFERS):
            return Answer(law.id, law.statement, UNASKED, outcome.message, column=declaration.name)
        if cause := _engines_cause(adapter, own, law, outcome):
            return Answer(law.id, law.statement, UNASKED, cause, column=declaration.name)
        if not isinstance(outcome.raised, Deviation):
            return _error(column, own, law, outcome)
        return _deviation(column, own, law, outcome.raised)


def _engines_cause(adapter: Adapter, own: OwnFunction, law: Behaviour, outcome: Outcome) -> str:
    """The engine's known failure that the law shows, of an operation in a function without a custom derivative."""
    # First derivatives of an engine are wrong at special points alone: elsewhere the mistake is the author's.
    if law.id.startswith(FIRST):
        return ""
    # Rows of the table have longer names, such as affine_batch_norm_of_rows; a name of a word may be part of any.
    names = [name.strip("_") for name in own.operations]
    used = [row for row in TABLE for name in names if row == name or ("_" in name and f"_{name}_" in f"_{row}_")]
    if not used:
        return ""
    cells = [f"{law.id}[{row}]" for row in used]
    entries = load(file_of(adapter.name), adapter.name, adapter.version, "operations")
    # A message with numbers is of the table's point.
    of_numbers = isinstance(outcome.raised, Deviation)
    known = (
        entry.cause.title
        for entry in entries
        if any(map(entry.concerns, cells)) and (of_numbers or re.search(entry.message, outcome.message))
    )
    return next((f"a known failure of {adapter.name} itself: {title}" for title in known), "")


def _error(column: tuple[Adapter, Declaration], own: OwnFunction, law: Behaviour, outcome: Outcome) -> Answer:
    _, declaration = column
    assert outcome.witness is not None
    text = f"{outcome.witness.error}: {outcome.witness.text}"
    remedy = _remedy(own.call.functions.remedies, str(outcome.raised))
    # An error where a rule is composed with another is clear enough; none is due in plain reverse mode, and from a rule
    # that the author wrote.
    composed = law.chapter == "transforms" or any(word in law.id for word in (*TWICE, *FORWARD))
    composed &= not any(word in law.id for word in own.rules)
    if remedy or composed or isinstance(outcome.raised, NotImplementedError):
        return Answer(law.id, law.statement, UNSUPPORTED, text, remedy=remedy, column=declaration.name)
    return Answer(
        *(law.id, law.statement, BROKEN),
        error=text,
        remedy=_remedy(own.call.functions.hints, text),
        numbers=_numbers(own, own.call.values),
        program=program_of(column, own.call, law, own.operation),
        column=declaration.name,
    )


def _remedy(remedies: Mapping[str, str], message: str) -> str:
    """The remedy of the first phrase whose words are all in a message: between them, versions differ."""
    text = message.lower()
    return next((remedy for words, remedy in remedies.items() if all(x in text for x in words.lower().split())), "")


def _deviation(column: tuple[Adapter, Declaration], own: OwnFunction, law: Behaviour, deviation: Deviation) -> Answer:
    adapter, declaration = column

    def breaks(operation: Operation) -> Deviation | None:
        smaller = replace(law, cases={NAME: (operation,)})
        raised = trial.run(smaller, adapter, NAME, declaration=declaration).raised
        return raised if isinstance(raised, Deviation) and raised.witness.what == deviation.witness.what else None

    # Of each shape, another joint function would be compiled.
    with until_the_first(screened=False):
        deviation = shrunk(deviation, breaks)
        sample, witness = deviation.points[0], deviation.witness
        program = program_of(column, own.call, law, at_numbers(sample, sample.differentiated))
    return Answer(
        *(law.id, law.statement, BROKEN, "", witness.what, witness.got, witness.expected, sample.at),
        numbers=_numbers(own, sample.differentiated),
        program=program,
        column=declaration.name,
    )


def _numbers(own: OwnFunction, values: Sequence[NumPyArray]) -> dict[str, Any]:
    return {name: x.tolist() for name, x in zip(own.call.names, values, strict=True)}
