"""Rules of one's own: a pair of functions, forward and backward, that the tape treats as one operation.

A subclass of `Function` gives `forward` (run without recording), `backward` (cotangents of outputs to cotangents of
inputs) and perhaps `jvp`. Each call of `apply` makes a node of a class named after the subclass; this node is the
`ctx` that both functions see (notes/extending, Extending torch.autograd; torch.autograd.Function).
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any, ClassVar

from ..core import levels
from ..core.modes import no_grad, state
from ..core.saved import FREED, SavedResult, SavedTensor
from ..core.tape import Edge, Form, Node
from ..core.tensor import Tensor
from ..core.views import replace_region
from ..functions.creation import zeros
from .once import once_differentiable as once_differentiable


class FunctionCtx(Node):
    """The node of one call of a custom function, and what `forward` and `backward` share (FunctionCtx)."""

    rule: Any  # the Function subclass

    def __init__(self, edges: tuple[Edge | None, ...], args: Sequence[Any]) -> None:
        super().__init__(edges)
        self.needs_input_grad = tuple(isinstance(a, Tensor) and a.requires_grad for a in args)
        self._inputs = [Form(a.array.shape, a.array.dtype) if isinstance(a, Tensor) else None for a in args]
        self.forms: list[Form | None] = []
        self._to_save: tuple[Any, ...] = ()
        self._for_forward: tuple[Any, ...] = ()
        self._saved: list[Any] | None = []
        self._dirty: tuple[Any, ...] = ()
        self._constant: tuple[Any, ...] = ()
        self._materialize = True

    def save_for_backward(self, *tensors: Tensor | None) -> None:
        """Keep inputs or outputs for backward, where `saved_tensors` gives them back, checked for changes."""
        for value in tensors:
            if value is not None and not isinstance(value, Tensor):
                raise TypeError(
                    f"save_for_backward can only save variables, but argument is of type {type(value).__name__}: "
                    "store other values as attributes of ctx"
                )
        self._to_save = tensors

    def save_for_forward(self, *tensors: Tensor | None) -> None:
        """Keep tensors for `jvp`, which runs right after forward."""
        if not all(value is None or isinstance(value, Tensor) for value in tensors):
            raise AssertionError(
                "save_for_forward expects all arguments to be tensors: store other values as attributes of ctx"
            )
        self._for_forward = tensors

    def mark_dirty(self, *tensors: Tensor) -> None:
        """Declare inputs that forward changed in place; they must be among the outputs."""
        self._dirty = tensors

    def mark_non_differentiable(self, *tensors: Tensor) -> None:
        """Declare outputs that have no gradient, such as indices."""
        self._constant = tensors

    def set_materialize_grads(self, value: bool) -> None:
        """Whether backward gets zeros (the default) or None for outputs that nobody used."""
        self._materialize = value

    @property
    def saved_tensors(self) -> tuple[Any, ...]:
        """What `save_for_backward` kept; RuntimeError after it was freed, or if it was changed in place."""
        if self._saved is None:
            raise RuntimeError(FREED.format(name=self.name()))
        return tuple(v.unpack(self) if isinstance(v, SavedTensor) else v for v in self._saved)

    def keep_saved(self, outputs: Sequence[Any]) -> None:
        """After forward: turn what was handed in for saving into saved values."""
        self._saved = [_saved(v, outputs) for v in self._to_save]
        self._to_save = ()

    def release(self) -> None:
        """Forget saved values; other attributes are the program's own affair."""
        if self._saved:
            self._saved = None

    def pullback(self, cotangents: list[Any], recording: bool) -> Sequence[Any]:
        """Call the program's `backward` and check what it returns."""
        given = [
            self._given(c, form) for c, form in zip([*cotangents, *[None] * len(self.forms)], self.forms, strict=False)
        ]
        results = self.rule.backward(self, *given)
        results = self._checked(tuple(results) if isinstance(results, (tuple, list)) else (results,))
        return results if recording else [r if r is None else r.array for r in results]

    def _given(self, cotangent: Any, form: Form | None) -> Any:
        if cotangent is None:
            missing = form is None or not self._materialize
            return None if missing else Tensor.of(zeros(form.shape).array.astype(form.dtype))  # type: ignore[union-attr]
        return cotangent if isinstance(cotangent, Tensor) else Tensor.of(cotangent)

    def _checked(self, results: tuple[Any, ...]) -> list[Any]:
        expected = len(self.edges)
        if len(results) < expected or any(r is not None for r in results[expected:]):
            raise RuntimeError(
                f"function {self.name()} returned an incorrect number of gradients (expected {expected}, "
                f"got {len(results)}): backward returns one for each argument of forward, None where it is no tensor"
            )
        return [self._checked_one(i, r) for i, r in enumerate(results[:expected])]

    def _checked_one(self, index: int, result: Any) -> Any:
        form = self._inputs[index]
        if result is None:
            return None
        if form is None:
            raise RuntimeError(
                f"function {self.name()} returned a gradient different from None at position {index + 1}, but the "
                "corresponding forward input was not a Variable: return None there"
            )
        if not isinstance(result, Tensor):
            raise RuntimeError(f"expected Variable or None from {self.name()} (got {type(result).__name__})")
        if result.dtype.is_complex and form.dtype.kind != "c":
            raise RuntimeError(
                f"Function {self.name()} returned an invalid gradient at index {index} - expected a real gradient, "
                f"as the input is, but got {result.dtype}: take its real part"
            )
        return result


def _saved(value: Any, outputs: Sequence[Any]) -> Any:
    if value is None:
        return None
    for index, out in enumerate(outputs):
        if out is value:
            return SavedResult(value, index).hooked()
    return SavedTensor(value, value.edge()).hooked()


class Function:
    """Base class of custom rules: define `forward` and `backward` as static methods, call `apply`.

    `forward(ctx, *args)`, or `forward(*args)` with `setup_context(ctx, inputs, output)`. Source: notes/extending.
    """

    _ctx_class: Any = None
    generate_vmap_rule = False
    """Whether `vmap` may map forward and backward themselves over a batch (notes/extending.func)."""

    at_level: ClassVar[Callable[..., Any]]
    """What to do under transforms. Provided by the module `transformed`."""

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
            return Function.at_level(cls, args, options, level)
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
    if _among(value, args):
        # An input returned as it is becomes an output of this node all the same.
        value = value.alias()
    differentiable = value.dtype.differentiable and not _among(value, ctx._constant)
    if recording and differentiable:
        value.history, value.link = (ctx, index), None
    return value


def _among(value: Any, values: Sequence[Any]) -> bool:
    return any(value is v for v in values)


def _changed_input(ctx: FunctionCtx, index: int, value: Tensor, recording: bool) -> Tensor:
    """An input that forward changed in place: its history is now this node."""
    value.version.value += 1  # whatever forward changed it with
    if not recording:
        return value
    if value.is_leaf and value.requires_grad:
        raise RuntimeError("a leaf Variable that requires grad is being used in an in-place operation (mark_dirty)")
    if value.link is not None:
        replace_region(value, value.alias((ctx, index)))
    else:
        value.history, value._requires_grad = (ctx, index), False
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
