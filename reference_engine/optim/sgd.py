"""Stochastic gradient descent (torch.optim.SGD)."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

from ..core.modes import set_grad_enabled
from ..core.tensor import Tensor
from ..nn.module import zero_grad


class SGD:
    """Moves leaves against their gradients: ``p -= lr * p.grad``.

    ValueError for a non-leaf; TypeError for what is no tensor. Source: torch.optim.SGD.
    """

    def __init__(
        self, params: Iterable[Tensor], lr: float = 1e-3, weight_decay: float = 0.0, differentiable: bool = False
    ) -> None:
        self.params, self.lr, self.weight_decay = list(params), lr, weight_decay
        self.differentiable = differentiable
        for parameter in self.params:
            _check(parameter, differentiable)

    def zero_grad(self, set_to_none: bool = True) -> None:
        """Forget the gradients, or make them zero in place (torch.optim.Optimizer.zero_grad)."""
        zero_grad(self.params, set_to_none)

    def step(self) -> None:
        """Move every parameter that has a gradient; recorded only if `differentiable`."""
        with set_grad_enabled(self.differentiable):
            for parameter in self.params:
                if parameter._grad is not None:
                    # A gradient with a history would keep the graph of every earlier step.
                    g = parameter._grad if self.differentiable else parameter._grad.detach()
                    parameter.sub_(g + self.weight_decay * parameter if self.weight_decay else g, alpha=self.lr)


def _check(parameter: Any, differentiable: bool) -> None:
    if not isinstance(parameter, Tensor):
        raise TypeError(f"optimizer can only optimize Tensors, but one of the params is {type(parameter).__name__}")
    # With `differentiable` a step is part of a program, whose parameters may be results of earlier steps.
    if not (parameter.is_leaf or differentiable):
        raise ValueError("can't optimize a non-leaf Tensor: give the leaf that it was computed from")
