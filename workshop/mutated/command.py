"""`python -m workshop mutated`: the checks of behaviours, changed at a call, on an engine."""

from __future__ import annotations

import re
import sys
from collections.abc import Iterable, Iterator, Sequence

import click

from conformance import known_failures
from conformance.collection import cells, load_all, select
from conformance.engines import EngineError, load, parse
from conformance.known_causes import KnownFailure
from conformance.protocol import Adapter
from workshop.mutated.calls import Mutation
from workshop.mutated.check import MUTATORS, CheckUnderMutation, MutationFinding


@click.command()
@click.argument("names", nargs=-1)
@click.option("--engine", default="reference", show_default=True, help="The engine, as for `run`.")
def mutated(names: Sequence[str], engine: str) -> None:
    """Run mutated checks on an engine, and print the findings.

    NAMES are chapters, behaviours or cases (default: all), or findings to run again, such as
    accumulation.uses_of_one_array_add_up#program_checkpointed@1. Exit status 1 if a finding is new.
    """
    try:
        adapter = load(parse(engine))
    except EngineError as error:
        raise click.UsageError(str(error)) from None
    changes = [pair for name in names for pair in changes_called(name)] or [(cell, None) for cell in cells()]
    new = 0
    known = known_findings(adapter)
    for finding in findings(adapter, changes):
        entry = explain(finding, known)
        new += entry is None
        outcome = f"known, {entry.cause.name}" if entry else f"got {finding.got}, expected {finding.expected}"
        click.echo(f"{finding.id}: {outcome}")
    click.echo(f"{new} new findings")
    sys.exit(int(new > 0))


def changes_called(name: str) -> list[tuple[str, Mutation | None]]:
    """The cells with a name, each with the change of a finding's id; None is every change. Raises UsageError."""
    cell, mutates, text = name.partition("#")
    mutator, _, place = text.rpartition("@")
    if mutates and cell in cells() and mutator in MUTATORS and place.isdigit():
        return [(cell, Mutation(mutator, int(place)))]
    if mutates or not (chosen := select(load_all(), name)):
        raise click.UsageError(f"{name!r} names no check and no mutation: ids of mutations are CELL#MUTATOR@CALL")
    return [(cell, None) for cell in chosen]


def findings(adapter: Adapter, wanted: Iterable[tuple[str, Mutation | None]]) -> Iterator[MutationFinding]:
    """The findings on an engine among these changes. Checks that are known to fail there admit none."""
    path = known_failures.file_for(adapter.name, str(adapter.known_failures or ""))
    known = known_failures.load(path, adapter.name, adapter.version)
    for cell, change in wanted:
        # By its id alone: a check that fails already cannot judge, and may end the process.
        failing = any(entry.concerns(cell) for entry in known)
        check = CheckUnderMutation(*cells()[cell], adapter, failing)
        yield from filter(None, map(check.apply, [change] if change else check.changes))


def known_findings(engine: Adapter) -> list[KnownFailure]:
    """The known findings of the engine. Raises KnownFailureError."""
    path = known_failures.file_for(engine.name, str(engine.known_failures or ""))
    return known_failures.load(path, engine.name, engine.version, "mutated")


def explain(finding: MutationFinding, known: Iterable[KnownFailure]) -> KnownFailure | None:
    """The entry that lists a finding; None for a new one. Either verdict will do."""
    # One pattern of ids may cover findings of several causes: what was got distinguishes them.
    entries = (entry for entry in known if entry.concerns(finding.id) and re.search(entry.message, finding.got))
    return next(entries, None)
