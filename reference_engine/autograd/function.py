"""Rules of one's own: a pair of functions, forward and backward, that the tape treats as one operation.

A subclass of `Function` gives `forward` (run without recording), `backward` (cotangents of outputs to cotangents of
inputs) and perhaps `jvp`. Each call of `apply` makes a node of a class named after the subclass; this node is the
`ctx` that both functions see (notes/extending, Extending torch.autograd; torch.autograd.Function).
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

from ..core import levels
from ..core.inplace import adopt
from ..core.modes import no_grad, state
from ..core.tape import Edge, Form
from ..core.tensor import Tensor
from ..core.views import ViewLink
from ..functions.creation import zeros
from .context import FunctionCtx
from .once import once_differentiable as once_differentiable


class Function:
    """Base class of custom rules: define `forward` and `backward` as static methods, call `apply`.

    `forward(ctx, *args)`, or `forward(*args)` with `setup_context(ctx, inputs, output)`. Source: notes/extending.
    """

    _ctx_class: Any = None
    generate_vmap_rule = False
    """Whether `vmap` may map forward and backward themselves over a batch (notes/extending.func)."""

    @staticmethod
    def forward(*args: Any, **options: Any) -> Any:
        """Compute the outputs from the inputs; every subclass defines it."""
        raise NotImplementedError("You must implement the forward function: this Function defines none")

    @staticmethod
    def setup_context(ctx: Any, inputs: tuple[Any, ...], output: Any) -> None:
        """Save what backward needs, when forward does not take ctx."""
        raise NotImplementedError("setup_context is not implemented.")

    @staticmethod
    def backward(ctx: Any, *grad_outputs: Any) -> Any:
        """Cotangents of the inputs from those of the outputs."""
        raise NotImplementedError(
            "You must implement either the backward or vjp method: this Function defines no rule for backward mode"
        )

    @staticmethod
    def vjp(ctx: Any, *grad_outputs: Any) -> Any:
        """Another name for `backward`."""
        raise NotImplementedError("vjp is not implemented.")

    @staticmethod
    def jvp(ctx: Any, *tangents: Any) -> Any:
        """Tangents of the outputs from those of the inputs (None where an input has none)."""
        raise NotImplementedError(
            "You must implement the jvp function: this Function defines no rule for forward mode AD"
        )

    @staticmethod
    def vmap(info: Any, in_dims: tuple[Any, ...], *args: Any) -> Any:
        """The outputs of a whole batch, and along which dimension of each the batch is (notes/extending.func)."""
        raise NotImplementedError("To use autograd.Function with vmap, you must either override the vmap staticmethod")

    @classmethod
    def pulls_back(cls) -> Callable[..., Any]:
        """The rule for backward mode, under whichever of its two names; RuntimeError for both."""
        if overrides(cls, "backward") and overrides(cls, "vjp"):
            raise RuntimeError(f"Implementing both 'backward' and 'vjp' is not allowed, but {cls.__name__} does")
        return cls.vjp if overrides(cls, "vjp") else cls.backward

    @classmethod
    def context(cls, edges: tuple[Edge | None, ...], args: Sequence[Any]) -> FunctionCtx:
        """A context for one call, which is also its node on the tape."""
        if "_ctx_class" not in cls.__dict__:
            cls._ctx_class = type(cls.__name__ + "Backward", (FunctionCtx,), {"rule": cls})
        made: FunctionCtx = cls._ctx_class(edges, args)
        return made

    def __call__(self, *args: Any, **options: Any) -> Any:
        raise RuntimeError(
            "Legacy autograd function with non-static forward method is deprecated: make forward and backward static "
            "methods, and call MyFunction.apply(...) on the class"
        )

    @classmethod
    def apply(cls, *args: Any, **options: Any) -> Any:
        """Run the function on the arguments as one operation; tensors inside lists are not looked at."""
        separate = overrides(cls, "setup_context")
        if state.now.transforms and not separate:
            raise RuntimeError(
                "In order to use an autograd.Function with functorch transforms (vmap, grad, jvp, jacrev, ...), it "
                "must override the setup_context staticmethod (notes/extending.func)"
            )
        level = levels.highest(args) if levels.depth() else None
        if level is not None and separate:
            from .transformed import at_level  # which needs this module

            return at_level(cls, args, options, level)
        primals = args if level is None else tuple(levels.primal(a, level) for a in args)
        recording = state.now.grad and any(isinstance(a, Tensor) and a.requires_grad for a in args)
        edges = tuple(a.edge() if recording and isinstance(a, Tensor) else None for a in primals)
        ctx = cls.context(edges, primals)
        raw = _run_forward(cls, ctx, primals, options)
        outputs = finish(ctx, raw, primals, recording)
        if level is not None:
            _attach_tangents(cls, ctx, outputs, args, level)
        return tuple(outputs) if isinstance(raw, tuple) else outputs[0]


def overrides(cls: Any, name: str) -> bool:
    """Whether a custom function defines one of the static methods that need not be defined."""
    return getattr(cls, name) is not getattr(Function, name)


def _run_forward(cls: Any, ctx: FunctionCtx, args: tuple[Any, ...], options: dict[str, Any]) -> Any:
    with no_grad():
        if not overrides(cls, "setup_context"):
            return cls.forward(ctx, *args, **options)
        output = cls.forward(*args, **options)
        cls.setup_context(ctx, args, output)
        return output


def finish(ctx: FunctionCtx, raw: Any, args: Sequence[Any], recording: bool) -> list[Any]:
    """Give the outputs their history, and save what was handed in."""
    given = list(raw) if isinstance(raw, tuple) else [raw]
    if not all(_among(value, given) for value in ctx._dirty):
        raise RuntimeError(
            "Some elements marked as dirty during the forward method were not returned as output: every input that is "
            "modified inplace must be an output of the Function"
        )
    outputs = [_output(ctx, i, value, args, recording) for i, value in enumerate(given)]
    ctx.forms = [Form(v.array.shape, v.array.dtype) if isinstance(v, Tensor) else None for v in outputs]
    if recording:
        # An input returned as it is was saved as an input, with the history it has.
        ctx.keep_saved([None if _among(v, args) and not _among(v, ctx._dirty) else v for v in given])
    else:
        ctx._saved = list(ctx._to_save)
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
    view = value.alias()
    view.link = ViewLink(value if value.link is None else value.link.base, value.version.value, True)
    return view


def _among(value: Any, values: Sequence[Any]) -> bool:
    return any(value is v for v in values)


def _changed_input(ctx: FunctionCtx, index: int, value: Tensor, recording: bool) -> Tensor:
    """An input that forward changed in place: its history is now this node."""
    value.version.value += 1  # whatever forward changed it with
    if not recording:
        return value
    if value.is_leaf and value.requires_grad:
        raise RuntimeError("a leaf Variable that requires grad is being used in an in-place operation (mark_dirty)")
    if value.link is not None and value.link.base.is_leaf and value.link.base.requires_grad:
        raise RuntimeError("a view of a leaf Variable that requires grad is being used in an in-place operation")
    written = value.alias((ctx, index))
    adopt(value, written, written)
    return value


def _attach_tangents(cls: Any, ctx: FunctionCtx, outputs: list[Any], args: Sequence[Any], level: int) -> None:
    if ctx._for_forward:
        ctx._saved = list(ctx._for_forward)
    tangents = cls.jvp(ctx, *[tangent_for_rule(ctx, a, level) for a in args])
    for out, t in zip(outputs, tangents if isinstance(tangents, tuple) else (tangents,), strict=False):
        if t is not None:
            levels.attach(out, level, t)


def tangent_for_rule(ctx: FunctionCtx, value: Any, level: int) -> Any:
    """The tangent of an argument for `jvp`: zeros if it carries none, unless ctx says that None will do."""
    t = levels.tangent(value, level)
    fills = t is None and ctx._materialize and isinstance(value, Tensor) and value.dtype.differentiable
    return Tensor.of(zeros(value.shape).array.astype(value.array.dtype)) if fills else t
