"""Families: what one line of a table says about both modes of differentiation.

A rule is a formula whose *parameter names* say what it needs, and hence what is saved for backward:

    g  the cotangent of the result (reverse mode)        z        the result
    t  the tangent of the argument (forward mode)        x, y, w  the arguments, in order (c: a condition)

and any option of the call by name. In the linear family ``x`` is the *form* of the argument (shape and dtype), never
its value, so linear operations save nothing.

Every line gives both modes, because the Jacobian of each family has a known shape: see the classes below.
Results need not match their argument's shape and type exactly: `core.conform` sums what was broadcast.
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


class Formula:
    """A lambda of a table, called with the values that its parameters name."""

    def __init__(self, function: Lambda) -> None:
        self.function = function
        self.names = tuple(inspect.signature(function).parameters)

    def __call__(self, values: Values) -> Any:
        return self.function(*[values[name] for name in self.names])


class Rule:
    """The derivative of one primitive. Each argument has a formula, or None where it has no derivative."""

    batches = True  # whether the family implies how the primitive is batched

    def __init__(self, primitive: Primitive, formulas: Iterable[Lambda | None]) -> None:
        self.primitive = primitive
        self.formulas = [None if f is None else Formula(f) for f in formulas]
        self.names = frozenset(name for f in self.formulas if f is not None for name in f.names)
        self._needed: dict[tuple[bool, ...], list[str]] = {}

    def formula(self, index: int) -> Any:
        """The formula of one argument, or None; operations on any number of arguments have one for all."""
        if self.primitive.letters == "*":
            return self.formulas[0]
        return self.formulas[index] if index < len(self.formulas) else None

    def differentiates(self, index: int) -> bool:
        """Whether there is a derivative with respect to the argument at this index."""
        return self.formula(index) is not None

    def letters_needed(self, edges: Sequence[Edge | None]) -> list[str]:
        """The letters that the formulas of the arguments with edges name: what is to be saved."""
        wanted = tuple(map(bool, edges))
        if wanted not in self._needed:
            names = {name for i, is_wanted in enumerate(wanted) if is_wanted for name in self.formula(i).names}
            self._needed[wanted] = [letter for letter in ("z", *self.primitive.letters) if letter in names]
        return self._needed[wanted]

    def with_forms(self, options: Options, args: Sequence[Any]) -> Options:
        """The options that a node keeps, with the forms of the arguments if formulas name those."""
        return options

    def vjp(self, g: Any, values: Values, edges: Sequence[Edge | None]) -> list[Any]:
        """The cotangents of the arguments, None for those without an edge. Serves arrays and Tensors."""
        values["g"] = g
        return [None if edge is None else self.pull(i, g, values) for i, edge in enumerate(edges)]

    def pull(self, index: int, g: Any, values: Values) -> Any:
        """The cotangent of one argument: by default the formula itself."""
        return self.formula(index)(values)

    def jvp(self, tangents: Sequence[Any], z: Any, args: Sequence[Any], options: Options) -> Any:
        """The tangent of the result, given those of the arguments (None where there is none)."""
        values = {**options, **dict(zip(self.primitive.letters, args, strict=False)), "z": z}
        parts = [self.push(i, t, values) for i, t in enumerate(tangents) if t is not None]
        return functools.reduce(operator.add, parts)

    def push(self, index: int, t: Any, values: Values) -> Any:
        """What the tangent of one argument contributes to the result's."""
        raise NotImplementedError


class Elementwise(Rule):
    """A diagonal Jacobian: multiply by the partial derivative, conjugated in reverse.

    That is PyTorch's convention for complex numbers: the cotangent of a real loss points uphill.
    """

    def pull(self, index: int, g: Any, values: Values) -> Any:
        """Multiply by the conjugate of the partial derivative."""
        return g * o.conj(self.formula(index)(values))

    def push(self, index: int, t: Any, values: Values) -> Any:
        """Multiply by the partial derivative."""
        return t * self.formula(index)(values)


class Diagonal(Rule):
    """The same as an action on g: for derivatives that choose rather than multiply (0 * inf is not wanted)."""

    def push(self, index: int, t: Any, values: Values) -> Any:
        """Let the tangent take the cotangent's place."""
        return self.formula(index)({**values, "g": t})


class Reduction(Rule):
    """A Jacobian of one row: multiply by the partial derivative, and in forward mode sum along the dimensions."""

    def letters_needed(self, edges: Sequence[Edge | None]) -> list[str]:
        """The argument, for its shape at least, and the result if it is named."""
        return ["x", "z"] if "z" in self.names else ["x"]

    def pull(self, index: int, g: Any, values: Values) -> Any:
        """Repeat g along the dimensions that are gone, and multiply by the conjugate of the partial derivative."""
        dim, keepdim = values.get("dim"), values.get("keepdim", False)
        return spread(g, values["x"].shape, dim, keepdim) * o.conj(self._partial(dim, keepdim, values))

    def push(self, index: int, t: Any, values: Values) -> Any:
        """Multiply by the partial derivative, and sum."""
        dim, keepdim = values.get("dim"), values.get("keepdim", False)
        return o.sum(t * self._partial(dim, keepdim, values), dim=dim, keepdim=keepdim)

    def _partial(self, dim: Axes, keepdim: bool, values: Values) -> Any:
        """The formula, for which the result has the shape of x."""
        z = spread(values["z"], values["x"].shape, dim, keepdim) if "z" in self.names else None
        return self.formula(0)({**values, "dim": dim, "keepdim": keepdim, "z": z})


class Linear(Rule):
    """The operation itself forward, its transpose in reverse."""

    def letters_needed(self, edges: Sequence[Edge | None]) -> list[str]:
        """None: letters are forms."""
        return []

    def with_forms(self, options: Options, args: Sequence[Any]) -> Options:
        """Each argument's form by its letter; of any number of arguments a list, called xs."""
        if self.primitive.letters == "*":
            return {**options, "xs": [_form(a) for a in args]} if "xs" in self.names else options
        named = [(letter, a) for letter, a in zip(self.primitive.letters, args, strict=False) if letter in self.names]
        return {**options, **{letter: _form(a) for letter, a in named}} if named else options

    def pull(self, index: int, g: Any, values: Values) -> Any:
        """The transpose with respect to one argument, whose number is i."""
        return self.formula(index)({**values, "i": index})

    def jvp(self, tangents: Sequence[Any], z: Any, args: Sequence[Any], options: Options) -> Any:
        """The operation itself on the tangents, zero where there is none."""
        filled = [
            t if t is not None else zero_like(a) if self.differentiates(i) else a
            for i, (t, a) in enumerate(zip(tangents, args, strict=False))
        ]
        return self.primitive(*filled, **options)


class Bilinear(Rule):
    """Linear in each of two arguments: one transpose for each, given the value of the other."""

    def jvp(self, tangents: Sequence[Any], z: Any, args: Sequence[Any], options: Options) -> Any:
        """The product rule: each tangent in its argument's place in turn."""
        parts = [self.primitive(*args[:i], t, *args[i + 1 :]) for i, t in enumerate(tangents) if t is not None]
        return functools.reduce(operator.add, parts)


class Others(Rule):
    """Both modes written out: a list of reverse formulas, and a list of forward ones."""

    batches = False

    def __init__(self, primitive: Primitive, vjps: Iterable[Lambda | None], jvps: Iterable[Lambda]) -> None:
        super().__init__(primitive, vjps)
        self.forward = [Formula(f) for f in jvps]
        self.names |= {name for f in self.forward for name in f.names}

    def push(self, index: int, t: Any, values: Values) -> Any:
        """The forward formula of one argument."""
        return self.forward[index]({**values, "t": t})


def elementwise(primitive: Primitive, *partials: Lambda | None) -> Rule:
    """Each argument's partial derivative; None for an argument without one."""
    return Elementwise(primitive, partials)


def diagonal(primitive: Primitive, *actions: Lambda | None) -> Rule:
    """What becomes of a cotangent or tangent g of each argument, element by element."""
    return Diagonal(primitive, actions)


def reduction(primitive: Primitive, partial: Lambda) -> Rule:
    """The partial derivative with respect to each element of x, where z has x's shape too."""
    return Reduction(primitive, [partial])


def linear(primitive: Primitive, *transposes: Lambda | None) -> Rule:
    """The transpose with respect to each argument; x, y are forms (for any number: xs, and i for which)."""
    return Linear(primitive, transposes)


def bilinear(primitive: Primitive, of_x: Lambda, of_y: Lambda) -> Rule:
    """The transpose with respect to x given y, and with respect to y given x."""
    return Bilinear(primitive, [of_x, of_y])


def others(primitive: Primitive, vjps: Iterable[Lambda | None], jvps: Iterable[Lambda]) -> Rule:
    """Reverse formulas of g, and forward formulas of t, one of each per argument."""
    return Others(primitive, vjps, jvps)


def constant(*primitives: Primitive) -> list[Rule]:
    """Derivative zero wherever it exists, and by convention where it does not; still part of the graph."""
    return [Diagonal(primitive, [lambda g: zero_like(g)] * 2) for primitive in primitives]


def without_derivative(*primitives: Primitive) -> list[Rule]:
    """No derivative, though the result counts as computed: RuntimeError for whoever asks."""
    return [Diagonal(primitive, [missing(primitive)] * 2) for primitive in primitives]


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
