"""Leaves, their gradients, the graph, hooks and modes."""

from __future__ import annotations

import gc
import weakref
from collections.abc import Callable, Sequence
from contextlib import AbstractContextManager
from typing import Any

from adapters.tape_like.base import Array, Base

__all__ = ["TapeVerbs"]


class TapeVerbs(Base):
    """The groups Arrays, Tape, Graph, Hooks and Modes of the protocol."""

    def array(self, value: Any, dtype: str | None = None) -> Array:
        return self.torch.tensor(value, dtype=self._dtype(value, dtype))

    def dtype_of(self, x: Array) -> str:
        return str(x.dtype).removeprefix("torch.")

    def to_numpy(self, x: Array) -> Any:
        return x.detach().numpy()

    def leaf(self, value: Any, dtype: str | None = None) -> Array:
        return self.torch.tensor(value, dtype=self._dtype(value, dtype), requires_grad=True)

    def parameter(self, x: Array) -> Array:
        return self.torch.nn.Parameter(x)

    def requires_grad(self, x: Array) -> bool:
        return bool(x.requires_grad)

    def require_grad_(self, x: Array, flag: bool = True) -> Array:
        return x.requires_grad_(flag)

    def is_leaf(self, x: Array) -> bool:
        return bool(x.is_leaf)

    def backward(
        self,
        output: Array,
        gradient: Array | None = None,
        retain_graph: bool | None = None,
        create_graph: bool = False,
        inputs: Sequence[Array] | None = None,
    ) -> None:
        output.backward(gradient, retain_graph=retain_graph, create_graph=create_graph, inputs=inputs)

    def backward_of(
        self,
        outputs: Sequence[Array],
        gradients: Sequence[Array | None] | None = None,
        grad_variables: Sequence[Array | None] | None = None,
    ) -> None:
        self.torch.autograd.backward(outputs, gradients, grad_variables=grad_variables)

    def grad_of(
        self,
        outputs: Array | Sequence[Array],
        inputs: Array | Sequence[Array],
        gradients: Any = None,
        retain_graph: bool | None = None,
        create_graph: bool = False,
        only_inputs: bool = True,
        allow_unused: bool | None = None,
        is_grads_batched: bool = False,
    ) -> tuple[Array | None, ...]:
        gradients_of: tuple[Array | None, ...] = self.torch.autograd.grad(
            outputs,
            inputs,
            gradients,
            retain_graph,
            create_graph,
            only_inputs,
            allow_unused,
            is_grads_batched,
        )
        return gradients_of

    def gradient_of(self, x: Array) -> Array | None:
        return x.grad

    def clear_gradient_(self, x: Array) -> None:
        x.grad = None

    def zero_gradient_(self, x: Array) -> None:
        x.grad.zero_()

    def retain_gradient_(self, x: Array) -> None:
        x.retain_grad()

    def creator_name(self, x: Array) -> str | None:
        return None if x.grad_fn is None else x.grad_fn.name().rpartition("::")[2]

    def creators_behind(self, x: Array) -> tuple[str, ...]:
        return tuple(node.name().rpartition("::")[2] for node, _ in x.grad_fn.next_functions if node is not None)

    def survives(self, make: Callable[[], Array]) -> bool:
        # The collector of cycles would end what references keep alive, at a moment nobody chose.
        gc.disable()
        try:
            return weakref.ref(make())() is not None
        finally:
            gc.enable()

    def register_hook(self, x: Array, hook: Callable[[Array], Any]) -> Any:
        return x.register_hook(hook)

    def remove_hook(self, handle: Any) -> None:
        handle.remove()

    def no_grad(self) -> AbstractContextManager[Any]:
        mode: AbstractContextManager[Any] = self.torch.no_grad()
        return mode

    def enable_grad(self) -> AbstractContextManager[Any]:
        mode: AbstractContextManager[Any] = self.torch.enable_grad()
        return mode

    def set_grad_enabled(self, flag: bool) -> AbstractContextManager[Any]:
        mode: AbstractContextManager[Any] = self.torch.set_grad_enabled(flag)
        return mode

    def inference_mode(self) -> AbstractContextManager[Any]:
        mode: AbstractContextManager[Any] = self.torch.inference_mode()
        return mode

    def detect_anomaly(self) -> AbstractContextManager[Any]:
        mode: AbstractContextManager[Any] = self.torch.autograd.detect_anomaly()
        return mode

    def set_detect_anomaly(self, flag: bool) -> AbstractContextManager[Any]:
        mode: AbstractContextManager[Any] = self.torch.autograd.set_detect_anomaly(flag)
        return mode
