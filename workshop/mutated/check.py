"""A check under mutation: the changes that it admits on an engine, and whether a change alters its outcome."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace
from functools import cache, cached_property
from typing import Any

from conformance.behaviour import Behaviour
from conformance.declaration import Declaration, declared
from conformance.protocol import Adapter
from conformance.trial import run
from conformance.verdicts import Outcome, Verdict
from workshop.mutated import equivalents, options, program_mutators, value_mutators
from workshop.mutated.calls import Ad, MutatedAd, Mutation, Mutator, VerbCall, by_name
from workshop.mutated.code import names_in
from workshop.mutated.value_mutators import SHOWING

MUTATORS: Mapping[str, Mutator] = by_name(
    mutator for module in (value_mutators, program_mutators, equivalents, options) for mutator in module.MUTATORS
)
# Chapters about what operations save, and when it is freed: any operation that is added shows.
ABOUT_GRAPHS = frozenset({"graph_lifetime", "graphs", "saved_tensors", "versions"})
# Checks whose documented rule makes no change neutral.
UNCHANGED = {
    "custom_rules.a_rule_may_return_none": "None from a rule is a missing gradient, and zeros behind an operation.",
    "jit_compilation.the_pullback_of_a_function_that_branches": "A function that branches on a value is not traced.",
    "checkpointing.the_determinism_check_can_be_switched_off": "Its program does something else when it is run again.",
}
# A mutated check may end so, too: the engine lacks a verb that was added.
LACKING = (Verdict.ABSENT, Verdict.UNSUPPORTED)


@dataclass(frozen=True)
class MutationFinding:
    """A change that alters the outcome of a check."""

    cell: str
    change: Mutation
    got: str
    expected: str

    @property
    def id(self) -> str:
        """`chapter.function[case]#mutator@call`."""
        return f"{self.cell}#{self.change}"


@dataclass(frozen=True)
class CheckUnderMutation:
    """A check on an engine that it passes: its outcome, and every change that it admits.

    A check that is `known` to fail there admits none, and is not run: it may crash.
    """

    behaviour: Behaviour
    case: str | None
    engine: Adapter
    known: bool = False

    @property
    def cell(self) -> str:
        """The id of behaviour and case."""
        return f"{self.behaviour.id}[{self.case}]" if self.case else self.behaviour.id

    @cached_property
    def outcome(self) -> Outcome:
        """The outcome of the unchanged check."""
        return self._run(self.behaviour)

    @cached_property
    def passes(self) -> bool:
        """Whether its expectations can judge."""
        return not self.known and self.outcome.verdict is Verdict.PASS

    @cached_property
    def changes(self) -> tuple[Mutation, ...]:
        """Every change that it admits, in the order of the calls."""
        if not self.passes:
            return ()
        mutators, mutations = self._mutators(), list[Mutation]()

        def watch(number: int, call: VerbCall) -> None:
            fitting = (mutator for mutator in mutators if call.verb in mutator.verbs and mutator.fits(call))
            mutations.extend(Mutation(mutator.name, number) for mutator in fitting)

        def check(ad: Ad, *arguments: Any) -> Any:
            return MutatedAd(ad, watch=watch).call_check(self.behaviour.check, *arguments)

        # Mutators ask arrays for shapes and dtypes: on some engine even that might be seen.
        watched = self._run(replace(self.behaviour, check=check))
        assert watched == self.outcome, f"{self.cell}: watching its calls made it {watched}"
        return tuple(sorted(mutations, key=lambda change: change.at))

    def apply(self, change: Mutation) -> MutationFinding | None:
        """Run the changed check; the finding, if its outcome is altered. KeyError for an unknown mutator."""
        mutator = MUTATORS[change.mutator]

        def check(ad: Ad, *arguments: Any) -> Any:
            return MutatedAd(ad, change.at, mutator).call_check(self.behaviour.check, *arguments)

        after = self._run(replace(self.behaviour, check=check)) if self.passes else self.outcome
        if after == self.outcome or self._lacks(after):
            return None
        return MutationFinding(self.cell, change, *map(_in_words, (after, self.outcome)))

    def _mutators(self) -> list[Mutator]:
        """The mutators that no verb of the check, nor the engine, rules out."""
        if self.behaviour.id in UNCHANGED:
            return []
        names = names_in(self.behaviour, self.case)
        if self.behaviour.chapter in ABOUT_GRAPHS:
            names |= SHOWING
        absent = _declared(self.engine).absent.keys()
        return [mutator for mutator in MUTATORS.values() if not mutator.unless & names and not mutator.needs & absent]

    def _run(self, behaviour: Behaviour) -> Outcome:
        return run(behaviour, self.engine, self.case, declaration=_declared(self.engine))

    def _lacks(self, outcome: Outcome) -> bool:
        """Whether a verb is missing, or a documented limitation was met, perhaps where another error is expected."""
        limitations = _declared(self.engine).limitations
        phrases = (phrase for limitation in limitations for phrase in limitation.programs)
        return outcome.verdict in LACKING or any(phrase in outcome.message for phrase in phrases)


@cache
def _declared(adapter: Adapter) -> Declaration:
    return declared(adapter, checked=False)


def _in_words(outcome: Outcome) -> str:
    return f"{outcome.verdict.value} {outcome.convention or ''} {outcome.message}"
