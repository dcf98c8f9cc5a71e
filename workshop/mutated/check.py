"""A check under mutation: which changes it admits on an engine, and the finding of changes that alter its outcome.

Neutral changes are judged by the check's own expectations. Others are judged by the reference engine: the same changed
check runs on both, and what assertions receive is compared.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass, replace
from functools import cache, cached_property
from typing import Any

from conformance.behaviour import Behaviour
from conformance.declaration import Declaration, declared
from conformance.observations import Noted, disagreement
from conformance.protocol import Adapter
from conformance.trial import run
from conformance.verdicts import Outcome, Verdict
from workshop.mutated import equivalents, options, program_mutators, reference_judged, value_mutators
from workshop.mutated.calls import Ad, MutatedAd, Mutation, Mutator, VerbCall, by_name
from workshop.mutated.code import names_in
from workshop.mutated.value_mutators import SHOWING

MUTATORS: Mapping[str, Mutator] = by_name(
    mutator
    for module in (value_mutators, program_mutators, equivalents, options, reference_judged)
    for mutator in module.MUTATORS
)
# Chapters about what operations save, and when it is freed: any operation that is added shows.
ABOUT_GRAPHS = frozenset({"graph_lifetime", "graphs", "saved_tensors", "versions"})
# Checks whose documented rule makes no change neutral.
UNCHANGED = {
    "custom_rules.a_rule_may_return_none": "None from a rule is a missing gradient, and zeros behind an operation.",
    "jit_compilation.the_pullback_of_a_function_that_branches": "A function that branches on a value is not traced.",
    "checkpointing.the_determinism_check_can_be_switched_off": "Its program does something else when it is run again.",
}
# Chapters with loops until a condition: with other numbers they may not end.
LOOPING = frozenset({"control_flow"})
# Errors that depend on what an operation saves, which is no promise.
UNJUDGED = ("modified by an inplace operation", "modified inplace", "backward through the graph a second time")
# A mutated check may end so, too: the engine lacks a verb that was added.
LACKING = (Verdict.ABSENT, Verdict.UNSUPPORTED)


@dataclass(frozen=True)
class MutationFinding:
    """Changes that alter an outcome. Findings with one `signature` have the same mutators and kind of difference."""

    cell: str
    changes: tuple[Mutation, ...]
    signature: str
    got: str
    expected: str

    @property
    def id(self) -> str:
        """`chapter.function[case]#mutator@call`."""
        return f"{self.cell}#{'+'.join(map(str, self.changes))}"


@dataclass(frozen=True)
class CheckUnderMutation:
    """A check on an engine that it passes: its outcome, and every change that it admits.

    A check that is `known` to fail there admits none, and is not run: it may crash. Without a reference engine only
    neutral changes are judged.
    """

    behaviour: Behaviour
    case: str | None
    engine: Adapter
    reference: Adapter | None = None
    known: bool = False

    @property
    def cell(self) -> str:
        """The id of behaviour and case."""
        return f"{self.behaviour.id}[{self.case}]" if self.case else self.behaviour.id

    @cached_property
    def outcome(self) -> Outcome:
        """The outcome of the unchanged check."""
        return self._run(self.behaviour, self.engine)[0]

    @cached_property
    def passes(self) -> bool:
        """Whether its expectations can judge."""
        return not self.known and self.outcome.verdict is Verdict.PASS

    @cached_property
    def comparable(self) -> bool:
        """Whether the reference engine passes the check, too, and its assertions receive the same."""
        if self.reference is None or not self.passes:
            return False
        if self._run(self.behaviour, self.reference)[0].verdict is not Verdict.PASS:
            return False
        return self._disagreement(self.behaviour) is None

    @cached_property
    def changes(self) -> tuple[Mutation, ...]:
        """Every change that it admits: first the neutral ones, each in the order of the calls."""
        if not self.passes:
            return ()
        mutators, mutations = self._mutators(), list[Mutation]()

        def watch(number: int, call: VerbCall) -> None:
            fitting = (mutator for mutator in mutators if call.verb in mutator.verbs and mutator.fits(call))
            mutations.extend(Mutation(mutator.name, number) for mutator in fitting)

        def check(ad: Ad, *arguments: Any) -> Any:
            return MutatedAd(ad, {}, watch).call_check(self.behaviour.check, *arguments)

        watched = self._run(replace(self.behaviour, check=check), self.engine)[0]
        assert watched == self.outcome, f"{self.cell}: watching its calls made it {watched}"
        return tuple(sorted(mutations, key=lambda change: (not MUTATORS[change.mutator].neutral, change.at)))

    def apply(self, changes: tuple[Mutation, ...]) -> MutationFinding | None:
        """Run the changed check; the finding, if its outcome is altered. KeyError for an unknown mutator."""
        mutators = {change.at: MUTATORS[change.mutator] for change in changes}

        def check(ad: Ad, *arguments: Any) -> Any:
            return MutatedAd(ad, mutators).call_check(self.behaviour.check, *arguments)

        changed = replace(self.behaviour, check=check)
        if all(mutator.neutral for mutator in mutators.values()):
            return self._judge_by_check(changed, changes) if self.passes else None
        return self._judge_by_reference(changed, changes) if self.comparable else None

    def _mutators(self) -> list[Mutator]:
        """The mutators that no verb of the check, nor the engine, rules out."""
        if self.behaviour.id in UNCHANGED:
            return []
        names = names_in(self.behaviour, self.case)
        if self.behaviour.chapter in ABOUT_GRAPHS:
            names |= SHOWING
        absent = _declared(self.engine).absent.keys()
        neutral_only = self.behaviour.chapter in LOOPING or not self.comparable
        judged = (mutator for mutator in MUTATORS.values() if mutator.neutral or not neutral_only)
        return [mutator for mutator in judged if not mutator.unless & names and not mutator.needs & absent]

    def _run(self, behaviour: Behaviour, adapter: Adapter, observed: bool = False) -> tuple[Outcome, list[Noted]]:
        noted: list[Noted] = []
        declaration = _declared(adapter)
        outcome = run(behaviour, adapter, self.case, declaration=declaration, observed=noted if observed else None)
        return outcome, noted

    def _judge_by_check(self, changed: Behaviour, changes: tuple[Mutation, ...]) -> MutationFinding | None:
        after = self._run(changed, self.engine)[0]
        if after == self.outcome or self._lacks(after, self.engine):
            return None
        got, expected = (f"{end.verdict.value} {end.convention or ''} {end.message}" for end in (after, self.outcome))
        return self._finding(changes, _kind(after), got, expected)

    def _judge_by_reference(self, changed: Behaviour, changes: tuple[Mutation, ...]) -> MutationFinding | None:
        pair = self._disagreement(changed)
        if pair is None:
            return None
        kinds = [
            f"{noted.assertion} {'raises' if noted.raised else 'values'}" if noted else "nothing" for noted in pair
        ]
        return self._finding(changes, " and ".join(dict.fromkeys(kinds)), *map(str, pair))

    def _disagreement(self, behaviour: Behaviour) -> tuple[Noted | None, Noted | None] | None:
        """The first assertion at which engine and reference differ; None also where one of them lacks a verb."""
        assert self.reference is not None
        noted = []
        for adapter in (self.reference, self.engine):
            outcome, observed = self._run(behaviour, adapter, observed=True)
            if self._lacks(outcome, adapter) or any(phrase in str(outcome.raised) for phrase in UNJUDGED):
                return None
            noted.append([*observed, Noted("end", raised=outcome.raised is not None)])
        return disagreement(noted[1], noted[0])

    def _lacks(self, outcome: Outcome, adapter: Adapter) -> bool:
        """Whether a verb is missing, or a documented limitation was met, perhaps where another error is expected."""
        phrases = (phrase for limitation in _declared(adapter).limitations for phrase in limitation.programs)
        return outcome.verdict in LACKING or any(phrase in outcome.message for phrase in phrases)

    def _finding(self, changes: tuple[Mutation, ...], kind: str, got: str, expected: str) -> MutationFinding:
        mutators = "+".join(change.mutator for change in changes)
        return MutationFinding(self.cell, changes, f"{mutators}: {kind}", got, expected)


@cache
def _declared(adapter: Adapter) -> Declaration:
    return declared(adapter, checked=False)


def _kind(outcome: Outcome) -> str:
    """The error of an outcome, without what is particular to a check; or that its values differ."""
    if outcome.raised is not None and type(outcome.raised).__name__ != "Mismatch":
        first = str(outcome.raised).strip().split("\n")[0]
        return f"{type(outcome.raised).__name__} {re.sub(r'[0-9]+', '#', first)[:60]}"
    return re.sub(r"got .*", "other values", outcome.message)[:60] if outcome.message else outcome.verdict.value
