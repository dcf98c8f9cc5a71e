"""Probes of mutants of rules: their derivatives beside those of the rule, which shows the mutants that are equal."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from typing import Any, TypeAlias

import numpy

from conformance.laws.differences import one_sided_agree
from reference_engine.core.primitive import Primitive
from workshop.laws.rule_mutants import RuleFault, RuleMutant
from workshop.laws.rule_users import Call

NumPyArray: TypeAlias = "numpy.ndarray[Any, Any]"
LARGE = 100.0


def is_wrong(adapter: Any, mutant: RuleMutant, calls: Sequence[Call]) -> bool:
    """Whether a first or second derivative of the mutant is another than the rule's, at a point of its kind.

    That is where the operation has a derivative: a mutant that is wrong at a kink only, and in both modes, follows
    another convention. The points are those of calls of the rule, with an element put where the mutant is wrong.
    """
    fault = mutant.fault
    for args, options in (at for call in calls if _is_moderate(call) for at in _placed(mutant.fault, call)):
        probe = _Probe(adapter, fault.rule.primitive, args, options)
        if fault.argument in probe.free and (not fault.point or probe.is_smooth()):
            right = probe.derivatives()
            with mutant.change(adapter):
                wrong = probe.derivatives()
            if any(_differ(x, y) for x, y in zip(right, wrong, strict=True)):
                return True
    return False


def _is_moderate(call: Call) -> bool:
    """Whether differences can be taken: beside very large numbers all others are lost."""
    return all(numpy.max(numpy.abs(x), initial=0) < LARGE for x in call[0] if isinstance(x, numpy.ndarray))


def _differ(right: float | None, wrong: float | None) -> bool:
    if right is None or wrong is None or not numpy.isfinite(right):
        return False
    # `not <=`, so that NaN differs.
    return not abs(right - wrong) <= 1e-9 * (1 + abs(right))


def _placed(fault: RuleFault, call: Call) -> Iterator[Call]:
    """The call, with one element of the argument at a special point."""
    args, options = call
    if not fault.point or fault.argument >= len(args) or not isinstance(args[fault.argument], numpy.ndarray):
        yield call
        return
    x = args[fault.argument]
    others = [y for at, y in enumerate(args) if at != fault.argument and getattr(y, "shape", None) == x.shape]
    # A random argument is never at a special point: an element is moved there.
    for value in _specials(fault.point, x, others):
        moved = x.copy()
        moved.reshape(-1)[:1] = value
        yield [moved if at == fault.argument else y for at, y in enumerate(args)], options


def _specials(point: str, x: NumPyArray, others: Sequence[NumPyArray]) -> list[Any]:
    if not x.size or x.dtype.kind not in "fc":
        return []
    first, last = x.reshape(-1)[0], x.reshape(-1)[-1]
    return {
        "zero": [0.0],
        "a negative zero": [-0.0],
        "an integer": [1.0, 2.0, -1.0],
        "a negative number": [-abs(first)],
        "a repeated value": [last] if x.size > 1 else [],
        "a tie of two arguments": [y.reshape(-1)[0] for y in others],
    }[point]


class _Probe:
    """A primitive at a point, as a function of the arrays among its arguments to a number."""

    def __init__(self, adapter: Any, primitive: Primitive, args: list[Any], options: dict[str, Any]) -> None:
        self.ad, self.primitive, self.args, self.options = adapter, primitive, args, options
        self.free = [at for at, x in enumerate(args) if isinstance(x, numpy.ndarray) and x.dtype.kind in "fc"]
        # The same directions for the rule and its mutant.
        random = numpy.random.default_rng(0)
        self.points = [self.args[at] for at in self.free]
        self.along = [random.uniform(0.5, 1.0, x.shape).astype(x.dtype) for x in self.points]

    def program(self, *xs: Any) -> Any:
        """The sum of the result's elements, each times a number."""
        free = dict(zip(self.free, xs, strict=True))
        z = self.primitive(*(free.get(at, x) for at, x in enumerate(self.args)), **self.options)
        parts = [z]
        if self.ad.dtype_of(z).startswith("complex"):
            parts = [self.ad.np.real(z), self.ad.np.imag(z)]
        weights = numpy.random.default_rng(1).uniform(0.5, 1.0, (len(parts), *z.shape))
        return sum(self.ad.np.sum(part * self.ad.array(w.tolist())) for part, w in zip(parts, weights, strict=True))

    def is_smooth(self) -> bool:
        """Whether the derivatives to both sides agree."""

        def value(t: float) -> float:
            moved = (x + t * v for x, v in zip(self.points, self.along, strict=True))
            return float(self.ad.to_numpy(self.program(*(self._array(x) for x in moved))))

        with numpy.errstate(all="ignore"):
            return bool(one_sided_agree(value))

    def derivatives(self) -> list[float | None]:
        """The first derivative by each mode, and the derivative of that; None where it raises an error."""
        with numpy.errstate(all="ignore"):
            return [
                self._derivative(program)
                for mode in (self._reverse, self._forward)
                for program in (mode(self.program), self._reverse(mode(self.program)))
            ]

    def _derivative(self, program: Callable[..., Any]) -> float | None:
        try:
            return float(numpy.real(self.ad.to_numpy(program(*map(self._array, self.points)))))
        except Exception:  # an operation without a derivative, or of second order
            return None

    def _reverse(self, program: Callable[..., Any]) -> Callable[..., Any]:
        def derivative(*xs: Any) -> Any:
            gradients = self.ad.grad(program, tuple(range(len(xs))))(*xs)
            parts = [self.ad.np.sum(g * self._array(v)) for g, v in zip(gradients, self.along, strict=True)]
            return sum(self.ad.np.real(part) if self._is_complex(part) else part for part in parts)

        return derivative

    def _forward(self, program: Callable[..., Any]) -> Callable[..., Any]:
        return lambda *xs: self.ad.jvp(program, xs, tuple(map(self._array, self.along)))[1]

    def _is_complex(self, x: Any) -> bool:
        return bool(self.ad.dtype_of(x).startswith("complex"))

    def _array(self, x: NumPyArray) -> Any:
        return self.ad.array(x.tolist(), str(x.dtype))
