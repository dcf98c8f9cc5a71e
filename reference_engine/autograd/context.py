"""The node of a call of a custom function, which is the `ctx` that its functions share (see `function`)."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from ..core.tape import FREED, Edge, Form, Node, SavedResult, SavedTensor
from ..core.tensor import Tensor
from ..functions.creation import zeros


class FunctionCtx(Node):
    """The node of a call of a custom function, and what `forward` and `backward` share (FunctionCtx)."""

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
        # Saved after forward, when it is known which of them are outputs.
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
        """Whether backward gets zeros (the default) or None for outputs that were not used."""
        self._materialize = value

    @property
    def saved_tensors(self) -> tuple[Any, ...]:
        """The tensors kept by `save_for_backward`; RuntimeError if they were freed, cleared or changed in place."""
        if self._saved is None and self.rule.clear_saved_tensors_on_access:
            raise RuntimeError("saved_tensors can only be accessed once with clear_saved_tensors_on_access=True")
        if self._saved is None:
            raise RuntimeError(FREED.format(name=self.name()))
        saved = tuple(v.unpack(self) if isinstance(v, SavedTensor) else v for v in self._saved)
        if self.rule.clear_saved_tensors_on_access:
            self._saved = None
        return saved

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
        # Outputs that received no cotangent are missing at the end of the list.
        given = [
            self._given(c, form) for c, form in zip([*cotangents, *[None] * len(self.forms)], self.forms, strict=False)
        ]
        results = self.rule.pulled(self, given)
        results = self._checked(results if isinstance(results, tuple) else (results,))
        # Custom rules always see Tensors; the pass works on arrays where no graph is wanted.
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
        # For built-in operations the imaginary part is dropped; a custom rule must decide itself.
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
        # By identity: an output equal to an input in value is still another tensor.
        if out is value:
            return SavedResult(value, index).hooked(value)
    return SavedTensor(value, value.edge()).hooked(value)
