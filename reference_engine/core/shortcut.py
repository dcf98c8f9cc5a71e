"""The short way through `interpret`, for one operand and for two.

Nearly every operation of a program is on floating tensors of one type, outside of any transform and of inference mode.
Then all that `interpret` does is to compute, to wrap and to write down. Said once more for exactly one operand and for
exactly two, without loops over arguments, this takes half of the time. Whatever is otherwise goes the long way, which
alone decides what is right, and words the refusals; `tests/reference_engine/test_shortcut.py` compares the two.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from numpy import ndarray

from .. import primitives as o
from .interpret import interpret
from .modes import state
from .nodes import record
from .primitive import Primitive
from .tensor import Tensor

_NO_OPTIONS: dict[str, Any] = {}
_NUMBERS = (float, int)  # and not bool, which is a type of its own


def one(primitive: Primitive) -> Callable[[Any], Any]:
    """The primitive as a function of one Tensor, without options."""
    evaluate = primitive.on_floats

    def carry_out(x: Any) -> Any:
        now, a = state.now, x.array
        if type(a) is not ndarray or a.dtype.kind != "f" or now.levels or now.inference:
            return interpret(primitive, (x,), {})
        try:
            result = Tensor.of(now.quietly(evaluate, a))
        except ValueError:
            return interpret(primitive, (x,), {})
        if now.grad:
            edge = x.history if x.link is None and x.history is not None else x.edge()
            if edge is not None:
                record(primitive, (x,), (edge,), (True,), _NO_OPTIONS, result, now)
        return result

    return carry_out


def two(primitive: Primitive) -> Callable[[Any, Any], Any]:
    """The primitive as a function of two operands, of which one at least is a Tensor, without options."""
    evaluate = primitive.on_floats

    def carry_out(x: Any, y: Any) -> Any:
        now = state.now
        a = x.array if isinstance(x, Tensor) else x
        b = y.array if isinstance(y, Tensor) else y
        if type(a) is ndarray:
            alike = a.dtype.kind == "f" and (b.dtype is a.dtype if type(b) is ndarray else type(b) in _NUMBERS)
        else:
            alike = type(a) in _NUMBERS and type(b) is ndarray and b.dtype.kind == "f"
        if not alike or now.levels or now.inference:
            return interpret(primitive, (x, y), {})
        try:
            result = Tensor.of(now.quietly(evaluate, a, b))
        except ValueError:
            return interpret(primitive, (x, y), {})
        if now.grad:
            edge_x, edge_y = None if a is x else x.edge(), None if b is y else y.edge()
            if edge_x is not None or edge_y is not None:
                requiring = edge_x is not None, edge_y is not None
                record(primitive, (x, y), (edge_x, edge_y), requiring, _NO_OPTIONS, result, now)
        return result

    return carry_out


for _primitive in vars(o).values():
    if isinstance(_primitive, Primitive) and not _primitive.view:
        _primitive.short = {1: one(_primitive), 2: two(_primitive)}
