"""Mutants of the reference engine's derivative rules: each is wrong in one way, for one argument.

They are generated from the engine's own table of rules. The derivative J of an argument becomes J M, where M
multiplies the elements of the argument: in reverse mode the cotangent is multiplied, in forward mode the tangent. A
rule is patched in the running process, and its source stays as it is.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from typing import Any, TypeAlias

import numpy

from reference_engine import primitives as o
from reference_engine import rules
from reference_engine.core.tensor import Tensor
from reference_engine.rules.families import Diagonal, Elementwise, LinearInMany, LinearRule, Rule

__all__ = ["BOTH", "FORWARD", "POINTS", "REVERSE", "RuleMutant", "every_rule", "patched", "population"]

NumPyArray: TypeAlias = "numpy.ndarray[Any, Any]"
REVERSE, FORWARD, BOTH = "reverse mode", "forward mode", "both modes"


def _repeated(x: NumPyArray, others: Sequence[NumPyArray]) -> NumPyArray:
    flat = x.ravel()
    return numpy.asarray((flat[:, None] == flat[None, :]).sum(0) > 1).reshape(x.shape)


def _tied(x: NumPyArray, others: Sequence[NumPyArray]) -> NumPyArray:
    fitting = [x == y for y in others if numpy.broadcast_shapes(x.shape, y.shape) == x.shape]
    return numpy.any(fitting, axis=0) if fitting else numpy.zeros(x.shape, bool)


REPEATED = "a repeated value"
# The kinds of special points, and which elements of an argument are at one; its other arguments are given too.
POINTS: dict[str, Callable[[NumPyArray, Sequence[NumPyArray]], NumPyArray]] = {
    "zero": lambda x, others: x == 0,
    "an integer": lambda x, others: (x == numpy.round(x.real)) & (x != 0),
    "a negative number": lambda x, others: x.real < 0,
    REPEATED: _repeated,
    "a tie of two arguments": _tied,
}


@dataclass(frozen=True)
class RuleMutant:
    """The derivative of one argument, times `factor`: everywhere, or where the argument is at a special point.

    `second`: the first derivative stays right, and how it depends on the arguments is multiplied instead.
    """

    rule: Rule
    argument: int
    factor: float
    mode: str = BOTH
    point: str = ""
    second: bool = False

    def __str__(self) -> str:
        where = f" at {self.point}" if self.point else ""
        what = "how the derivative changes" if self.second else "the derivative"
        return (
            f"{self.rule.primitive.name}, argument {self.argument}: {what}{where} times {self.factor}, in {self.mode}"
        )

    def multiplied(self, value: Any, args: Sequence[Any]) -> Any:
        """A cotangent or tangent of the argument, times what is wrong."""
        if self.second or value is None:
            return value
        factors = self.factors(args)
        if factors is None or not numpy.any(factors != 1):
            return value
        return o.mul(value, factors)

    def factors(self, args: Sequence[Any]) -> Any:
        """The diagonal of M; None where it cannot be told, as the numbers are examples of a batch."""
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
        constant = Tensor.of(value.array)
        return constant if not self.factor else constant + self.factor * (value - constant)


def _plain(value: Any) -> NumPyArray | None:
    """The numbers of an argument; None of an example of a batch."""
    if isinstance(value, Tensor):
        return None if value.batches() else value.array
    return numpy.asarray(value) if isinstance(value, (int, float, numpy.ndarray)) else None


@contextmanager
def patched(*mutants: RuleMutant) -> Iterator[None]:
    """The rules of the mutants are wrong meanwhile. Of one rule, one mutant."""
    for one in mutants:
        _patch(one)
    try:
        yield
    finally:
        for one in mutants:
            del one.rule.vjp, one.rule.jvp
            for formula, saves in one.rule.__dict__.pop("saved_before"):
                formula.saves = saves


def _patch(one: RuleMutant) -> None:
    rule = one.rule
    vjp, jvp = rule.vjp, rule.jvp
    count = max(at for at, formula in enumerate(rule.formulas, 1) if formula)
    letters = rule.primitive.letters[:count]

    def wrong_vjp(g: Any, values: dict[str, Any], edges: Any) -> list[Any]:
        args = [values.get(letter) for letter in letters] if one.point else []
        varied = {name: one.varied(value) for name, value in values.items()}
        found = list(vjp(g, values, edges))
        if one.second:
            found[one.argument] = vjp(g, varied, edges)[one.argument]
        return [one.multiplied(value, args) if at == one.argument else value for at, value in enumerate(found)]

    def wrong_jvp(tangents: Sequence[Any], z: Any, args: Sequence[Any], options: Any) -> Any:
        given = [one.multiplied(t, args) if at == one.argument else t for at, t in enumerate(tangents)]
        if not one.second or given[one.argument] is None:
            return jvp(given, z, args, options)
        alone = [t if at == one.argument else None for at, t in enumerate(given)]
        others = [t if at != one.argument else None for at, t in enumerate(given)]
        wrong = jvp(alone, one.varied(z), [one.varied(a) for a in args], options)
        return wrong if not any(t is not None for t in others) else wrong + jvp(others, z, args, options)

    rule.vjp = wrong_vjp if one.mode != FORWARD else vjp  # type: ignore[method-assign]
    rule.jvp = wrong_jvp if one.mode != REVERSE else jvp  # type: ignore[method-assign]
    formulas = [formula for formula in rule.formulas if formula]
    rule.saved_before = [(formula, formula.saves) for formula in formulas]  # type: ignore[attr-defined]
    if one.point:
        # A mutant looks at the numbers of all arguments.
        for formula in formulas:
            formula.saves = list(dict.fromkeys([*formula.saves, *((letter, i) for i, letter in enumerate(letters))]))


def every_rule() -> list[Rule]:
    """The rules of the reference engine, in the order of its tables."""
    return [rule for table in rules._TABLES for rule in table.RULES]


def population() -> list[RuleMutant]:
    """All mutants of all rules."""
    return [mutant for rule in every_rule() for at in _arguments(rule) for mutant in _of(rule, at)]


def _arguments(rule: Rule) -> range | list[int]:
    if isinstance(rule, LinearInMany):
        return range(2)
    return [at for at, formula in enumerate(rule.formulas) if formula]


# The rules of linear algebra have no masks at single numbers.
MASKED = (rules.elementwise, rules.reductions)


def _of(rule: Rule, argument: int) -> Iterator[RuleMutant]:
    for mode in (BOTH, FORWARD, REVERSE):
        yield from (RuleMutant(rule, argument, factor, mode) for factor in (1.01, -1.0))
    # The rules of linear operations know shapes only.
    if not isinstance(rule, LinearRule):
        for mode in (FORWARD, REVERSE):
            yield from (RuleMutant(rule, argument, factor, mode, second=True) for factor in (0.0, 1.01))
        if any(rule in table.RULES for table in MASKED) and rule.names - {"g", "t"}:
            # An elementwise rule does not see other elements.
            points = [point for point in POINTS if not isinstance(rule, (Elementwise, Diagonal)) or point != REPEATED]
            yield from (RuleMutant(rule, argument, 0.0, BOTH, point) for point in points)
