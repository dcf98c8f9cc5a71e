"""Clipping of gradients, and parameters that are computed from others (torch.nn.utils)."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from types import SimpleNamespace

import numpy as np

from ..core.modes import no_grad
from ..core.tensor import Tensor
from .module import Module


def clip_grad_norm_(parameters: Iterable[Tensor], max_norm: float, error_if_nonfinite: bool = False) -> Tensor:
    """Scale the gradients in place so that their total norm is at most `max_norm`; return the norm that it was."""
    gradients = [p._grad for p in parameters if p._grad is not None]
    # The gradients are scaled in place, which must not be recorded in their graph.
    with no_grad():
        total: Tensor = sum((g * g).sum() for g in gradients) ** 0.5
        if error_if_nonfinite and not np.isfinite(total.numpy()):
            raise RuntimeError("the total norm of the gradients is non-finite, so it cannot be clipped")
        # PyTorch's constant: a norm of zero is not divided by.
        scale = max_norm / (total.item() + 1e-6)
        for gradient in gradients:
            gradient.mul_(min(scale, 1.0))
    return total


def clip_grad_value_(parameters: Iterable[Tensor], clip_value: float) -> None:
    """Clip each number of the gradients in place to the range from -clip_value to clip_value."""
    with no_grad():
        for parameter in parameters:
            if parameter._grad is not None:
                parameter._grad.clamp_(-clip_value, clip_value)


def register_parametrization(module: Module, name: str, parametrization: Callable[[Tensor], Tensor]) -> Module:
    """Let the attribute be computed from the parameter, which is kept as `original` (parametrize)."""
    parts = Module()
    parts.original = module._parameters.pop(name)
    module.parametrizations = parts
    computed = property(lambda self: parametrization(self.parametrizations.original))
    # A property needs a class, so this module gets a class to itself, under the old name.
    module.__class__ = type(type(module).__name__, (type(module),), {name: computed})
    return module


parametrize = SimpleNamespace(register_parametrization=register_parametrization)
