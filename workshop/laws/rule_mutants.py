"""Mutants of the reference engine's derivative rules: each is wrong in one way, for one argument.

They are generated from the engine's own table of rules. The derivative J of an argument becomes J M, where M
multiplies the elements of the argument: in reverse mode the cotangent is multiplied, in forward mode the tangent. A
rule is patched in the running process, and its source stays as it is.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field
from functools import partial
from typing import Any, TypeAlias

import numpy

from reference_engine import primitives as o
from reference_engine import rules
from reference_engine.core.tensor import Tensor
from reference_engine.rules.families import Diagonal, Elementwise, LinearInMany, LinearRule, Rule
from workshop.mutant import Mutant, by_patch

NumPyArray: TypeAlias = "numpy.ndarray[Any, Any]"
REVERSE, FORWARD, BOTH = "reverse mode", "forward mode", "both modes"


def _repeated(x: NumPyArray, others: Sequence[NumPyArray]) -> NumPyArray:
    flat = x.ravel()
    return numpy.asarray((flat[:, None] == flat[None, :]).sum(0) > 1).reshape(x.shape)


def _tied(x: NumPyArray, others: Sequence[NumPyArray]) -> NumPyArray:
    fitting = [x == y for y in others if numpy.broadcast_shapes(x.shape, y.shape) == x.shape]
    return numpy.any(fitting, axis=0) if fitting else numpy.zeros(x.shape, bool)


REPEATED, NEGATIVE_ZERO = "a repeated value", "a negative zero"
# The kinds of special points, and which elements of an argument are at one; its other arguments are the second operand.
POINTS: dict[str, Callable[[NumPyArray, Sequence[NumPyArray]], NumPyArray]] = {
    "zero": lambda x, others: x == 0,
    NEGATIVE_ZERO: lambda x, others: (x == 0) & numpy.signbit(x.real),
    "an integer": lambda x, others: (x == numpy.round(x.real)) & (x != 0),
    "a negative number": lambda x, others: x.real < 0,
    REPEATED: _repeated,
    "a tie of two arguments": _tied,
}


@dataclass(frozen=True)
class RuleFault:
    """The derivative of one argument, times `factor`: everywhere, or where the argument is at a special point.

    `second`: the first derivative stays right, and how it depends on the arguments is multiplied instead.
    """

    rule: Rule
    argument: int
    factor: float
    mode: str = BOTH
    point: str = ""
    second: bool = False

    @property
    def text(self) -> str:
        """The fault in words."""
        where = f" at {self.point}" if self.point else ""
        what = "how the derivative changes" if self.second else "the derivative"
        return (
            f"{self.rule.primitive.name}, argument {self.argument}: {what}{where} times {self.factor}, in {self.mode}"
        )

    def multiplied(self, value: Any, args: Sequence[Any]) -> Any:
        """A cotangent or tangent of the argument, times the factor."""
        if self.second or value is None:
            return value
        factors = self.factors(args)
        # A product with ones would still be recorded, and could change dtypes.
        if factors is None or not numpy.any(factors != 1):
            return value
        return o.mul(value, factors)

    def factors(self, args: Sequence[Any]) -> Any:
        """The diagonal of M; None where it is unknown, as the numbers are examples of a batch."""
        if not self.point:
            return self.factor
        arrays = [_plain(a) for a in args]
        x = arrays[self.argument] if self.argument < len(arrays) else None
        if x is None:
            return None
        others = [a for number, a in enumerate(arrays) if a is not None and number != self.argument]
        return numpy.where(POINTS[self.point](x, others), self.factor, 1.0).astype(x.real.dtype)

    def varied(self, value: Any) -> Any:
        """An argument whose own derivatives are multiplied, where it is a variable."""
        if not self.second or not isinstance(value, Tensor) or value.array.dtype.kind not in "fc" or value.batches():
            return value
        if not (value.edge() or value.tangents):
            return value
        # The number stays, and its derivatives are multiplied: what the rule computes depends wrongly on it.
        constant = Tensor.of(value.array)
        return constant if not self.factor else constant + self.factor * (value - constant)


def _plain(value: Any) -> NumPyArray | None:
    """The numbers of an argument; None of an example of a batch."""
    if isinstance(value, Tensor):
        return None if value.batches() else value.array
    return numpy.asarray(value) if isinstance(value, (int, float, numpy.ndarray)) else None


@dataclass(frozen=True)
class RuleMutant(Mutant):
    """The reference engine with a fault in a rule."""

    fault: RuleFault = field(kw_only=True)


def rule_mutant(fault: RuleFault) -> RuleMutant:
    """The mutant of a fault."""
    return RuleMutant(fault.text, "reference", fault.text, by_patch(partial(_wrong, fault)), fault.mode, fault=fault)


@contextmanager
def _wrong(fault: RuleFault) -> Iterator[None]:
    _patch(fault)
    try:
        yield
    finally:
        del fault.rule.vjp, fault.rule.jvp
        for formula, saves in fault.rule.__dict__.pop("saved_before"):
            formula.saves = saves


def _patch(fault: RuleFault) -> None:
    rule, argument = fault.rule, fault.argument
    vjp, jvp = rule.vjp, rule.jvp
    count = max(at for at, formula in enumerate(rule.formulas, 1) if formula)
    letters = rule.primitive.letters[:count]

    def wrong_vjp(g: Any, values: dict[str, Any], edges: Any) -> list[Any]:
        args = [values.get(letter) for letter in letters] if fault.point else []
        varied = {name: fault.varied(value) for name, value in values.items()}
        cotangents = list(vjp(g, values, edges))
        if fault.second:
            cotangents[argument] = vjp(g, varied, edges)[argument]
        return [fault.multiplied(value, args) if at == argument else value for at, value in enumerate(cotangents)]

    def wrong_jvp(tangents: Sequence[Any], z: Any, args: Sequence[Any], options: Any) -> Any:
        changed = [fault.multiplied(t, args) if at == argument else t for at, t in enumerate(tangents)]
        if not fault.second or changed[argument] is None:
            return jvp(changed, z, args, options)
        # The tangent is a sum over arguments: only the term of this one depends wrongly on them.
        alone = [t if at == argument else None for at, t in enumerate(changed)]
        others = [t if at != argument else None for at, t in enumerate(changed)]
        wrong = jvp(alone, fault.varied(z), [fault.varied(a) for a in args], options)
        return wrong if not any(t is not None for t in others) else wrong + jvp(others, z, args, options)

    rule.vjp = wrong_vjp if fault.mode != FORWARD else vjp  # type: ignore[method-assign]
    rule.jvp = wrong_jvp if fault.mode != REVERSE else jvp  # type: ignore[method-assign]
    formulas = [formula for formula in rule.formulas if formula]
    rule.saved_before = [(formula, formula.saves) for formula in formulas]  # type: ignore[attr-defined]
    if fault.point:
        # A mutant looks at the numbers of all arguments.
        for formula in formulas:
            formula.saves = list(dict.fromkeys([*formula.saves, *((letter, i) for i, letter in enumerate(letters))]))


def every_rule() -> list[Rule]:
    """The rules of the reference engine, in the order of its tables."""
    return [rule for table in rules._TABLES for rule in table.RULES]


def population() -> list[RuleMutant]:
    """All mutants of all rules."""
    return [rule_mutant(fault) for rule in every_rule() for at in _arguments(rule) for fault in _faults(rule, at)]


def _arguments(rule: Rule) -> range | list[int]:
    if isinstance(rule, LinearInMany):
        return range(2)
    return [at for at, formula in enumerate(rule.formulas) if formula]


# The rules of linear algebra have no masks at single numbers.
MASKED = (rules.elementwise, rules.reductions)


def _faults(rule: Rule, argument: int) -> Iterator[RuleFault]:
    # 1.01 is a wrong coefficient, which only differences see; -1 a wrong sign.
    for mode in (BOTH, FORWARD, REVERSE):
        yield from (RuleFault(rule, argument, factor, mode) for factor in (1.01, -1.0))
    # The rules of linear operations know shapes only.
    if not isinstance(rule, LinearRule):
        for mode in (FORWARD, REVERSE):
            yield from (RuleFault(rule, argument, factor, mode, second=True) for factor in (0.0, 1.01))
        if any(rule in table.RULES for table in MASKED) and rule.names - {"g", "t"}:
            # An elementwise rule does not see other elements, and only elementwise operations have negative zeros.
            left_out = REPEATED if isinstance(rule, (Elementwise, Diagonal)) else NEGATIVE_ZERO
            points = [point for point in POINTS if point != left_out]
            yield from (RuleFault(rule, argument, 0.0, BOTH, point) for point in points)
