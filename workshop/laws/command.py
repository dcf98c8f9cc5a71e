"""`python -m workshop laws`: the laws on operations, tried on wrong engines."""

from __future__ import annotations

import random
import sys
from collections.abc import Container, Iterator, Sequence

import click

from conformance.engines import EngineError
from conformance.operations import TABLE
from workshop.laws.equal_rules import NULLS, replaced
from workshop.laws.law_cells import Cells, case_of, every_cell, law_of
from workshop.laws.law_faults import EXEMPT, NEGATIVE_AXIS, WRONG
from workshop.laws.rule_kills import Trying, caught
from workshop.laws.rule_mutants import RuleMutant, population
from workshop.laws.rule_probe import is_wrong
from workshop.laws.rule_users import Users
from workshop.laws.wrong_adapter import families, with_axes, wrong

__all__ = ["laws", "noticed", "pairs", "passes_somewhere", "sampled", "shown", "shown_for_axes", "tried"]

# The engines on which a law is tried for a family, in this order: what the first lacks, another has.
ENGINES = ("reference", "torch_func", "torch", "jax")
REVERSE = "derivatives.reverse_mode_gives_the_derivative"


@click.group()
def laws() -> None:
    """Try the laws on operations on engines that are wrong in one way, or right in another way."""


@laws.command()
@click.option("--sample", type=int, help="So many mutants, drawn from the seed (default: all).")
@click.option("--seed", default=0, show_default=True)
def rules(sample: int | None, seed: int) -> None:
    """Mutants of the reference engine's derivative rules: print those that no cell shows.

    Exit status 1 if they are more than one in a hundred.
    """
    cells = Cells("reference")
    users = Users(cells.adapter, sorted(cells.offered))
    found = list(tried(cells, users, sampled(cells, users, sample, seed)))
    survivors = [one for one in found if not one.cell]
    for one in survivors:
        click.echo(f"no cell shows: {one.mutant} ({one.operations} operations use the rule)")
    click.echo(f"{len(found) - len(survivors)} of {len(found)} mutants are shown by a cell")
    sys.exit(int(100 * len(survivors) > len(found)))


@laws.command()
@click.argument("operations", nargs=-1)
def nulls(operations: Sequence[str]) -> None:
    """Rules replaced by equal ones: print the cells of these operations (default: all) that notice, with status 1."""
    cells = Cells("reference")
    found = [line for null in NULLS for line in noticed(cells, null, operations or sorted(cells.offered))]
    click.echo("".join(f"{line}\n" for line in found) + f"{len(found)} cells notice a null mutant")
    sys.exit(int(bool(found)))


@laws.command()
@click.option("--engine", "engines", multiple=True, default=ENGINES, show_default=True)
@click.option("--law", "chosen", multiple=True, help="This law only. Repeatable.")
def verbs(engines: Sequence[str], chosen: Sequence[str]) -> None:
    """For each law and family, a mutant of an adapter: print the cell that shows it, or why there is none.

    Exit status 1 if cells pass, and none shows the mutant.
    """
    try:
        adapters = [Cells(engine) for engine in engines]
    except EngineError as error:
        raise click.UsageError(str(error)) from None
    unseen = 0
    for law, family in pairs(chosen):
        seen = next(filter(None, (shown(cells, law, family) for cells in adapters)), "")
        passes = bool(seen) or any(passes_somewhere(cells, law, family) for cells in adapters)
        why = EXEMPT.get((law, family), "no cell shows it") if passes else "no cell of these engines passes"
        unseen += why == "no cell shows it" and not seen
        click.echo(f"{law}, {family}: {seen or why}")
    click.echo(f"{unseen} pairs of a law and a family with cells that pass, and without a mutant that is shown")
    sys.exit(int(bool(unseen)))


@laws.command()
@click.option("--engine", "engines", multiple=True, default=ENGINES[:2], show_default=True)
def axes(engines: Sequence[str]) -> None:
    """Operations that are wrong for a negative axis: print those that no cell shows. Exit status 1 if there are any."""
    adapters = [Cells(engine) for engine in engines]
    left = [name for name in with_axes() if not any(shown_for_axes(cells, name) for cells in adapters)]
    click.echo("".join(f"no cell shows: {name}\n" for name in left) + f"{len(left)} of {len(with_axes())}")
    sys.exit(int(bool(left)))


def shown_for_axes(cells: Cells, operation: str) -> str:
    """The cell that passes, and fails where the operation is wrong for a negative axis; empty: there is none."""
    for cell in cells.of(operation, [REVERSE]) if operation in cells.offered else ():
        if cells.passes(cell):
            with wrong(cells.adapter, (operation,), NEGATIVE_AXIS):
                if cells.failure(cell):
                    return cell
    return ""


def sampled(cells: Cells, users: Users, count: int | None, seed: int) -> list[RuleMutant]:
    """Mutants of rules that operations use, and that are wrong somewhere: all, or so many of them."""
    every = [mutant for mutant in population() if users.of(mutant)]
    random.Random(seed).shuffle(every)
    wrong_ones = (one for one in every if is_wrong(cells.adapter, one, users.calls[id(one.rule)]))
    return [one for one, _ in zip(wrong_ones, range(count if count is not None else len(every)), strict=False)]


def tried(cells: Cells, users: Users, mutants: Sequence[RuleMutant]) -> Iterator[Trying]:
    """What came of each mutant."""
    return (caught(cells, users, mutant) for mutant in mutants)


def noticed(cells: Cells, null: str, operations: Sequence[str]) -> Iterator[str]:
    """The cells of these operations that have another outcome with equal rules."""
    for cell in (cell for operation in operations for cell in cells.of(operation)):
        right = cells.passes(cell)
        with replaced(NULLS[null]):
            outcome = cells.outcome(cell)
        if right and outcome.verdict.value != "pass":
            yield f"{cell}, rules {null}: {outcome.verdict.value} {outcome.message}"


def pairs(laws: Container[str] = ()) -> list[tuple[str, str]]:
    """The laws (default: all), and for each the families of the operations that it concerns."""
    found = dict.fromkeys((law_of(cell), TABLE[case_of(cell)].group) for cell in every_cell())
    return [pair for pair in found if not laws or pair[0] in laws]


def shown(cells: Cells, law: str, family: str) -> str:
    """A cell of the law that passes, and fails on a mutant for the family; empty: there is none on this adapter."""
    operations = frozenset(families()[family])
    for cell in _cells(cells, law, family):
        if cells.passes(cell):
            with wrong(cells.adapter, operations, WRONG[law]):
                if cells.failure(cell):
                    return f"{cell} on {cells.adapter.name}"
    return ""


def passes_somewhere(cells: Cells, law: str, family: str) -> bool:
    """Whether a cell of the law passes for an operation of the family."""
    return any(map(cells.passes, _cells(cells, law, family)))


def _cells(cells: Cells, law: str, family: str) -> Iterator[str]:
    operations = cells.offered.intersection(families()[family])
    return (cell for cell in every_cell() if law_of(cell) == law and case_of(cell) in operations)
