"""The first cell of the laws that kills a mutant of a rule."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from workshop.laws.law_cells import Cells
from workshop.laws.rule_mutants import FORWARD, RuleFault, RuleMutant
from workshop.laws.rule_users import Users

# The laws; first those that kill most mutants in the least time.
FIRST = ("derivatives.reverse_mode_gives_the_derivative", "derivatives.forward_mode_gives_the_derivative")
SECOND = (
    "derivatives.reverse_over_reverse_gives_the_second_derivative",
    "derivatives.forward_over_forward_gives_the_second_derivative",
    "derivatives.forward_over_reverse_gives_the_second_derivative",
    "derivatives.reverse_over_forward_gives_the_second_derivative",
)
REST = ("kinks", "complex_inputs", "exact_values", "derivatives.reverse_mode_three_times_gives_the_third_derivative")
# A mutant that any operation kills is killed by one of that many that use the rule, the plainest first.
OPERATIONS = 12


@dataclass(frozen=True)
class RuleKill:
    """The cell that kills a mutant, with its message; without a cell it survives so many operations."""

    mutant: RuleMutant
    cell: str = ""
    message: str = ""
    operations: int = 0


def find_rule_kill(cells: Cells, users: Users, mutant: RuleMutant) -> RuleKill:
    """Run the cells of operations that use a mutant's rule, up to the first that passed and now fails."""
    operations = users.of(mutant.fault)[:OPERATIONS]
    cell, message = next(cells.kills(mutant, _in_order(cells, mutant.fault, operations)), ("", ""))
    return RuleKill(mutant, cell, message, len(operations))


def _in_order(cells: Cells, fault: RuleFault, operations: tuple[str, ...]) -> Iterator[str]:
    # The law of the mode that is wrong first: most mutants need a single cell.
    first = FIRST[::-1] if fault.mode == FORWARD else FIRST
    laws = (*SECOND, *first, *REST) if fault.second else (*first, *REST, *SECOND)
    for operation in operations:
        yield from cells.of(operation, laws)
