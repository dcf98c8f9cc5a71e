"""`python -m workshop mutated`: the checks of behaviours, changed at one or two calls, on an engine."""

from __future__ import annotations

import sys
from collections.abc import Iterable

import click

from conformance.collection import cells
from conformance.engines import EngineError, load, parse
from conformance.protocol import Adapter
from workshop.mutated.calls import Mutation
from workshop.mutated.check import MUTATORS, CheckUnderMutation, MutationFinding
from workshop.mutated.space import MutationSpace, explain, known_findings

REFERENCE = "reference"


@click.command()
@click.argument("ids", nargs=-1)
@click.option("--engine", default=REFERENCE, show_default=True, help="The engine, as for `run`.")
@click.option("--numbers", default="0:", help="A range of mutations, such as 0:20000; default: all of one change.")
def mutated(ids: tuple[str, ...], engine: str, numbers: str) -> None:
    """Run mutated checks on an engine, and print the findings.

    IDS are findings to run again, such as accumulation.uses_of_one_array_add_up#program_checkpointed@1. Exit status 1
    if a finding is new.
    """
    try:
        adapter = load(parse(engine))
        # The reference engine cannot judge itself: only neutral changes are made there.
        reference = None if parse(engine).text == REFERENCE else load(parse(REFERENCE))
    except EngineError as error:
        raise click.UsageError(str(error)) from None
    findings: Iterable[MutationFinding | None]
    if ids:
        parsed = [(cells()[cell], changes) for cell, changes in map(parse_id, ids)]
        findings = [CheckUnderMutation(*check, adapter, reference).apply(changes) for check, changes in parsed]
    else:
        space = MutationSpace(adapter, reference)
        first, _, last = numbers.partition(":")
        findings = space.findings(int(first), int(last) if last else len(space))
    sys.exit(int(_print(filter(None, findings), adapter) > 0))


def parse_id(text: str) -> tuple[str, tuple[Mutation, ...]]:
    """The cell and the changes of a finding's id. Raises UsageError."""
    cell, _, changes = text.partition("#")
    pairs = [change.rpartition("@") for change in changes.split("+")]
    if cell not in cells() or not all(mutator in MUTATORS and place.isdigit() for mutator, _, place in pairs):
        raise click.UsageError(f"{text!r} names no mutation: ids are CELL#MUTATOR@CALL")
    return cell, tuple(Mutation(mutator, int(place)) for mutator, _, place in pairs)


def _print(findings: Iterable[MutationFinding], adapter: Adapter) -> int:
    """Print each finding, and the cause of a known one; the number of new ones."""
    known, new = known_findings(adapter), 0
    for finding in findings:
        entry = explain(finding, known)
        new += entry is None
        outcome = f"known, {entry.cause.name}" if entry else f"got {finding.got}, expected {finding.expected}"
        click.echo(f"{finding.id}: {outcome}")
    click.echo(f"{new} new findings")
    return new
