"""Views, in-place writes, indices, and values without history, as forms."""

from __future__ import annotations

from typing import Any

from conformance.programs.forms import shapes
from conformance.programs.forms.form import Misfit, StepForm
from conformance.programs.forms.shapes import Rule
from conformance.protocol.types import Array, Shape

IN_PLACE_UNARY = (
    *("sin", "cos", "tanh", "sigmoid", "square", "exp", "negative", "abs", "relu", "reciprocal", "sqrt", "log1p"),
    *("expm1", "atan", "erf", "hardtanh", "leaky_relu"),
)
IN_PLACE_SCANS = ("cumsum", "cumprod")
IN_PLACE_BINARY = ("add", "subtract", "multiply", "divide", "pow", "atan2", "hypot")


def _in_place(name: str) -> StepForm:
    def call(ad: Any, x: Array, *others: Any) -> Array:
        return ad.operate_(x, name, *others)

    rule: Rule = shapes.along if name in IN_PLACE_SCANS else shapes.written
    return StepForm(
        f"write.{name}",
        call,
        lambda given, options, bodies: rule(given, *options),
        ("operate_",),
        writes=True,
    )


def copy_(ad: Any, x: Array, y: Array) -> Array:
    return ad.copy_(x, y)


# Returns x, as Python's assignment returns nothing.
def set_item_(ad: Any, x: Array, y: Array, index: int) -> Array:
    ad.set_item_(x, index, y)
    return x


def shift_unrecorded(ad: Any, x: Array, number: float) -> Array:
    with ad.no_grad():
        return ad.add_(x, number)


def zero_(ad: Any, x: Array) -> Array:
    return ad.inplace_(x, "zero")


def _item_written(given: list[Shape], index: int) -> Shape:
    shapes.written([shapes.indexed(given[:1], index), given[1]])
    return given[0]


def row(ad: Any, x: Array, index: int) -> Array:
    return x[index]


def rows(ad: Any, x: Array, index: tuple[int, ...]) -> Array:
    return ad.np.index_rows(x, ad.array(list(index)))


def _rows(given: list[Shape], index: tuple[int, ...]) -> Shape:
    if not given[0] or any(not 0 <= at < given[0][0] for at in index):
        raise Misfit(f"{given[0]} lacks a row of {index}")
    return (len(index), *given[0][1:])


# A repeated index adds up.
def rows_added(ad: Any, x: Array, y: Array, index: tuple[int, ...]) -> Array:
    return ad.np.at_add(x, ad.array(list(index)), y)


def _rows_added(given: list[Shape], index: tuple[int, ...]) -> Shape:
    if given[1] != _rows(given, index):
        raise Misfit(f"{given[1]} cannot be added to rows {index} of {given[0]}")
    return given[0]


# Ties go to y; the comparison itself has no derivative.
def larger(ad: Any, x: Array, y: Array) -> Array:
    return ad.np.where(x > y, x, y)


def _of(call: Any, rule: Rule, *features: str, **flags: bool) -> StepForm:
    return StepForm(call.__name__, call, lambda given, options, bodies: rule(given, *options), features, None, **flags)


def _view(name: str, rule: Rule) -> StepForm:
    def call(ad: Any, x: Array, *options: Any) -> Array:
        return ad.view_by(x, name, *options)

    return StepForm(f"view.{name}", call, lambda given, options, bodies: rule(given, *options), ("view_by",), view=True)


# By their names in the engine, with the shape that each view has.
VIEWS: dict[str, Rule] = {
    "transpose": shapes.swapped,
    "select": lambda given, axis, index: shapes.reduced([shapes.narrowed(given, axis, index, 1)], axis),
    "narrow": shapes.narrowed,
    "unsqueeze": shapes.widened,
    "expand": shapes.expanded,
    "diagonal": shapes.diagonal,
}


def detach(ad: Any, x: Array) -> Array:
    return ad.detach(x)


# A copy, so that later writes to x do not show in it.
def constant(ad: Any, x: Array) -> Array:
    return ad.clone(ad.detach(x))


def clone(ad: Any, x: Array) -> Array:
    return ad.clone(x)


MEMORY: dict[str, StepForm] = {
    form.name: form
    for form in (
        *map(_in_place, (*IN_PLACE_UNARY, *IN_PLACE_SCANS, *IN_PLACE_BINARY)),
        *(_view(name, rule) for name, rule in VIEWS.items()),
        _of(copy_, shapes.written, "copy_", writes=True),
        _of(set_item_, _item_written, "set_item_", writes=True),
        _of(zero_, shapes.first, "inplace_", writes=True),
        _of(shift_unrecorded, shapes.first, "no_grad", "add_", writes=True),
        _of(row, shapes.indexed),
        _of(rows, _rows, "np.index_rows"),
        _of(rows_added, _rows_added, "np.at_add"),
        _of(larger, shapes.broadcast, "np.where"),
        _of(detach, shapes.first, "detach", constant=True, view=True),
        _of(constant, shapes.first, "clone", "detach", constant=True),
        _of(clone, shapes.first, "clone"),
    )
}
