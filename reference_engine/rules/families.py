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
import operator
from collections.abc import Callable, Iterable, Sequence
from typing import Any

from .. import primitives as o
from ..core.primitive import Primitive

Lambda = Callable[..., Any]


class Formula:
    """A lambda of a table, and `of`, which calls it with the values that its parameters name."""

    of: Callable[[dict[str, Any]], Any]

    def __init__(self, function: Lambda) -> None:
        self.names = tuple(inspect.signature(function).parameters)
        self.of = _by_name(function, self.names)


def _by_name(function: Lambda, names: tuple[str, ...]) -> Callable[[dict[str, Any]], Any]:
    """The names are looked at here, once per line of a table, rather than at every step of a backward pass."""
    if len(names) == 1:
        (name,) = names
        return lambda values: function(values[name])
    pick = operator.itemgetter(*names)
    return lambda values: function(*pick(values))


class Rule:
    """The derivative of one primitive. Each argument has a formula, or None where it has no derivative."""

    by_form = False  # whether x, y, w stand for forms rather than values
    batches = True  # whether the family implies how the primitive is batched

    def __init__(self, primitive: Primitive, formulas: Iterable[Lambda | None]) -> None:
        self.primitive = primitive
        self.formulas = [None if f is None else Formula(f) for f in formulas]
        self.letters = primitive.letters
        used = [f.names for f in self.formulas if f is not None]
        self.names = frozenset(name for names in used for name in names)
        self.names_forms = self.by_form and not self.names.isdisjoint((*self.letters, "xs"))
        self._gaps = None in self.formulas
        self.saves = functools.cache(self._saves)  # looked at for every operation, and the same for all alike
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

    def with_derivative(self, edges: Sequence[Any]) -> Sequence[Any]:
        """The edges of the arguments that there is a derivative with respect to, None in place of the others."""
        if self._gaps or len(edges) > len(self.formulas):
            return [e if e is None or self.differentiates(i) else None for i, e in enumerate(edges)]
        return edges

    def _saves(self, wanted: tuple[bool, ...]) -> list[tuple[str, int | None]]:
        """The values that reverse mode needs for the wanted arguments: letter, and index of the argument or None."""
        letters = self._letters_named([i for i, is_wanted in enumerate(wanted) if is_wanted])
        return [(name, None if name == "z" else self.letters.index(name)) for name in letters]

    def _letters_named(self, wanted: Sequence[int]) -> list[str]:
        if self.by_form or not wanted:
            return []
        names = {name for i in wanted for name in self.formula(i).names}  # type: ignore[union-attr]
        return [letter for letter in ("z", *self.letters) if letter in names]

    def vjp(self, index: int, values: dict[str, Any]) -> Any:
        """The cotangent of one argument from that of the result (g), saved values and options, all by name."""
        return self.formulas[index].of(values)  # type: ignore[union-attr]

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

    def vjp(self, index: int, values: dict[str, Any]) -> Any:
        return values["g"] * o.conj(self.formulas[index].of(values))  # type: ignore[union-attr]

    def push(self, index: int, t: Any, values: dict[str, Any], args: Any) -> Any:
        return t * self.formulas[index].of(values)  # type: ignore[union-attr]


class _Diagonal(Rule):
    """One lambda per argument: what becomes of a cotangent, and equally of a tangent, called g."""

    def push(self, index: int, t: Any, values: dict[str, Any], args: Any) -> Any:
        return self.formulas[index].of({**values, "g": t})  # type: ignore[union-attr]


class _Reduction(Rule):
    """One lambda: the partial derivative, given x and the result z spread out to x's shape."""

    def _letters_named(self, wanted: Sequence[int]) -> list[str]:
        return ["x", "z"] if "z" in self.names else ["x"]

    def vjp(self, index: int, values: dict[str, Any]) -> Any:
        return self._spread(values["g"], values) * o.conj(self._partial(values))

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

    def vjp(self, index: int, values: dict[str, Any]) -> Any:
        if self.letters == "*":
            values["i"] = index
        return self.formula(index).of(values)  # type: ignore[union-attr]

    def jvp(self, primitive: Primitive, tangents: list[Any], z: Any, args: Any, options: dict[str, Any]) -> Any:
        """The operation itself on the tangents, zero where there is none."""
        filled = [
            t if t is not None else zero_like(a) if self.differentiates(i) else a
            for i, (t, a) in enumerate(zip(tangents, args, strict=False))
        ]
        return primitive(*filled, **options)


class _Bilinear(Rule):
    """One lambda per argument: the transpose with respect to it, given g and the values of the others."""

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


def linear(primitive: Primitive, *transposes: Lambda | None) -> None:
    """The transpose with respect to each argument; x, y stand for forms (for any number: xs, and i for which)."""
    _Linear(primitive, transposes)


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
