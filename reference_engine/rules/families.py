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
What makes functions of these lines is in `rule`; how a function is put into words, in `writing`.
"""

from __future__ import annotations

import functools
from collections.abc import Iterable, Sequence
from typing import Any

from .. import primitives as o
from ..core.primitive import Primitive
from .rule import Formula, Lambda, Rule
from .rule import spread as spread
from .rule import zero_like as zero_like


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
        return f"spread(g, x.shape, dim, keepdim) * conj({super()._call(index)})"

    def _source(self, index: int, name: str) -> str:
        return "spread(z, x.shape, dim, keepdim)" if name == "z" else name

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

    def _source(self, index: int, name: str) -> str:
        return f"fitted(node, {index}, g)" if self.pointwise and name == "g" else name

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
