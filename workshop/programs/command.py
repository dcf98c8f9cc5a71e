"""`python -m workshop programs`: generated programs, tried on engines that are wrong in one way, and on real bugs."""

from __future__ import annotations

import sys
from collections import Counter
from collections.abc import Iterable, Sequence
from fnmatch import fnmatch

import click

from workshop.programs import (
    custom_rule_mutants,
    null_mutants,
    record,
    reference_mutants,
    tape_mutants,
    verb_mutants,
)
from workshop.programs.bugs import page
from workshop.programs.program_kills import Shown, isolated
from workshop.programs.program_mutant import ProgramMutant

__all__ = ["ENOUGH", "population", "programs"]

# The share of mutants that is to be found.
ENOUGH = 0.95


def population() -> dict[str, ProgramMutant]:
    """All mutants by name, null mutants among them."""
    tables = (verb_mutants, tape_mutants, reference_mutants, custom_rule_mutants, null_mutants)
    every = [mutant for table in tables for mutant in table.mutants()]
    found = {one.name: one for one in every}
    assert len(found) == len(every), "two mutants have one name"
    return found


@click.group()
def programs() -> None:
    """Try generated programs on engines that are wrong in one way, and on real bugs."""


@programs.command()
@click.argument("names", nargs=-1)
@click.option("-n", "--programs", "count", default=20_000, show_default=True, help="Programs at most for each mutant.")
@click.option("--write", is_flag=True, help="Record the outcomes in recorded.json.")
def mutants(names: Sequence[str], count: int, write: bool) -> None:
    """For each mutant (NAMES may be patterns; default: all) the first program that shows it, and the signature.

    Exit status 1 if a null mutant is found, or of the others fewer than 95 %.
    """
    every = population()
    if unknown := [name for name in names if not any(fnmatch(one, name) for one in every)]:
        raise click.UsageError(f"no mutant is named {unknown[0]!r}: names are such as {next(iter(every))!r}")
    chosen = [one for one in every.values() if not names or any(fnmatch(one.name, name) for name in names)]
    outcomes = []
    for one in chosen:
        outcomes.append(isolated(one, count))
        click.echo(_line(outcomes[-1]))
        if write:
            record.write(outcomes[-1:], every)
    right = _told(outcomes)
    sys.exit(int(not right))


@programs.command()
def bugs() -> None:
    """Print the table of real bugs that are combinations, and what shows them, as Markdown."""
    click.echo(page(), nl=False)


def _line(one: Shown) -> str:
    found = (
        f"{one.kind} {one.seed} after {one.programs}: {one.signature}" if one.signature else f"not in {one.programs}"
    )
    return f"{one.name} ({one.engine}): {found} [{one.seconds:.1f} s]"


def _told(outcomes: Iterable[Shown]) -> bool:
    """Print how many of each family are found; whether these are enough, and no null mutant is among them."""
    wrong = [one for one in outcomes if one.family != "null"]
    noticed = [one for one in outcomes if one.family == "null" and one.signature]
    found, total = (Counter(one.family for one in wrong if one.signature or every) for every in (False, True))
    for family in total:
        click.echo(f"{family}: {found[family]} of {total[family]}")
    click.echo(f"{found.total()} of {total.total()} mutants are found; {len(noticed)} null mutants are")
    return not noticed and found.total() >= ENOUGH * total.total()
