"""Modules, which own parameters; optimizers, which change them; and numbers drawn from the engine's generator."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Any

from adapters.tape_like.base import Array, Base

__all__ = ["ModuleVerbs"]


class ModuleVerbs(Base):
    """The groups Modules, Optimizers and Draws of the protocol."""

    def module(self, forward: Callable[..., Any], **members: Any) -> Any:
        made = type("Module", (self.torch.nn.Module,), {"forward": forward})()
        for name, value in members.items():
            setattr(made, name, value)
        return made

    def linear(self, weight: Any, bias: Any = None) -> Any:
        layer = self.torch.nn.Linear(len(weight[0]), len(weight), bias=bias is not None, dtype=self.torch.float64)
        layer.weight = self.torch.nn.Parameter(self.torch.tensor(weight, dtype=self.torch.float64))
        if bias is not None:
            layer.bias = self.torch.nn.Parameter(self.torch.tensor(bias, dtype=self.torch.float64))
        return layer

    def parameter(self, x: Array, requires_grad: bool = True) -> Array:
        return self.torch.nn.Parameter(x, requires_grad)

    def member_of(self, module: Any, name: str) -> Any:
        return getattr(module, name)

    def set_member_(self, module: Any, name: str, value: Any) -> None:
        setattr(module, name, value)

    def parameters_of(
        self, module: Any, recurse: bool | None = None, remove_duplicate: bool | None = None
    ) -> dict[str, Array]:
        asked = {"recurse": recurse, "remove_duplicate": remove_duplicate}
        return dict(module.named_parameters(**{name: flag for name, flag in asked.items() if flag is not None}))

    def functional_call(
        self,
        module: Any,
        parameters: Mapping[str, Array],
        *args: Any,
        strict: bool = False,
        tie_weights: bool = True,
    ) -> Any:
        return self.torch.func.functional_call(module, parameters, args, strict=strict, tie_weights=tie_weights)

    def freeze_(self, module: Any, flag: bool = False) -> Any:
        return module.requires_grad_(flag)

    def evaluate_(self, module: Any) -> Any:
        return module.eval()

    def is_training(self, module: Any) -> bool:
        return bool(module.training)

    def zero_gradients_(self, module: Any, set_to_none: bool | None = None) -> None:
        options = {} if set_to_none is None else {"set_to_none": set_to_none}
        module.zero_grad(**options)

    def fill_with_ones_(self, x: Array) -> Array:
        return self.torch.nn.init.ones_(x)

    def gradient_descent(self, parameters: Sequence[Array], rate: float, weight_decay: float = 0.0) -> Any:
        return self.torch.optim.SGD(parameters, lr=rate, weight_decay=weight_decay)

    def step_(self, optimizer: Any) -> None:
        optimizer.step()

    def seed_(self, seed: int) -> None:
        self.torch.manual_seed(seed)

    def draw(self, shape: tuple[int, ...]) -> Array:
        return self.torch.rand(shape, dtype=self.torch.float64)
