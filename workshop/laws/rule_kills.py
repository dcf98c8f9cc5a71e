"""Mutants of rules on the laws: which cell shows each of them, and which none shows."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from workshop.laws.law_cells import Cells
from workshop.laws.rule_mutants import FORWARD, RuleMutant, patched
from workshop.laws.rule_users import Users

__all__ = ["Trying", "caught"]

# The laws, those first that show most mutants in the least time.
FIRST = ("derivatives.reverse_mode_gives_the_derivative", "derivatives.forward_mode_gives_the_derivative")
SECOND = (
    "derivatives.reverse_over_reverse_gives_the_second_derivative",
    "derivatives.forward_over_forward_gives_the_second_derivative",
    "derivatives.forward_over_reverse_gives_the_second_derivative",
    "derivatives.reverse_over_forward_gives_the_second_derivative",
)
REST = ("kinks", "complex_inputs", "exact_values", "derivatives.reverse_mode_three_times_gives_the_third_derivative")
# A mutant that is seen at all is seen on one of that many operations that use the rule, the plainest first.
OPERATIONS = 12


@dataclass(frozen=True)
class Trying:
    """What came of a mutant: the cell that shows it and its message, or nothing, and on how many operations."""

    mutant: RuleMutant
    cell: str = ""
    message: str = ""
    operations: int = 0


def caught(cells: Cells, users: Users, mutant: RuleMutant) -> Trying:
    """Try a mutant on the operations that use its rule, up to the first cell that passed and now fails."""
    operations = users.of(mutant)[:OPERATIONS]
    for cell in _cells(cells, mutant, operations):
        if not cells.passes(cell):
            continue
        with patched(mutant):
            message = cells.failure(cell)
        if message:
            return Trying(mutant, cell, message, len(operations))
    return Trying(mutant, operations=len(operations))


def _cells(cells: Cells, mutant: RuleMutant, operations: tuple[str, ...]) -> Iterator[str]:
    first = FIRST[::-1] if mutant.mode == FORWARD else FIRST
    for laws in ((*SECOND, *first, *REST) if mutant.second else (*first, *REST, *SECOND),):
        for operation in operations:
            yield from cells.of(operation, laws)
