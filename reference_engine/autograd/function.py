"""Custom rules: a pair of functions, forward and backward, that the tape treats as a single operation.

A subclass of `Function` gives `forward` (run without recording), `backward` (cotangents of outputs to cotangents of
inputs) and perhaps `jvp`. Each call of `apply` makes a node of a class named after the subclass; this node is the
`ctx` that both functions see (notes/extending, Extending torch.autograd; torch.autograd.Function).
"""

from __future__ import annotations

import functools
from collections.abc import Callable, Sequence
from typing import Any

from ..core import levels
from ..core.modes import no_grad, state
from ..core.tape import Edge, Node
from ..core.tensor import Tensor
from .context import FunctionCtx
from .outputs import attach_tangents, finish
from .transformed import at_level


class Function:
    """Base class of custom rules: define `forward` and `backward` as static methods, call `apply`.

    `forward(ctx, *args)`, or `forward(*args)` with `setup_context(ctx, inputs, output)`. Source: notes/extending.
    """

    _ctx_class: Any = None
    generate_vmap_rule = False
    """Whether `vmap` may map forward and backward themselves over a batch (notes/extending.func)."""
    boxed_grads_call = False
    """Whether backward is given its cotangents as a list (notes/extending)."""
    clear_saved_tensors_on_access = False
    """Whether `ctx.saved_tensors` can be read once only (notes/extending)."""

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
        """Another name of `backward`; a subclass defines either (torch.autograd.Function.vjp)."""
        raise NotImplementedError("You must implement either the backward or vjp method")

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
    def base(cls) -> type[Function]:
        """`Function` itself, for those that derive another from a custom function."""
        return Function

    @classmethod
    def overrides(cls, name: str) -> bool:
        """Whether the custom function defines an optional static method."""
        return getattr(cls, name) is not getattr(Function, name)

    @classmethod
    def pulled(cls, ctx: Any, cotangents: list[Any]) -> Any:
        """The cotangents of the arguments, by the function's `backward` or `vjp`."""
        rule = cls.vjp if cls.overrides("vjp") else cls.backward
        return rule(ctx, cotangents) if cls.boxed_grads_call else rule(ctx, *cotangents)

    @classmethod
    def context(cls, edges: tuple[Edge | None, ...], args: Sequence[Any]) -> FunctionCtx:
        """A context for a call, which is also its node on the tape."""
        # In the class itself: a subclass of a custom function must not share the node type of its parent.
        if "_ctx_class" not in cls.__dict__:
            cls._ctx_class = type(cls.__name__ + "Backward", (FunctionCtx,), {"rule": cls})
        made: FunctionCtx = cls._ctx_class(edges, args)
        return made

    @classmethod
    def apply(cls, *args: Any, **options: Any) -> Any:
        """Run the function on the arguments as a single operation; tensors inside lists count as constants."""
        separate = cls.overrides("setup_context")
        if state.now.transforms and not separate:
            raise RuntimeError(
                "In order to use an autograd.Function with functorch transforms (vmap, grad, jvp, jacrev, ...), it "
                "must override the setup_context staticmethod (notes/extending.func)"
            )
        # With a separate setup_context the function goes down level by level; otherwise it runs on primals here.
        level = levels.highest(args) if levels.depth() else None
        if level is not None and separate:
            return at_level(cls, args, options, level)
        primals = args if level is None else tuple(levels.primal(a, level) for a in args)
        recording = state.now.grad and any(isinstance(a, Tensor) and a.requires_grad for a in args)
        edges = tuple(a.edge() if recording and isinstance(a, Tensor) else None for a in primals)
        ctx = cls.context(edges, primals)
        raw = _run_forward(cls, ctx, primals, options)
        outputs = finish(ctx, raw, primals, recording)
        if level is not None:
            # jvp reads what was saved for it by the same attribute as backward.
            if ctx._for_forward:
                ctx._saved = list(ctx._for_forward)
            attach_tangents(cls, ctx, outputs, args, level)
        return tuple(outputs) if isinstance(raw, tuple) else outputs[0]


def _run_forward(cls: Any, ctx: FunctionCtx, args: tuple[Any, ...], options: dict[str, Any]) -> Any:
    # The operations within are the function's own business: its rule replaces their derivatives.
    with no_grad():
        if not cls.overrides("setup_context"):
            return cls.forward(ctx, *args, **options)
        output = cls.forward(*args, **options)
        cls.setup_context(ctx, args, output)
        return output


def once_differentiable(backward: Callable[..., Any]) -> Callable[..., Any]:
    """Decorate a `backward` that must not be differentiated itself; doing so raises RuntimeError.

    Source: torch.autograd.function.once_differentiable.
    """

    @functools.wraps(backward)
    def once(ctx: Any, *grads: Any) -> Any:
        with no_grad():
            results = backward(ctx, *grads)
        if not state.now.grad:
            return results
        as_tuple = results if isinstance(results, tuple) else (results,)
        # Derivatives by the inputs and by the cotangents must come by, also where no cotangent is recorded.
        edges = (*ctx.edges, *(g.edge() for g in grads if isinstance(g, Tensor)))
        barred = tuple(r if r is None else r.alias((_Barrier(edges, [r.form]), 0)) for r in as_tuple)
        return barred if isinstance(results, tuple) else barred[0]

    return once


class _Barrier(Node):
    """The history of a gradient that has no derivative."""

    def pullback(self, cotangents: list[Any], recording: bool) -> Sequence[Any]:
        raise RuntimeError(
            "trying to differentiate twice a function that was marked with @once_differentiable: its backward is not "
            "recorded. Write it in differentiable operations and take the decorator off."
        )
