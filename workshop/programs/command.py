"""`python -m workshop programs`: generated programs, run on engines that are wrong in one way."""

from __future__ import annotations

import sys
from collections import Counter
from collections.abc import Iterable, Sequence
from fnmatch import fnmatch
from pathlib import Path

import click

from workshop import mutant_record
from workshop.mutant_record import KILLED, SURVIVES, MutantOutcome, grouped
from workshop.programs import custom_rule_mutants, null_mutants, reference_mutants, tape_mutants, verb_mutants
from workshop.programs.program_kills import ProgramKill, search_in_fork
from workshop.programs.program_mutant import ProgramMutant

# The share of mutants that is to be killed.
ENOUGH = 0.95
RECORD = Path(__file__).with_name("recorded.json")
SECTION = "programs"


def population() -> dict[str, ProgramMutant]:
    """All mutants by name, equal ones among them."""
    tables = (verb_mutants, tape_mutants, reference_mutants, custom_rule_mutants, null_mutants)
    every = [mutant for table in tables for mutant in table.mutants()]
    by_name = {mutant.name: mutant for mutant in every}
    # Names are keys of the record.
    assert len(by_name) == len(every), "two mutants have one name"
    return by_name


def groups(mutants: Iterable[ProgramMutant]) -> dict[str, list[str]]:
    """The names of mutants by family, as the record has them."""
    return grouped((mutant.family, mutant.name) for mutant in mutants)


@click.group()
def programs() -> None:
    """Run generated programs on engines that are wrong in one way."""


@programs.command()
@click.argument("names", nargs=-1)
@click.option("-n", "--programs", "count", default=20_000, show_default=True, help="Programs at most for each mutant.")
@click.option("--write", is_flag=True, help="Record the outcomes in recorded.json.")
def mutants(names: Sequence[str], count: int, write: bool) -> None:
    """For each mutant (NAMES may be patterns; default: all) the first program that kills it, and the signature.

    Exit status 1 if an equal mutant is killed, or of the others fewer than 95 %.
    """
    every = population()
    if unknown := [name for name in names if not any(fnmatch(known, name) for known in every)]:
        raise click.UsageError(f"no mutant is named {unknown[0]!r}: names are such as {next(iter(every))!r}")
    chosen = [mutant for name, mutant in every.items() if not names or any(fnmatch(name, pattern) for pattern in names)]
    recorded = mutant_record.read_outcomes(RECORD, SECTION, groups(every.values()))
    kills = {}
    for mutant in chosen:
        kill = kills[mutant.name] = search_in_fork(mutant, count)
        click.echo(_line(mutant, kill))
        recorded[mutant.name] = (
            MutantOutcome(KILLED) if kill.signature else MutantOutcome(SURVIVES, f"{count} programs")
        )
        if write:
            mutant_record.write_outcomes(RECORD, SECTION, groups(every.values()), recorded)
    sys.exit(int(not _enough(chosen, kills)))


def _line(mutant: ProgramMutant, kill: ProgramKill) -> str:
    program = f"{kill.kind} {kill.seed} after {kill.programs}: {kill.signature}"
    outcome = program if kill.signature else f"survives {kill.programs}"
    return f"{mutant.name} ({mutant.engine}): {outcome} [{kill.seconds:.1f} s]"


def _enough(chosen: Sequence[ProgramMutant], kills: dict[str, ProgramKill]) -> bool:
    """Print the kills by family. Whether they are enough, and no equal mutant is among them."""
    killed, total = (
        Counter(mutant.family for mutant in chosen if not mutant.equal and (every or kills[mutant.name].signature))
        for every in (False, True)
    )
    equal = sum(bool(kills[mutant.name].signature) for mutant in chosen if mutant.equal)
    for family in total:
        click.echo(f"{family}: {killed[family]} of {total[family]}")
    click.echo(f"{killed.total()} of {total.total()} mutants are killed; {equal} equal mutants are")
    return not equal and killed.total() >= ENOUGH * total.total()
