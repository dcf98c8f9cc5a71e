"""Leaves, their gradients, the reverse pass from a value, and grad modes."""

from __future__ import annotations

from adapters.tape_like.base import Base
from conformance.protocol.types import Array, Arrays, DType, Handle, Hook, Mode, Numbers, OptionalArrays, Program, Tree


class TapeVerbs(Base):
    """The group Tape of the protocol, and the hook that only leaves have."""

    def leaf(self, value: Numbers, dtype: DType | None = None) -> Array:
        return self.torch.tensor(value, dtype=self._dtype(value, dtype), requires_grad=True)

    def set_requires_grad_(self, x: Array, flag: bool) -> None:
        x.requires_grad = flag

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
        inputs: Tree = None,
    ) -> None:
        output.backward(gradient, retain_graph=retain_graph, create_graph=create_graph, inputs=inputs)

    def backward_of(
        self,
        outputs: Arrays,
        gradients: Tree = None,
        grad_variables: Tree = None,
        retain_graph: bool | None = None,
        create_graph: bool = False,
        inputs: Tree = None,
    ) -> None:
        self.torch.autograd.backward(outputs, gradients, retain_graph, create_graph, grad_variables, inputs)

    def grad_of(
        self,
        outputs: Array | Arrays,
        inputs: Tree,
        gradients: Tree = None,
        retain_graph: bool | None = None,
        create_graph: bool = False,
        only_inputs: bool = True,
        allow_unused: bool | None = None,
        is_grads_batched: bool = False,
        materialize_grads: bool = False,
    ) -> OptionalArrays | dict[str, Array | None]:
        return self.torch.autograd.grad(
            outputs,
            inputs,
            gradients,
            retain_graph,
            create_graph,
            only_inputs,
            allow_unused,
            is_grads_batched,
            materialize_grads,
        )

    def gradient_of(self, x: Array) -> Array | None:
        return x.grad

    def set_gradient_(self, x: Array, gradient: Array | None) -> None:
        x.grad = gradient

    def delete_gradient_(self, x: Array) -> None:
        del x.grad

    def zero_gradient_(self, x: Array) -> None:
        x.grad.zero_()

    def gradient_dtype_of(self, x: Array) -> DType | None:
        return None if x.grad_dtype is None else str(x.grad_dtype).removeprefix("torch.")

    def set_gradient_dtype_(self, x: Array, dtype: DType | None) -> None:
        # None means any dtype, and is a value of the attribute.
        x.grad_dtype = dtype and getattr(self.torch, dtype)

    def retain_gradient_(self, x: Array) -> None:
        x.retain_grad()

    def retains_gradient(self, x: Array) -> bool:
        return bool(x.retains_grad)

    def register_post_accumulate_hook(self, x: Array, hook: Hook) -> Handle:
        return x.register_post_accumulate_grad_hook(hook)


class ModeVerbs(Base):
    """The group Modes of the protocol."""

    def no_grad(self) -> Mode:
        return self.torch.no_grad()

    def enable_grad(self) -> Mode:
        return self.torch.enable_grad()

    def set_grad_enabled(self, flag: bool) -> Mode:
        return self.torch.set_grad_enabled(flag)

    def inference_mode(self, flag: bool = True) -> Mode:
        return self.torch.inference_mode(flag)

    def autocast(self, dtype: DType) -> Mode:
        return self.torch.autocast("cpu", dtype=getattr(self.torch, dtype))

    def decorated_by(self, mode: str, function: Program) -> Program:
        return getattr(self.torch, mode)(function)

    def detect_anomaly(self, check_nan: bool | None = None) -> Mode:
        # None leaves the default to the engine: behaviours ask about it.
        options = {} if check_nan is None else {"check_nan": check_nan}
        return self.torch.autograd.detect_anomaly(**options)

    def set_detect_anomaly(self, flag: bool, check_nan: bool | None = None) -> Mode:
        options = {} if check_nan is None else {"check_nan": check_nan}
        return self.torch.autograd.set_detect_anomaly(flag, **options)

    def is_recording(self) -> bool:
        return bool(self.torch.is_grad_enabled())

    def is_inference_mode(self) -> bool:
        return bool(self.torch.is_inference_mode_enabled())

    def is_inference(self, x: Array) -> bool:
        return bool(x.is_inference())
