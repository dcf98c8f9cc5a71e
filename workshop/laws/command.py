"""`python -m workshop laws`: the laws on operations, run on wrong engines."""

from __future__ import annotations

import random
import sys
from collections import Counter
from collections.abc import Container, Iterable, Iterator, Sequence
from functools import cache
from itertools import islice

import click

from conformance.engines import EngineError
from conformance.operations import TABLE
from workshop.laws.equal_rules import EQUAL_RULES
from workshop.laws.family_mutants import axes_mutant, families, law_mutant, with_axes
from workshop.laws.faults_by_law import EXEMPT
from workshop.laws.law_cells import Cells, case_of, every_cell, law_of
from workshop.laws.rule_mutants import RuleMutant, population
from workshop.laws.rule_probe import is_wrong
from workshop.laws.rule_users import Users, kill_of_rule
from workshop.laws.sole_kills import SOLE
from workshop.mutant import Mutant

# The engines on which a law is run for a family, in this order: what the first lacks, another has.
ENGINES = ("reference", "torch_func", "torch", "jax", "torch:compile,backend=eager")
REVERSE = "derivatives.reverse_mode_gives_the_derivative"


@click.group()
def laws() -> None:
    """Run the laws on operations on engines that are wrong in one way, or right in another way."""


@laws.command()
@click.option("--sample", type=int, help="So many mutants, drawn from the seed (default: all).")
@click.option("--seed", default=0, show_default=True)
def rules(sample: int | None, seed: int) -> None:
    """Mutants of the reference engine's derivative rules: print the survivors.

    Exit status 1 if they are more than one in a hundred.
    """
    cells = Cells("reference")
    users = Users(cells.adapter, sorted(cells.offered))
    mutants = sampled(cells, users, sample, seed)
    survivors = [mutant for mutant in mutants if not kill_of_rule(cells, users, mutant)[0]]
    for mutant in survivors:
        click.echo(f"survives: {mutant.name} ({len(users.of(mutant.fault))} operations use the rule)")
    click.echo(f"{len(mutants) - len(survivors)} of {len(mutants)} mutants are killed")
    sys.exit(int(100 * len(survivors) > len(mutants)))


@laws.command()
@click.argument("operations", nargs=-1)
def nulls(operations: Sequence[str]) -> None:
    """Rules replaced by equal ones: print the cells of these operations (default: all) that kill, with status 1."""
    cells = Cells("reference")
    mutants = EQUAL_RULES.values()
    kills = [line for mutant in mutants for line in equal_kills(cells, mutant, operations or sorted(cells.offered))]
    click.echo("".join(f"{line}\n" for line in kills) + f"{len(kills)} cells kill an equal mutant")
    sys.exit(int(bool(kills)))


@laws.command()
@click.option("--engine", "engines", multiple=True, default=ENGINES, show_default=True)
@click.option("--law", "chosen", multiple=True, help="This law only. Repeatable.")
def verbs(engines: Sequence[str], chosen: Sequence[str]) -> None:
    """For each law and family, a mutant of an adapter: print the cell that kills it, or why there is none.

    Exit status 1 if cells pass, and none kills the mutant.
    """
    try:
        adapters = [Cells(engine) for engine in engines]
    except EngineError as error:
        raise click.UsageError(str(error)) from None
    survivors = 0
    # Family by family: an operation of each shows whether the law reaches that kind of operation.
    for law, family in pairs(chosen):
        killer = next(filter(None, (verb_kill(cells, law, family) for cells in adapters)), "")
        passes = bool(killer) or any(passes_somewhere(cells, law, family) for cells in adapters)
        # Where no cell passes, none can fail on the mutant: that is no gap of the law.
        why = EXEMPT.get((law, family), "survives") if passes else "no cell of these engines passes"
        survivors += why == "survives" and not killer
        click.echo(f"{law}, {family}: {killer or why}")
    click.echo(f"{survivors} pairs of a law and a family with cells that pass, of which none kills the mutant")
    sys.exit(int(bool(survivors)))


@laws.command()
@click.option("--engine", "engines", multiple=True, default=ENGINES[:2], show_default=True)
def axes(engines: Sequence[str]) -> None:
    """Operations that are wrong for a negative axis: print the survivors. Exit status 1 if there are any."""
    adapters = [Cells(engine) for engine in engines]
    left = [name for name in with_axes() if not any(axes_kill(cells, name) for cells in adapters)]
    click.echo("".join(f"survives: {name}\n" for name in left) + f"{len(left)} of {len(with_axes())}")
    sys.exit(int(bool(left)))


@laws.command()
def sole() -> None:
    """For each newer law, a mutant that its cells alone are to kill: print the laws that do.

    Exit status 1 if others do, too, or none.
    """
    engines = cache(Cells)
    others = 0
    for law, mutant in SOLE.items():
        killers = mutant.killers(engines(mutant.engine), law)
        others += killers != [law]
        killed = "alone" if killers == [law] else f"by {', '.join(killers) or 'none'}"
        click.echo(f"{law}: {mutant.operation} on {mutant.engine}, {mutant.what(law)}: {killed}")
    click.echo(f"{len(SOLE) - others} of {len(SOLE)} laws kill a mutant alone")
    sys.exit(int(bool(others)))


@laws.command()
def points() -> None:
    """Rows with special points, and reasons of the others: print the counts. Exit status 1 if 5 % have neither."""
    special = [row for row in TABLE.values() if row.special]
    reasons = Counter(row.ordinary for row in TABLE.values() if row.ordinary)
    for reason, count in reasons.most_common():
        click.echo(f"{count:4} rows without special points: {reason}")
    count = sum(len(row.special) for row in special)
    either = len(special) + reasons.total()
    click.echo(f"{len(special)} rows with {count} special points")
    click.echo(f"{either} of {len(TABLE)} rows ({either / len(TABLE):.1%}) have special points or a reason")
    sys.exit(int(either < 0.95 * len(TABLE)))


def first_kill(cells: Cells, mutant: Mutant, candidates: Iterable[str]) -> str:
    """The first of these cells that passes, and fails on the mutant; empty if none does."""
    return next((cell for cell, _ in cells.kills(mutant, candidates)), "")


def axes_kill(cells: Cells, operation: str) -> str:
    """A cell that kills the operation that is wrong for a negative axis; empty if none does."""
    candidates = cells.of(operation, [REVERSE]) if operation in cells.offered else ()
    return first_kill(cells, axes_mutant(operation), candidates)


def sampled(cells: Cells, users: Users, count: int | None, seed: int) -> list[RuleMutant]:
    """Mutants of rules that operations use, and that are wrong somewhere: all, or so many of them."""
    every = [mutant for mutant in population() if users.of(mutant.fault)]
    # Shuffled before they are probed: a sample need not probe all.
    random.Random(seed).shuffle(every)
    wrong = (mutant for mutant in every if is_wrong(cells.adapter, mutant, users.calls[id(mutant.fault.rule)]))
    return list(islice(wrong, count))


def equal_kills(cells: Cells, mutant: Mutant, operations: Sequence[str]) -> Iterator[str]:
    """The cells of these operations that have another outcome with equal rules."""
    for cell in (cell for operation in operations for cell in cells.of(operation)):
        outcome = cells.outcome(cell, mutant)
        # A cell that fails already is no false alarm.
        if cells.passes(cell) and outcome.verdict.value != "pass":
            yield f"{cell}, rules {mutant.name}: {outcome.verdict.value} {outcome.message}"


def pairs(laws: Container[str] = ()) -> list[tuple[str, str]]:
    """The laws (default: all), and for each the families of the operations that it concerns."""
    every = dict.fromkeys((law_of(cell), TABLE[case_of(cell)].group) for cell in every_cell())
    return [pair for pair in every if not laws or pair[0] in laws]


def verb_kill(cells: Cells, law: str, family: str) -> str:
    """A cell of the law that kills the mutant for the family, with the engine; empty if none does on this adapter."""
    cell = first_kill(cells, law_mutant(law, family), _cells(cells, law, family))
    return f"{cell} on {cells.adapter.name}" if cell else ""


def passes_somewhere(cells: Cells, law: str, family: str) -> bool:
    """Whether a cell of the law passes for an operation of the family."""
    return any(map(cells.passes, _cells(cells, law, family)))


def _cells(cells: Cells, law: str, family: str) -> Iterator[str]:
    operations = cells.offered.intersection(families()[family])
    return (cell for cell in every_cell() if law_of(cell) == law and case_of(cell) in operations)
