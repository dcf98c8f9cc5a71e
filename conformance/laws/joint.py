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
        extras = {wanted: _extras_or_none(subject, joint, wanted) for wanted in quantities}
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

    def results(self, subject: Any, asked: dict[str, Sequence[Array]]) -> dict[str, Sequence[Array]]:
        """The arrays of all quantities at a subject, with the extras that are asked for.

        Raises what the engine raises when it compiles or runs them.
        """
        points = subject.point, subject.other_point(), *map(subject.direction, DIRECTIONS)
        primals, others, *along = (_arrays(subject, self._joint, xs) for xs in points)
        extras = self._extras_of(subject) | asked
        arrays = self._function(primals, others, along, subject.cotangents, self.extras | extras)
        return {name: array for name, array in arrays.items() if name in extras or name not in self.extras}

    def _extras_of(self, subject: Any) -> dict[str, Sequence[Array]]:
        """The subject's own extras, where these have the shapes for which the function is compiled."""
        extras: dict[str, Sequence[Array]] = {}
        for wanted in self.quantities:
            if expected := self.extras.get(wanted.name):
                arrays = _extras_or_none(subject, self._joint, wanted)
                if arrays is not None and [x.shape for x in arrays] == [x.shape for x in expected]:
                    extras[wanted.name] = arrays
        return extras

    def tree(self, name: str, arrays: Sequence[Array]) -> Tree:
        """A quantity, of its arrays."""
        return with_leaves(self._trees[name], iter(arrays))


def jointly(subject: Any, joint: Joint, quantity: Quantity, extras: Sequence[Any]) -> Tree | None:
    """A quantity of a subject by the joint function; None where it has to be computed alone."""
    functions = _functions(subject, joint)
    asked: dict[str, Sequence[Array]] = {quantity.name: _arrays(subject, joint, extras)} if extras else {}
    while function := functions.get(quantity.name):
        results = None if asked else subject.known.get(function)
        if results is None:
            try:
                results = function.results(subject, asked)
            except Exception:
                # Too large for the compiler, or a quantity that it cannot take: that half is looked for. Of a single
                # one nothing is left, so that it is computed alone.
                for wanted in function.quantities:
                    functions.pop(wanted.name)
                functions.update((wanted.name, half) for half in function.halves() for wanted in half.quantities)
                continue
            if not asked:
                subject.known[function] = results
        return function.tree(quantity.name, results[quantity.name]) if quantity.name in results else None
    return None


def _functions(subject: Any, joint: Joint) -> dict[str, JointFunction]:
    """The function that has each quantity: the same for all that are asked alike, unless it had to be split."""
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
        kept_functions[key] = {}
        for asked in {wanted.asked: None for wanted in concerned}:
            function = JointFunction(subject, joint, [wanted for wanted in concerned if wanted.asked == asked])
            kept_functions[key] |= dict.fromkeys((wanted.name for wanted in function.quantities), function)
    functions: dict[str, JointFunction] = kept_functions[key]
    return functions


def _arrays(subject: Any, joint: Joint, numbers: Sequence[Any]) -> tuple[Array, ...]:
    return tuple(joint.array(x, subject.dtype) for x in numbers)


def _extras_or_none(subject: Any, joint: Joint, quantity: Quantity) -> tuple[Array, ...] | None:
    """The extras of a quantity as arguments; None where they cannot be had."""
    try:
        return _arrays(subject, joint, quantity.extras(subject))
    except Exception:  # from the engine, or from what a dtype cannot hold
        return None
