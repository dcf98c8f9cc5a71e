"""The operations of the table that use each derivative rule of the reference engine, known from running them."""

from __future__ import annotations

import contextlib
from collections.abc import Iterable, Iterator, Mapping
from contextlib import contextmanager
from typing import Any, TypeAlias

from conformance.laws.compositions import forward, reverse
from conformance.laws.operation_subject import OperationSubject
from conformance.operations import TABLE
from conformance.operations.row import Operation
from conformance.operations.samples import samples
from reference_engine.core.primitive import Primitive
from reference_engine.core.tensor import Tensor
from reference_engine.rules.families import Rule
from workshop.laws.law_cells import Cells
from workshop.laws.rule_mutants import BOTH, FORWARD, REVERSE, RuleFault, RuleMutant, every_rule

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
# The arguments of a primitive, as NumPy's arrays and numbers, and its options.
Call: TypeAlias = tuple[list[Any], dict[str, Any]]
# A rule, by its identity, the number of an argument, and the mode.
Use: TypeAlias = tuple[int, int, str]
# So many calls of each rule are kept.
KEPT = 6


class Users:
    """The operations of an adapter of the reference engine that use each rule; those that use few rules come first."""

    def __init__(self, adapter: Any, operations: Iterable[str]) -> None:
        self.adapter = adapter
        self.calls: dict[int, list[Call]] = {id(rule): [] for rule in every_rule()}
        uses = {name: self._rules(TABLE[name]) for name in operations}
        # What every operation uses, laws use: they multiply and add too.
        laws = frozenset.intersection(*(used for used, _ in uses.values() if used))
        self.rules = {name: used - laws | called for name, (used, called) in uses.items()}

    def of(self, fault: RuleFault) -> tuple[str, ...]:
        """The operations whose first or second derivatives use the rule where it is wrong."""
        rule = fault.rule
        modes = (REVERSE, FORWARD) if fault.mode == BOTH else (fault.mode,)
        uses = {(id(rule), fault.argument, mode) for mode in modes}
        names = [name for name, used in self.rules.items() if used & uses]
        return tuple(sorted(names, key=lambda name: (name != rule.primitive.name, len(self.rules[name]), name)))

    def _rules(self, operation: Operation) -> tuple[frozenset[Use], frozenset[Use]]:
        """The rules that derivatives of the operation use, and those of what the operation itself calls."""
        uses: set[Use] = set()
        called: set[int] = set()
        # Rules at kinks are reached at kinks only.
        for sample in (*samples(operation), *samples(operation, smooth=False, kinks=True)):
            for mode in (reverse, forward):
                used: set[Use] = set()
                # An operation that raises an error is no user.
                with contextlib.suppress(Exception), _watched(used, self.calls):
                    problem = OperationSubject(self.adapter, sample)
                    # Of second order, as rules of second derivatives are those of the operations in first ones.
                    reverse(problem, mode(problem, problem.cubic, 0), 1)(*problem.primals)
                    called |= _called(problem)
                    uses |= used
        return frozenset(uses), frozenset(use for use in uses if use[0] in called)


def kill_of_rule(cells: Cells, users: Users, mutant: RuleMutant) -> tuple[str, str]:
    """The first cell of operations with a mutant's rule that passes and fails on it, with the message; else empty."""
    # The law of the mode that is wrong first: most mutants need a single cell.
    first = FIRST[::-1] if mutant.fault.mode == FORWARD else FIRST
    laws = (*SECOND, *first, *REST) if mutant.fault.second else (*first, *REST, *SECOND)
    candidates = (cell for operation in users.of(mutant.fault)[:OPERATIONS] for cell in cells.of(operation, laws))
    return next(cells.kills(mutant, candidates), ("", ""))


def _called(problem: OperationSubject) -> set[int]:
    """The rules of what the operation itself calls: the laws multiply and add too."""
    called: set[int] = set()
    interpret = Primitive.interpret

    def interpreted(primitive: Primitive, *args: Any) -> Any:
        called.add(id(primitive.rule))
        return interpret(primitive, *args)

    Primitive.interpret = interpreted  # type: ignore[method-assign, assignment]
    try:
        problem.call(*problem.primals)
    finally:
        Primitive.interpret = interpret  # type: ignore[method-assign]
    return called


@contextmanager
def _watched(used: set[Use], calls: Mapping[int, list[Call]]) -> Iterator[None]:
    """Add every rule that computes a derivative to the set, and keep some of its calls."""
    rules = every_rule()
    for rule in rules:
        _watch(rule, used, calls[id(rule)])
    try:
        yield
    finally:
        for rule in rules:
            del rule.vjp, rule.jvp


def _watch(rule: Rule, used: set[Use], calls: list[Call]) -> None:
    vjp, jvp = rule.vjp, rule.jvp

    def watched_vjp(g: Any, values: Any, edges: Any) -> Any:
        cotangents = vjp(g, values, edges)
        used.update((id(rule), at, REVERSE) for at, x in enumerate(cotangents) if x is not None)
        return cotangents

    def watched_jvp(tangents: Any, z: Any, args: Any, options: Any) -> Any:
        used.update((id(rule), at, FORWARD) for at, t in enumerate(tangents) if t is not None)
        if len(calls) < KEPT and all(not x.batches() for x in args if isinstance(x, Tensor)):
            calls.append(([x.array.copy() if isinstance(x, Tensor) else x for x in args], options))
        return jvp(tangents, z, args, options)

    rule.vjp, rule.jvp = watched_vjp, watched_jvp  # type: ignore[method-assign]
