"""The outputs of a custom function: their history, and the values saved of them."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from ..core import levels, warn
from ..core.inplace import adopt
from ..core.tape import Form, announce
from ..core.tensor import Tensor
from ..core.views import ViewLink
from ..functions.creation import zeros
from .context import FunctionCtx


def finish(ctx: FunctionCtx, raw: Any, args: Sequence[Any], recording: bool) -> list[Any]:
    """Give the outputs their history, and save what was handed in."""
    given = list(raw) if isinstance(raw, tuple) else [raw]
    if not all(_among(value, given) for value in ctx._dirty):
        raise RuntimeError(
            "Some elements marked as dirty during the forward method were not returned as output: every input that is "
            "modified inplace must be an output of the Function"
        )
    if not all(_among(value, args) for value in ctx._dirty):
        warn.user("ctx.mark_dirty() received a tensor that was not an input: mark inputs that forward modifies")
    outputs = [_output(ctx, i, value, args, recording) for i, value in enumerate(given)]
    ctx.forms = [Form(v.array.shape, v.array.dtype) if isinstance(v, Tensor) else None for v in outputs]
    if recording:
        # An input returned as it is was saved as an input, with the history it has.
        ctx.keep_saved([None if _among(v, args) and not _among(v, ctx._dirty) else v for v in given])
        announce(ctx)
    else:
        ctx._saved = list(ctx._to_save)
    # The context lives as long as the graph, and must not keep the outputs alive: a reference cycle.
    ctx._dirty = ctx._constant = ()
    return outputs


def _output(ctx: FunctionCtx, index: int, value: Any, args: Sequence[Any], recording: bool) -> Any:
    if not isinstance(value, Tensor):
        return value
    if _among(value, ctx._dirty):
        return _changed_input(ctx, index, value, recording)
    differentiable = value.dtype.differentiable and not _among(value, ctx._constant)
    if _among(value, args):
        value = _view_of_itself(value)
    if value.link is not None:
        # What is written to it, or to its base, would pass the function's backward by.
        value.link.one_of_many = ctx.name()
    if recording and differentiable:
        value.history = (ctx, index)
        if value.link is not None:
            value.link.recorded = True
    return value


def _view_of_itself(value: Tensor) -> Tensor:
    """An input returned as it is: a view of its memory, which becomes an output of the node all the same."""
    # The caller's tensor must keep its history, so the output is another object.
    view = value.alias()
    view.link = ViewLink(value if value.link is None else value.link.base, value.version.value, True)
    return view


def _among(value: Any, values: Sequence[Any]) -> bool:
    return any(value is v for v in values)


def _changed_input(ctx: FunctionCtx, index: int, value: Tensor, recording: bool) -> Tensor:
    """An input that forward changed in place: its history is now this node."""
    value.version.value += 1  # forward may have changed it unseen, by NumPy or .data
    if not recording:
        return value
    if value.is_leaf and value.requires_grad:
        raise RuntimeError("a leaf Variable that requires grad is being used in an in-place operation (mark_dirty)")
    if value.link is not None and value.link.base.is_leaf and value.link.base.requires_grad:
        raise RuntimeError("a view of a leaf Variable that requires grad is being used in an in-place operation")
    # As for a built-in in-place operation: the tensor object stays, and takes over the new history.
    written = value.alias((ctx, index))
    adopt(value, written, written)
    return value


def attach_tangents(cls: Any, ctx: FunctionCtx, outputs: Sequence[Any], args: Sequence[Any], level: int) -> None:
    """Give the outputs the tangents that the function's `jvp` computes from those of the arguments."""
    tangents = cls.jvp(ctx, *[_tangent_for_rule(ctx, a, level) for a in args])
    for out, t in zip(outputs, tangents if isinstance(tangents, tuple) else (tangents,), strict=False):
        if t is not None:
            _check_tangent(out, t, args, level)
            levels.attach(out, level, t)


def _check_tangent(out: Any, t: Tensor, args: Sequence[Any], level: int) -> None:
    """RuntimeError unless the tangent of a changed input is changed too, and that of a view is a view."""
    changed = next((a for a in args if isinstance(a, Tensor) and out.link is None and a.version is out.version), None)
    if out.link is not None and t.link is None:
        raise RuntimeError("forward of a custom Function returns a view: its jvp must return a view of the tangent")
    if changed is not None and levels.tangent(changed, level) is not t:
        raise RuntimeError("forward of a custom Function modifies an input inplace: its jvp must modify the tangent")


def _tangent_for_rule(ctx: FunctionCtx, value: Any, level: int) -> Any:
    """The tangent of an argument for `jvp`: zeros if it carries none, unless ctx asks for None."""
    t = levels.tangent(value, level)
    fills = t is None and ctx._materialize and isinstance(value, Tensor) and value.dtype.differentiable
    return Tensor.of(zeros(value.shape).array.astype(value.array.dtype)) if fills else t
