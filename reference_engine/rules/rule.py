"""A rule: the formulas of one line of a table, and what both modes of differentiation make of them."""

from __future__ import annotations

import inspect
from collections.abc import Callable, Iterable, Sequence
from typing import Any

from .. import primitives as o
from ..core.nodes import Plan, node_class
from ..core.primitive import Primitive
from ..core.tape import conform
from . import writing

Lambda = Callable[..., Any]


class Formula:
    """A lambda of a table, the names of its parameters, and `of`, which calls it with values by these names."""

    def __init__(self, function: Lambda) -> None:
        self.function = function
        self.names = tuple(inspect.signature(function).parameters)

    def of(self, values: dict[str, Any]) -> Any:
        """The formula's value, given those of its parameters among others."""
        return self.function(*[values[name] for name in self.names])


class _Plans(dict[tuple[bool, ...], Plan]):
    """The plans of a rule, by the arguments that require grad, made on first use."""

    def __init__(self, make: Callable[[tuple[bool, ...]], Plan]) -> None:
        self.make = make

    def __missing__(self, requiring: tuple[bool, ...]) -> Plan:
        return self.setdefault(requiring, self.make(requiring))


class Rule:
    """The derivative of one primitive. Each argument has a formula, or None where it has no derivative."""

    by_form = False  # whether x, y, w stand for forms rather than values
    multiplies = False  # whether a cotangent is always a product, and so a new array
    batches = True  # whether the family implies how the primitive is batched

    def __init__(self, primitive: Primitive, formulas: Iterable[Lambda | None]) -> None:
        self.primitive = primitive
        self.formulas = [None if f is None else Formula(f) for f in formulas]
        self.letters = primitive.letters
        used = [f.names for f in self.formulas if f is not None]
        self.names = frozenset(name for names in used for name in names)
        self.names_forms = self.by_form and not self.names.isdisjoint((*self.letters, "xs"))
        self.plans = _Plans(self._plan)
        primitive.rule = self

    def differentiates(self, index: int) -> bool:
        """Whether there is a derivative with respect to the argument at this index."""
        return self.formula(index) is not None

    def formula(self, index: int) -> Formula | None:
        """The formula of one argument; operations on any number of arguments have one for all."""
        return (
            self.formulas[0 if self.letters == "*" else index]
            if index < len(self.formulas) or self.letters == "*"
            else None
        )

    def _plan(self, requiring: tuple[bool, ...]) -> Plan:
        """What to save, and how to pull back, when these arguments require grad."""
        wanted = [i for i, requires in enumerate(requiring) if requires and self.differentiates(i)]
        letters = self._letters_named(wanted)
        return Plan(
            letters=letters,
            keep=writing.keep(self.primitive.name, self.letters, letters) if letters else None,
            pull=self._pull(requiring, wanted, letters),
            makes_new=self.multiplies,
            node_class=node_class(self.primitive, {}) if isinstance(self.primitive.node, str) else None,
            names_forms=self.names_forms,
            gaps=len(wanted) < sum(requiring) or (self.primitive.no_place and not requiring[-1]),
            differentiates=self.differentiates,
        )

    def _letters_named(self, wanted: Sequence[int]) -> list[str]:
        if self.by_form or not wanted:
            return []
        names = {name for i in wanted for name in self.formula(i).names}  # type: ignore[union-attr]
        return [letter for letter in ("z", *self.letters) if letter in names]

    def _pull(self, requiring: Sequence[bool], wanted: Sequence[int], letters: Sequence[str]) -> Lambda:
        """The function that backward calls, written for the wanted arguments."""
        calls = [self._call(i) if i in wanted else "None" for i in range(len(requiring))]
        formulas = {f"formula_{i}": self.formulas[i] for i in wanted}
        names = {name for f in formulas.values() for name in f.names}  # type: ignore[union-attr]
        known = {name: f.function for name, f in formulas.items()}  # type: ignore[union-attr]
        file = f"{self.primitive.name}({', '.join(self.letters[i] for i in wanted)})"
        options = self._options(sorted(names.difference(letters, "g")))
        return writing.pull(file, letters, options, calls, {**known, **_KNOWN})

    def _call(self, index: int) -> str:
        """What the cotangent of an argument is, as an expression."""
        names = self.formulas[index].names  # type: ignore[union-attr]
        return f"formula_{index}({', '.join(self._source(index, name) for name in names)})"

    def _source(self, index: int, name: str) -> str:
        """Where a formula's parameter comes from, as an expression."""
        return name

    def _options(self, names: Iterable[str]) -> dict[str, str]:
        """Where a function finds the options that formulas name, as expressions."""
        return {name: f"options[{name!r}]" for name in names}

    def jvp(self, primitive: Primitive, tangents: list[Any], z: Any, args: Any, options: dict[str, Any]) -> Any:
        """The tangent of the result, given those of the arguments (None where there is none)."""
        values = {"z": z, **dict(zip(self.letters, args, strict=False)), **options}
        parts = [self.push(i, t, values, args) for i, t in enumerate(tangents) if t is not None]
        total = parts[0]
        for part in parts[1:]:
            total = total + part
        return total

    def push(self, index: int, t: Any, values: dict[str, Any], args: Any) -> Any:
        """What the tangent of one argument contributes to the result's."""
        raise NotImplementedError

    def forms(self, forms: Iterable[Any]) -> dict[str, Any]:
        """The forms of the arguments, by the names that formulas have for them."""
        return {"xs": list(forms)} if self.letters == "*" else dict(zip(self.letters, forms, strict=False))


def spread(value: Any, shape: tuple[int, ...], dim: Any, keepdim: bool) -> Any:
    """Repeat a reduced value along the dimensions that the reduction removed."""
    if not keepdim and dim is not None:
        dims = dim if isinstance(dim, tuple) else (dim,)
        removed = {d % len(shape) for d in dims} if shape else set()
        value = o.reshape(value, shape=tuple(1 if i in removed else n for i, n in enumerate(shape)))
    return o.expand(value, shape=shape)


def fitted(node: Any, index: int, g: Any) -> Any:
    """A cotangent in the form of the argument that it is for."""
    target, output = node.edges[index]
    return conform(g, target.forms[output])


_KNOWN = {"conj": o.conj, "spread": spread, "fitted": fitted}  # what families, beside formulas, call in pullbacks


def zero_like(value: Any) -> Any:
    """Zeros of the form of an array, Tensor or number."""
    return o.zero(value) if hasattr(value, "shape") else 0.0
