"""A mutated check on an engine: what may be changed in it, and the finding if a neutral change shows."""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass, replace
from typing import Any

from conformance.behaviour import Behaviour
from conformance.declaration import Declaration
from conformance.programs.mutated import at_programs, at_values, equivalents, options
from conformance.programs.mutated.at_values import SHOWING
from conformance.programs.mutated.calls import Ad, Call, Change, MutatedAd, Mutator, by_name
from conformance.programs.mutated.code import names_in
from conformance.protocol import Adapter
from conformance.trial import run
from conformance.verdicts import Outcome, Verdict

__all__ = ["MUTATORS", "Finding", "changes_of", "mutated", "shown"]

MUTATORS: Mapping[str, Mutator] = by_name(
    (*at_values.MUTATORS, *at_programs.MUTATORS, *equivalents.MUTATORS, *options.MUTATORS)
)
# Chapters that say what operations save, and when it is freed: every operation shows.
ABOUT_GRAPHS = frozenset({"graph_lifetime", "graphs", "saved_tensors", "versions"})
# What a mutated check may also come to: the engine lacks a verb that was added.
LACKING = (Verdict.ABSENT, Verdict.UNSUPPORTED)


@dataclass(frozen=True)
class Finding:
    """A change that shows. `signature` is the same for findings that look alike: mutators, and kind of difference."""

    cell: str
    changes: tuple[Change, ...]
    signature: str
    got: str
    expected: str

    @property
    def id(self) -> str:
        """`chapter.function[case]#mutator@call`."""
        return f"{self.cell}#{'+'.join(map(str, self.changes))}"


def mutated(behaviour: Behaviour, changes: tuple[Change, ...]) -> Behaviour:
    """The behaviour whose check makes these calls otherwise."""
    by_call = {change.at: MUTATORS[change.mutator] for change in changes}

    def check(ad: Ad, *arguments: Any) -> Any:
        return MutatedAd(ad, by_call).checked(behaviour.check, *arguments)

    return replace(behaviour, check=check)


def changes_of(
    behaviour: Behaviour, adapter: Adapter, case: str | None, declaration: Declaration
) -> tuple[Outcome, list[Change]]:
    """The outcome of a check as it is, and every change that can be made in it on this engine, call by call."""
    names = names_in(behaviour, case)
    if behaviour.chapter in ABOUT_GRAPHS:
        names |= SHOWING
    absent = declaration.absent.keys()
    apt = [one for one in MUTATORS.values() if not one.unless & names and not one.needs & absent]
    found: list[Change] = []

    def watch(number: int, call: Call) -> None:
        found.extend(Change(one.name, number) for one in apt if call.verb in one.verbs and one.fits(call))

    def check(ad: Ad, *arguments: Any) -> Any:
        return MutatedAd(ad, {}, watch).checked(behaviour.check, *arguments)

    outcome = run(replace(behaviour, check=check), adapter, case, declaration=declaration)
    return outcome, sorted(found, key=lambda change: change.at)


def shown(
    behaviour: Behaviour,
    adapter: Adapter,
    case: str | None,
    declaration: Declaration,
    changes: tuple[Change, ...],
    before: Outcome,
) -> Finding | None:
    """The finding, if neutral changes of a check that passes change its outcome."""
    after = run(mutated(behaviour, changes), adapter, case, declaration=declaration)
    if after == before or after.verdict in LACKING or _limited(after, declaration):
        return None
    cell = f"{behaviour.id}[{case}]" if case else behaviour.id
    got, expected = (f"{one.verdict.value} {one.convention or ''} {one.message}" for one in (after, before))
    kinds = "+".join(change.mutator for change in changes)
    return Finding(cell, changes, f"{kinds}: {_kind(after)}", got, expected)


def _limited(outcome: Outcome, declaration: Declaration) -> bool:
    """Whether a documented limitation was met, in place of an error that is asked about."""
    return any(phrase in outcome.message for one in declaration.limitations for phrase in one.programs)


def _kind(outcome: Outcome) -> str:
    """What sort of difference an outcome shows: the error, without what is particular to a check, or other values."""
    if outcome.raised is not None and type(outcome.raised).__name__ != "Mismatch":
        first = str(outcome.raised).strip().split("\n")[0]
        return f"{type(outcome.raised).__name__} {re.sub(r'[0-9]+', '#', first)[:60]}"
    return re.sub(r"got .*", "other values", outcome.message)[:60] if outcome.message else outcome.verdict.value
