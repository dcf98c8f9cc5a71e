"""Families of rules: a line of a table gives both modes of differentiation.

A rule is a formula whose *parameter names* say what it needs, and hence what is saved for backward:

    g  the cotangent of the result (reverse mode)        z        the result
    t  the tangent of the argument (forward mode)        x, y, w  the arguments, in order (c: a condition)

and any option of the call by name. In the linear family ``x`` is the *form* of the argument (shape and dtype), never
its value, so linear operations save nothing.

Every line gives both modes, because the Jacobian of each family has a known shape (see the classes). Results need not
match their argument's shape and type exactly: `core.conform` sums what was broadcast.
"""

from __future__ import annotations

import functools
import inspect
import operator
from collections.abc import Callable, Iterable, Sequence
from typing import Any

import numpy as np

from .. import primitives as o
from ..core import dtypes
from ..core.aliases import Array, Axes, Options, Shape
from ..core.primitive import Primitive
from ..core.tape import Edge, Form
from ..core.tensor import Tensor

Lambda = Callable[..., Any]
Values = dict[str, Any]
"""What formulas may name: the saved values by their letters, the options of the call, and g or t."""

Pull = Callable[[Values], Any]


class Formula:
    """A lambda of a table. `value` calls it with the values that its parameters name."""

    def __init__(self, function: Lambda) -> None:
        self.names = tuple(inspect.signature(function).parameters)
        pick = operator.itemgetter(*self.names)
        # Of a single name `itemgetter` gives the value itself, not a tuple.
        single = len(self.names) == 1
        self.value: Pull = (lambda v: function(pick(v))) if single else lambda v: function(*pick(v))
        self.saves: list[tuple[str, int]] = []  # the letters whose values are kept for backward, and which argument's


class Rule:
    """The derivative of a primitive. Each argument has a formula, or None where it has no derivative.

    A family defines by `pulling` what its formulas mean for a cotangent, and by `pushing` what for a tangent.
    """

    batches = True  # whether the family implies how the primitive is batched
    multiplies = False  # whether cotangents are always products, and so new arrays
    names_forms: bool  # whether letters are the forms of arguments, which a node then keeps beside the options

    def __init__(self, primitive: Primitive, formulas: Iterable[Lambda | None]) -> None:
        self.primitive, self.names_forms = primitive, False
        given = [None if f is None else Formula(f) for f in formulas]
        self.complete = None not in given
        self.formulas = given + [None] * (len(primitive.letters) - len(given))
        self.names = frozenset(name for f in given if f is not None for name in f.names)
        for formula in given:
            if formula is not None:
                formula.saves = [(letter, primitive.letters.find(letter)) for letter in self.saved_by(formula)]
        self.vjps = [None if f is None else self.pulling(f.value) for f in self.formulas]
        self.jvps = [None if f is None else self.pushing(f.value) for f in self.formulas]

    def saved_by(self, formula: Formula) -> list[str]:
        """The letters of the values that a node keeps for a formula."""
        return [letter for letter in ("z", *self.primitive.letters) if letter in formula.names]

    def pulling(self, formula: Pull) -> Pull:
        """The VJP that a formula stands for: from the values, with the cotangent g, to a cotangent of the argument."""
        return formula

    def pushing(self, formula: Pull) -> Pull:
        """The JVP that a formula stands for: from the values, with the tangent t, to a tangent of the result."""
        return formula

    def differentiates(self, index: int) -> bool:
        """Whether there is a derivative with respect to the argument at this index."""
        return self.formulas[index] is not None

    def forms(self, args: Sequence[Any]) -> Values:
        """The forms of the arguments by the names that formulas have for them."""
        return dict(zip(self.primitive.letters, map(_form, args), strict=False))

    def vjp(self, g: Any, values: Values, edges: Sequence[Edge | None]) -> list[Any]:
        """The cotangents of the arguments, None for those without an edge. Serves arrays and Tensors."""
        values["g"] = g
        pairs = zip(edges, self.vjps, strict=False)
        return [None if edge is None else vjp(values) for edge, vjp in pairs]  # type: ignore[misc]

    def jvp(self, tangents: Sequence[Any], z: Any, args: Sequence[Any], options: Options) -> Any:
        """The tangent of the result, given those of the arguments (None where there is none)."""
        values = {**options, **dict(zip(self.primitive.letters, args, strict=False)), "z": z}
        pairs = zip(self.jvps, tangents, strict=False)
        parts = [jvp({**values, "t": t}) for jvp, t in pairs if t is not None]  # type: ignore[misc]
        return functools.reduce(operator.add, parts)


class Elementwise(Rule):
    """A diagonal Jacobian: multiply by the partial derivative, conjugated in reverse.

    That is PyTorch's convention for complex numbers: the cotangent of a real loss points uphill.
    """

    multiplies = True

    def pulling(self, partial: Pull) -> Pull:
        """Multiply by the conjugate of the partial derivative."""
        return lambda values: values["g"] * o.conj(partial(values))

    def pushing(self, partial: Pull) -> Pull:
        """Multiply by the partial derivative."""
        return lambda values: values["t"] * partial(values)


class Diagonal(Rule):
    """The same as an action on g: for derivatives that choose rather than multiply (0 * inf is not wanted)."""

    def pushing(self, action: Pull) -> Pull:
        """Let the tangent take the cotangent's place."""
        return lambda values: action({**values, "g": values["t"]})


class Reduction(Rule):
    """A Jacobian with a single row: multiply by the partial derivative, in forward mode sum along the dimensions."""

    multiplies = True

    def saved_by(self, formula: Formula) -> list[str]:
        """The argument, for its shape at least, and the result if it is named."""
        return ["x", "z"] if "z" in formula.names else ["x"]

    def pulling(self, partial: Pull) -> Pull:
        """Repeat g along the dimensions that are gone, and multiply by the conjugate of the partial derivative."""
        return lambda values: _spread_out("g", values) * o.conj(self._partial(partial, values))

    def pushing(self, partial: Pull) -> Pull:
        """Multiply by the partial derivative, and sum."""
        return lambda values: o.sum(values["t"] * self._partial(partial, values), **_along(values))

    def _partial(self, partial: Pull, values: Values) -> Any:
        """The partial derivative, given a result of the shape of x."""
        z = _spread_out("z", values) if "z" in self.names else None
        return partial({**values, **_along(values), "z": z})


def _along(values: Values) -> Options:
    """The options of a reduction; those of everything have none."""
    return {"dim": values.get("dim"), "keepdim": values.get("keepdim", False)}


def _spread_out(name: str, values: Values) -> Any:
    """A reduced value in the shape of x."""
    return spread(values[name], values["x"].shape, **_along(values))


class LinearRule(Rule):
    """The operation itself forward, its transpose in reverse."""

    def __init__(self, primitive: Primitive, transposes: Iterable[Lambda | None]) -> None:
        super().__init__(primitive, transposes)
        self.names_forms = not self.names.isdisjoint((*primitive.letters, "xs"))

    def saved_by(self, formula: Formula) -> list[str]:
        """Nothing: letters are forms."""
        return []

    def jvp(self, tangents: Sequence[Any], z: Any, args: Sequence[Any], options: Options) -> Any:
        """The operation itself on the tangents, zero where there is none."""
        filled = [
            t if t is not None else zero_like(a) if self.differentiates(i) else a
            for i, (t, a) in enumerate(zip(tangents, args, strict=False))
        ]
        return self.primitive(*filled, **options)


class LinearInMany(LinearRule):
    """Linear in any number of arguments, with a single formula: of i, the number of the argument, and xs, all forms."""

    def differentiates(self, index: int) -> bool:
        """With respect to each."""
        return True

    def forms(self, args: Sequence[Any]) -> Values:
        """The forms as a list."""
        return {"xs": [_form(a) for a in args]}

    def vjp(self, g: Any, values: Values, edges: Sequence[Edge | None]) -> list[Any]:
        """The same formula for each argument with an edge."""
        transpose: Any = self.vjps[0]
        return [None if edge is None else transpose({**values, "g": g, "i": i}) for i, edge in enumerate(edges)]


class Bilinear(Rule):
    """Linear in each of two arguments: a transpose for each, given the value of the other."""

    multiplies = True

    def jvp(self, tangents: Sequence[Any], z: Any, args: Sequence[Any], options: Options) -> Any:
        """The product rule: each tangent in its argument's place in turn."""
        parts = [self.primitive(*args[:i], t, *args[i + 1 :]) for i, t in enumerate(tangents) if t is not None]
        return functools.reduce(operator.add, parts)


class Others(Rule):
    """Both modes written out: a list of reverse formulas, and a list of forward ones."""

    batches = False

    def __init__(self, primitive: Primitive, vjps: Iterable[Lambda | None], jvps: Iterable[Lambda]) -> None:
        super().__init__(primitive, vjps)
        forward = [Formula(f) for f in jvps]
        self.jvps = [f.value for f in forward]
        self.names |= {name for f in forward for name in f.names}


def elementwise(primitive: Primitive, *partials: Lambda | None) -> Rule:
    """Each argument's partial derivative; None where there is none."""
    return Elementwise(primitive, partials)


def diagonal(primitive: Primitive, *actions: Lambda | None) -> Rule:
    """The action on a cotangent or tangent g of each argument, element by element."""
    return Diagonal(primitive, actions)


def reduction(primitive: Primitive, partial: Lambda) -> Rule:
    """The partial derivative with respect to each element of x, where z has x's shape too."""
    return Reduction(primitive, [partial])


def linear(primitive: Primitive, *transposes: Lambda | None) -> Rule:
    """The transpose with respect to each argument; x, y are forms (for any number: xs, and i for which)."""
    return (LinearInMany if primitive.letters == "*" else LinearRule)(primitive, transposes)


def bilinear(primitive: Primitive, of_x: Lambda, of_y: Lambda) -> Rule:
    """The transpose with respect to x given y, and with respect to y given x."""
    return Bilinear(primitive, [of_x, of_y])


def others(primitive: Primitive, vjps: Iterable[Lambda | None], jvps: Iterable[Lambda]) -> Rule:
    """Reverse formulas of g, and forward formulas of t, for each argument."""
    return Others(primitive, vjps, jvps)


def constant(*primitives: Primitive) -> list[Rule]:
    """Derivative zero wherever it exists, and by convention where it does not; still part of the graph."""
    return [Diagonal(primitive, [lambda g: zero_like(g)] * 2) for primitive in primitives]


def missing(primitive: Primitive) -> Lambda:
    """The formula of an argument that has none: asking for its cotangent raises a RuntimeError."""
    return functools.partial(_raise_missing, primitive.name)


def _raise_missing(name: str, g: Any) -> Any:
    raise RuntimeError(f"derivative for {name} is not implemented: detach() what should count as constant")


# --- what formulas of several tables call -------------------------------------------------------------------


def spread(value: Any, shape: Shape, dim: Axes, keepdim: bool) -> Any:
    """Repeat a reduced value along the dimensions that the reduction removed."""
    if not keepdim and dim is not None:
        dims = dim if isinstance(dim, tuple) else (dim,)
        removed = {d % len(shape) for d in dims} if shape else set()
        value = o.reshape(value, shape=tuple(1 if i in removed else n for i, n in enumerate(shape)))
    return o.expand(value, shape=shape)


def zero_like(value: Any) -> Any:
    """Zeros of the form of an array, Tensor or number."""
    return o.zero(value) if hasattr(value, "shape") else 0.0


def is_complex(x: Array) -> bool:
    """Whether an array or Tensor holds complex numbers."""
    return np.iscomplexobj(x.array if isinstance(x, Tensor) else x)


def _form(value: Any) -> Form:
    """The form of a tensor, an array or a Python number."""
    array = value.array if isinstance(value, Tensor) else value
    return Form(array.shape, array.dtype) if hasattr(array, "dtype") else Form((), dtypes.of_number(value).numpy)
