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
    """The quantities of subjects that differ from `subject` in numbers only.

    What cannot be traced is left out: it is computed alone, where its error is that of the engine.
    """

    def __init__(self, subject: Any, joint: Joint) -> None:
        self._subject, self._adapter = subject, joint.adapter
        self._quantities = [
            wanted
            for _, wanted in sorted(QUANTITIES.items())
            if wanted.concerns(subject) and (subject.dtype in (None, "float64") or wanted.typed)
        ]
        # Numbers of the right shapes, where those of another quantity are asked for.
        extras = ((wanted.name, extras_of(subject, wanted)) for wanted in self._quantities)
        self.extras = {name: arrays for name, arrays in extras if arrays}
        self._trees: dict[str, Tree] = {}
        self._function = joint.compile(self._compute)

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
        for wanted in self._quantities:
            # The plain adapter: a verb that one quantity lacks is no fact about the cell that is judged now.
            at = self._subject.bound(self._adapter, primals, others, along, cotangents)
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
    functions = kept(subject, "joint functions")
    # Double precision is the default.
    dtype = None if subject.dtype == "float64" else subject.dtype
    key = subject.sample.variant, dtype, tuple(x.shape for x in subject.point)
    known = subject.known
    if quantity.name in known and not extras:
        return known[quantity.name]
    try:
        if key not in functions:
            functions[key] = JointFunction(subject, joint)
        if functions[key] is None:
            return None
        numbers = tuple(map(subject.array, extras)) or extras_of(subject, quantity)
        results = functions[key].results(subject, {quantity.name: numbers} if numbers else {})
    except Exception:
        # The whole function is of no use, as where a compiler fails: each quantity is computed alone.
        functions[key] = None
        return None
    # Of other quantities with extras, those were another subject's.
    known |= {name: tree for name, tree in results.items() if name not in functions[key].extras}
    return results.get(quantity.name)


def extras_of(subject: Any, quantity: Quantity) -> tuple[Array, ...]:
    """The extras of a quantity as arrays of the engine."""
    return tuple(map(subject.array, quantity.extras(subject)))
