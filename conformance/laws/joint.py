"""Joint functions: of an engine that compiles, one function that returns all quantities of an operation.

It takes point, directions and cotangents as arguments, so it is compiled once for each variant of the options and each
shape, and then called at every point: compiling takes a thousand times as long as a call.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from conformance.laws.kept import kept
from conformance.laws.quantity import QUANTITIES, Quantity, Tree, leaves, with_leaves
from conformance.protocol import Joint
from conformance.protocol.types import Array

# The directions that quantities take from their subject.
DIRECTIONS = (0, 1)


class JointFunction:
    """Quantities of subjects that differ from `subject` in numbers only.

    What cannot be traced is left out: it is computed alone, where its error is that of the engine.
    """

    def __init__(self, subject: Any, joint: Joint, quantities: Sequence[Quantity]) -> None:
        self._subject, self._joint = subject, joint
        # Numbers of the right shapes, where those of another quantity are asked for. What has none is computed alone.
        extras = {wanted: _extras_or_none(subject, wanted) for wanted in quantities}
        self.quantities = [wanted for wanted, arrays in extras.items() if arrays is not None]
        self.extras = {wanted.name: arrays for wanted, arrays in extras.items() if arrays}
        self._trees: dict[str, Tree] = {}
        self._function = joint.compile(self._compute)

    def halves(self) -> list[JointFunction]:
        """The same as two functions; none of a single quantity."""
        middle = len(self.quantities) // 2
        parts = (self.quantities[:middle], self.quantities[middle:]) if middle else ()
        return [JointFunction(self._subject, self._joint, part) for part in parts]

    def _compute(
        self,
        primals: Sequence[Array],
        others: Sequence[Array],
        directions: Sequence[Sequence[Array]],
        cotangents: Sequence[Array],
        extras: dict[str, Sequence[Array]],
    ) -> dict[str, list[Array]]:
        along = dict(zip(DIRECTIONS, directions, strict=True))
        results = {}
        for wanted in self.quantities:
            # The plain adapter: a verb that one quantity lacks is no fact about the cell that is judged now.
            at = self._subject.bound(self._joint.adapter, primals, others, along, cotangents)
            try:
                tree = list(wanted.compute(at, *extras.get(wanted.name, ())))
                results[wanted.name] = list(leaves(tree))
            except Exception:  # anything may come out of an engine
                continue
            self._trees[wanted.name] = tree
        return results

    def results(self, subject: Any, extras: dict[str, Sequence[Array]]) -> dict[str, Tree]:
        """The quantities at a subject. Raises what the engine raises when it compiles or runs them."""
        along = [subject.directions(number) for number in DIRECTIONS]
        arrays = self._function(subject.primals, subject.other_primals, along, subject.cotangents, self.extras | extras)
        return {name: with_leaves(self._trees[name], iter(result)) for name, result in arrays.items()}


def jointly(subject: Any, joint: Joint, quantity: Quantity, extras: Sequence[Any]) -> Tree | None:
    """A quantity of a subject by the joint function; None where it has to be computed alone."""
    known = subject.known
    if quantity.name in known and not extras:
        return known[quantity.name]
    functions = _functions(subject, joint)
    numbers = tuple(map(subject.array, extras)) or _extras_or_none(subject, quantity)
    while numbers is not None and (function := functions.get(quantity.name)):
        try:
            results = function.results(subject, {quantity.name: numbers} if numbers else {})
        except Exception:
            # Too large for the compiler, or a quantity that it cannot take: that half is looked for. Of a single one
            # nothing is left, so that it is computed alone.
            for wanted in function.quantities:
                functions.pop(wanted.name)
            functions.update((wanted.name, half) for half in function.halves() for wanted in half.quantities)
        else:
            # Of other quantities with extras, those were another subject's.
            known |= {name: tree for name, tree in results.items() if name not in function.extras}
            return results.get(quantity.name)
    return None


def _functions(subject: Any, joint: Joint) -> dict[str, JointFunction]:
    """The function that has each quantity: the same for all, unless it had to be split."""
    kept_functions = kept(subject, "joint functions")
    # Double precision is the default.
    dtype = None if subject.dtype == "float64" else subject.dtype
    key = subject.sample.variant, dtype, tuple(x.shape for x in subject.point)
    if key not in kept_functions:
        concerned = [
            wanted
            for _, wanted in sorted(QUANTITIES.items())
            if wanted.concerns(subject) and (not dtype or wanted.typed)
        ]
        function = JointFunction(subject, joint, concerned)
        kept_functions[key] = {wanted.name: function for wanted in function.quantities}
    functions: dict[str, JointFunction] = kept_functions[key]
    return functions


def extras_of(subject: Any, quantity: Quantity) -> tuple[Array, ...]:
    """The extras of a quantity as arrays of the engine."""
    return tuple(map(subject.array, quantity.extras(subject)))


def _extras_or_none(subject: Any, quantity: Quantity) -> tuple[Array, ...] | None:
    try:
        return extras_of(subject, quantity)
    except Exception:  # from the engine, or from what a dtype cannot hold
        return None
