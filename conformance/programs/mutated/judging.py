"""A check that is mutated: what can be changed in it on an engine, and the finding if a change shows.

Neutral changes are judged by the check's own expectations. Others are judged by the reference engine: the same changed
check runs on both, and what assertions are given is compared.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass, replace
from functools import cache, cached_property
from typing import Any

from conformance.behaviour import Behaviour
from conformance.declaration import Declaration, declared
from conformance.observing import Noted, disagreement
from conformance.programs.mutated import at_programs, at_values, equivalents, options, others
from conformance.programs.mutated.at_values import SHOWING
from conformance.programs.mutated.calls import Ad, MutatedAd, Mutation, Mutator, VerbCall, by_name
from conformance.programs.mutated.code import names_in
from conformance.protocol import Adapter
from conformance.trial import run
from conformance.verdicts import Outcome, Verdict

__all__ = ["MUTATORS", "MutationFinding", "Seed", "mutated", "tried"]

MUTATORS: Mapping[str, Mutator] = by_name(
    (*at_values.MUTATORS, *at_programs.MUTATORS, *equivalents.MUTATORS, *options.MUTATORS, *others.MUTATORS)
)
# Chapters that say what operations save, and when it is freed: every operation shows.
ABOUT_GRAPHS = frozenset({"graph_lifetime", "graphs", "saved_tensors", "versions"})
# Checks whose documented rule makes no change neutral.
ALONE = {
    "custom_rules.a_rule_may_return_none": "None from a rule is a missing gradient, and zeros behind an operation.",
    "jit_compilation.the_pullback_of_a_function_that_branches": "A function that branches on a value is not traced.",
    "checkpointing.the_determinism_check_can_be_switched_off": "Its program does something else when it is run again.",
}
# Chapters with loops until a condition: with other numbers they may not end.
LOOPING = frozenset({"control_flow"})
# Errors that depend on what an operation saves, which is no promise.
UNJUDGED = ("modified by an inplace operation", "modified inplace", "backward through the graph a second time")
# What a mutated check may also come to: the engine lacks a verb that was added.
LACKING = (Verdict.ABSENT, Verdict.UNSUPPORTED)


@dataclass(frozen=True)
class MutationFinding:
    """Changes that show. `signature` is the same for findings that look alike: mutators, and kind of difference."""

    cell: str
    changes: tuple[Mutation, ...]
    signature: str
    got: str
    expected: str

    @property
    def id(self) -> str:
        """`chapter.function[case]#mutator@call`."""
        return f"{self.cell}#{'+'.join(map(str, self.changes))}"


def mutated(behaviour: Behaviour, changes: tuple[Mutation, ...]) -> Behaviour:
    """The behaviour whose check makes these calls otherwise. KeyError for a mutator that there is not."""
    by_call = {change.at: MUTATORS[change.mutator] for change in changes}

    def check(ad: Ad, *arguments: Any) -> Any:
        return MutatedAd(ad, by_call).checked(behaviour.check, *arguments)

    return replace(behaviour, check=check)


def tried(
    engine: Adapter, reference: Adapter | None, behaviour: Behaviour, case: str | None, changes: tuple[Mutation, ...]
) -> MutationFinding | None:
    """The finding, if the changes show on the engine. Without a reference engine only neutral ones are judged."""
    return Seed(behaviour, case, engine, reference).tried(changes)


@dataclass(frozen=True)
class Seed:
    """A check on an engine, which passes there: what it observes, and every change that can be made in it.

    A check that is `known` to fail there is no seed, and is not run: it may crash.
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
        """That of the check as it is."""
        return self._run(self.behaviour, self.engine)[0]

    @cached_property
    def passes(self) -> bool:
        """Whether its expectations can judge."""
        return not self.known and self.outcome.verdict is Verdict.PASS

    @cached_property
    def comparable(self) -> bool:
        """Whether the reference engine passes the check, too, with the same observations."""
        if self.reference is None or not self.passes:
            return False
        if self._run(self.behaviour, self.reference)[0].verdict is not Verdict.PASS:
            return False
        return self._disagreement(self.behaviour) is None

    @cached_property
    def changes(self) -> tuple[Mutation, ...]:
        """Every change that can be made: first the neutral ones, each in the order of the calls."""
        if not self.passes:
            return ()
        apt, found = self._apt(), list[Mutation]()

        def watch(number: int, call: VerbCall) -> None:
            found.extend(Mutation(one.name, number) for one in apt if call.verb in one.verbs and one.fits(call))

        def check(ad: Ad, *arguments: Any) -> Any:
            return MutatedAd(ad, {}, watch).checked(self.behaviour.check, *arguments)

        watched = self._run(replace(self.behaviour, check=check), self.engine)[0]
        assert watched == self.outcome, f"{self.cell}: to watch its calls made it {watched}"
        return tuple(sorted(found, key=lambda change: (not MUTATORS[change.mutator].neutral, change.at)))

    def tried(self, changes: tuple[Mutation, ...]) -> MutationFinding | None:
        """The finding, if the changes show."""
        if not self.passes:
            return None
        if all(MUTATORS[change.mutator].neutral for change in changes):
            return self._shown(changes)
        return self._compared(changes) if self.comparable else None

    def _apt(self) -> list[Mutator]:
        if self.behaviour.id in ALONE:
            return []
        names = names_in(self.behaviour, self.case)
        if self.behaviour.chapter in ABOUT_GRAPHS:
            names |= SHOWING
        absent = _declared(self.engine).absent.keys()
        apt = [one for one in MUTATORS.values() if not one.unless & names and not one.needs & absent]
        neutral_only = self.behaviour.chapter in LOOPING or not self.comparable
        return [one for one in apt if one.neutral] if neutral_only else apt

    def _run(self, behaviour: Behaviour, adapter: Adapter, observed: bool = False) -> tuple[Outcome, list[Noted]]:
        noted: list[Noted] = []
        declaration = _declared(adapter)
        outcome = run(behaviour, adapter, self.case, declaration=declaration, observed=noted if observed else None)
        return outcome, noted

    def _shown(self, changes: tuple[Mutation, ...]) -> MutationFinding | None:
        after = self._run(mutated(self.behaviour, changes), self.engine)[0]
        if after == self.outcome or self._lacks(after, self.engine):
            return None
        got, expected = (f"{one.verdict.value} {one.convention or ''} {one.message}" for one in (after, self.outcome))
        return self._finding(changes, _kind(after), got, expected)

    def _compared(self, changes: tuple[Mutation, ...]) -> MutationFinding | None:
        found = self._disagreement(mutated(self.behaviour, changes))
        if found is None:
            return None
        one, other = found
        kinds = [f"{x.assertion} {'raises' if x.raised else 'values'}" if x else "nothing" for x in found]
        return self._finding(changes, " and ".join(dict.fromkeys(kinds)), str(one), str(other))

    def _disagreement(self, behaviour: Behaviour) -> tuple[Noted | None, Noted | None] | None:
        """Where engine and reference first observe something else; None also where one of them lacks a verb."""
        assert self.reference is not None
        noted = []
        for adapter in (self.reference, self.engine):
            outcome, observed = self._run(behaviour, adapter, observed=True)
            if self._lacks(outcome, adapter) or any(phrase in str(outcome.raised) for phrase in UNJUDGED):
                return None
            noted.append([*observed, Noted("end", raised=outcome.raised is not None)])
        return disagreement(noted[1], noted[0])

    def _lacks(self, outcome: Outcome, adapter: Adapter) -> bool:
        """Whether a verb is missing, or a documented limitation was met, perhaps where another error was asked for."""
        phrases = (phrase for one in _declared(adapter).limitations for phrase in one.programs)
        return outcome.verdict in LACKING or any(phrase in outcome.message for phrase in phrases)

    def _finding(self, changes: tuple[Mutation, ...], kind: str, got: str, expected: str) -> MutationFinding:
        mutators = "+".join(change.mutator for change in changes)
        return MutationFinding(self.cell, changes, f"{mutators}: {kind}", got, expected)


@cache
def _declared(adapter: Adapter) -> Declaration:
    return declared(adapter, checked=False)


def _kind(outcome: Outcome) -> str:
    """What sort of difference an outcome shows: the error, without what is particular to a check, or other values."""
    if outcome.raised is not None and type(outcome.raised).__name__ != "Mismatch":
        first = str(outcome.raised).strip().split("\n")[0]
        return f"{type(outcome.raised).__name__} {re.sub(r'[0-9]+', '#', first)[:60]}"
    return re.sub(r"got .*", "other values", outcome.message)[:60] if outcome.message else outcome.verdict.value
