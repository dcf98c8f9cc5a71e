"""Families: what one line of a table says about both modes of differentiation.

A rule is a formula whose *parameter names* say what it needs, and hence what is saved for backward:

    g  the cotangent of the result (reverse mode)        z        the result
    t  the tangent of the argument (forward mode)        x, y, w  the arguments, in order (c: a condition)

and any option of the call by its own name. In the linear family ``x`` stands for the *form* of the argument (shape
and dtype), never for its value, so linear operations save nothing.

Every line gives both modes, because the Jacobian of each family has a known shape:

    elementwise   diagonal: multiply by the partial derivative, conjugated in reverse (PyTorch's convention for
                  complex numbers: the cotangent of a real loss points uphill)
    diagonal      the same, as an action: for derivatives that choose rather than multiply (0 * inf is not wanted)
    reduction     one row: multiply by the partial derivative, and sum along the reduced dimensions
    linear        the operation itself forward, its transpose in reverse
    bilinear      linear in each argument: the operation itself forward, one transpose per argument
    others        both modes written out
    constant      derivative zero, but still part of the graph

Results need not match their argument's shape and type exactly: `tape.conform` sums what was broadcast.
"""

from __future__ import annotations

import functools
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
            gaps=len(wanted) < sum(requiring),
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
        return f"formula_{index}({', '.join(self.formulas[index].names)})"  # type: ignore[union-attr]

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


class _Elementwise(Rule):
    """One lambda per argument: the partial derivative."""

    multiplies = True

    def _call(self, index: int) -> str:
        # The partial derivative of a real function is real.
        partial = super()._call(index)
        return f"g * (conj({partial}) if node.is_complex() else {partial})"

    def push(self, index: int, t: Any, values: dict[str, Any], args: Any) -> Any:
        return t * self.formulas[index].of(values)  # type: ignore[union-attr]


class _Diagonal(Rule):
    """One lambda per argument: what becomes of a cotangent, and equally of a tangent, called g."""

    def push(self, index: int, t: Any, values: dict[str, Any], args: Any) -> Any:
        return self.formulas[index].of({**values, "g": t})  # type: ignore[union-attr]


class _Reduction(Rule):
    """One lambda: the partial derivative, given x and the result z spread out to x's shape."""

    multiplies = True

    def _letters_named(self, wanted: Sequence[int]) -> list[str]:
        return ["x", "z"] if "z" in self.names else ["x"]

    def _call(self, index: int) -> str:
        names = ["spread(z, x.shape, dim, keepdim)" if name == "z" else name for name in self.formulas[0].names]  # type: ignore[union-attr]
        return f"spread(g, x.shape, dim, keepdim) * conj(formula_0({', '.join(names)}))"

    def _options(self, names: Iterable[str]) -> dict[str, str]:
        return {name: f"options.get({name!r})" for name in sorted({"dim", "keepdim", *names})}

    def push(self, index: int, t: Any, values: dict[str, Any], args: Any) -> Any:
        values = _with_dims(values)
        return o.sum(t * self._partial(values), dim=values["dim"], keepdim=values["keepdim"])

    def _partial(self, values: dict[str, Any]) -> Any:
        if "z" in values:
            values = {**values, "z": self._spread(values["z"], values)}
        return self.formulas[0].of(_with_dims(values))  # type: ignore[union-attr]

    def _spread(self, value: Any, values: dict[str, Any]) -> Any:
        values = _with_dims(values)
        return spread(value, values["x"].shape, values["dim"], values["keepdim"])


def _with_dims(values: dict[str, Any]) -> dict[str, Any]:
    return {"dim": None, "keepdim": False, **values}


class _Linear(Rule):
    """One lambda per argument (or one for any number of them): the transpose, applied to g."""

    by_form = True

    def __init__(self, primitive: Primitive, formulas: Iterable[Lambda | None], pointwise: bool) -> None:
        super().__init__(primitive, formulas)
        self.pointwise = pointwise

    def _call(self, index: int) -> str:
        call = super()._call(index)
        return call.replace("(g", f"(fitted(node, {index}, g)") if self.pointwise else call

    def _pull(self, requiring: Sequence[bool], wanted: Sequence[int], letters: Sequence[str]) -> Lambda:
        return self._pull_many if self.letters == "*" else super()._pull(requiring, wanted, letters)

    def _pull_many(self, node: Any, g: Any, recording: bool) -> list[Any]:
        values = {**node.options, "g": g}
        return [edge and self.formulas[0].of({**values, "i": i}) for i, edge in enumerate(node.edges)]  # type: ignore[union-attr]

    def jvp(self, primitive: Primitive, tangents: list[Any], z: Any, args: Any, options: dict[str, Any]) -> Any:
        """The operation itself on the tangents, zero where there is none."""
        filled = [
            t if t is not None else zero_like(a) if self.differentiates(i) else a
            for i, (t, a) in enumerate(zip(tangents, args, strict=False))
        ]
        return primitive(*filled, **options)


class _Bilinear(Rule):
    """One lambda per argument: the transpose with respect to it, given g and the values of the others."""

    multiplies = True

    def jvp(self, primitive: Primitive, tangents: list[Any], z: Any, args: Any, options: dict[str, Any]) -> Any:
        """The product rule: each tangent in its argument's place in turn."""
        parts = [primitive(*args[:i], t, *args[i + 1 :], **options) for i, t in enumerate(tangents) if t is not None]
        return parts[0] if len(parts) == 1 else parts[0] + parts[1]


class _Others(Rule):
    """Both modes written out: a list of reverse formulas, and a list of forward ones."""

    batches = False

    def __init__(self, primitive: Primitive, vjps: Iterable[Lambda | None], jvps: Iterable[Lambda | None]) -> None:
        super().__init__(primitive, vjps)
        self.forward = [None if f is None else Formula(f) for f in jvps]
        self.names |= {name for f in self.forward if f is not None for name in f.names}

    def push(self, index: int, t: Any, values: dict[str, Any], args: Any) -> Any:
        return self.forward[index].of({**values, "t": t})  # type: ignore[union-attr]


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


def elementwise(primitive: Primitive, *partials: Lambda | None) -> None:
    """Each argument's partial derivative; None for an argument without one."""
    _Elementwise(primitive, partials)


def diagonal(primitive: Primitive, *actions: Lambda | None) -> None:
    """What becomes of a cotangent or tangent g of each argument, element by element."""
    _Diagonal(primitive, actions)


def reduction(primitive: Primitive, partial: Lambda) -> None:
    """The partial derivative with respect to each element of x, where z has x's shape too."""
    _Reduction(primitive, [partial])


def linear(primitive: Primitive, *transposes: Lambda | None, pointwise: bool = False) -> None:
    """The transpose with respect to each argument; x, y stand for forms (for any number: xs, and i for which).

    If it is `pointwise`, the cotangents of an element that was broadcast may be summed before it is applied.
    """
    _Linear(primitive, transposes, pointwise)


def bilinear(primitive: Primitive, of_x: Lambda, of_y: Lambda) -> None:
    """The transpose with respect to x given y, and with respect to y given x."""
    _Bilinear(primitive, [of_x, of_y])


def others(primitive: Primitive, vjps: Iterable[Lambda | None], jvps: Iterable[Lambda | None]) -> None:
    """Reverse formulas of g, and forward formulas of t, one of each per argument."""
    _Others(primitive, vjps, jvps)


def constant(*primitives: Primitive) -> None:
    """Derivative zero wherever it exists, and by convention where it does not."""
    for primitive in primitives:
        _Diagonal(primitive, [lambda g: zero_like(g)] * 2)


def refused(*primitives: Primitive) -> None:
    """No derivative, though the result counts as computed: RuntimeError for whoever asks."""
    for primitive in primitives:
        _Diagonal(primitive, [missing(primitive)] * 2)


def missing(primitive: Primitive) -> Lambda:
    """The rule of an argument for which nobody wrote one."""
    return functools.partial(_refuse, primitive.name)


def _refuse(name: str, g: Any) -> Any:
    raise RuntimeError(f"derivative for {name} is not implemented: detach() what should count as constant")
