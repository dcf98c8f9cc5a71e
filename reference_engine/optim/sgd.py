"""Stochastic gradient descent with momentum (torch.optim.SGD)."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from typing import Any

from ..core.modes import enable_grad, no_grad
from ..core.tensor import Tensor
from ..nn.module import zero_grad


class SGD:
    """Moves leaves against their gradients: ``p -= lr * velocity``; without momentum that is the gradient.

    ValueError for no parameters, a non-leaf, or a negative rate; TypeError for what is no tensor.
    Source: torch.optim.SGD.
    """

    def __init__(
        self, params: Iterable[Tensor], lr: float = 1e-3, momentum: float = 0.0, weight_decay: float = 0.0
    ) -> None:
        self.params, self.lr, self.momentum, self.weight_decay = list(params), lr, momentum, weight_decay
        self.velocities: dict[Tensor, Tensor] = {}
        if not self.params:
            raise ValueError("optimizer got an empty parameter list")
        for parameter in self.params:
            _check(parameter)
        for name, value in (("learning rate", lr), ("momentum", momentum), ("weight_decay", weight_decay)):
            if value < 0:
                raise ValueError(f"Invalid {name} value: {value} is negative")

    def zero_grad(self, set_to_none: bool = True) -> None:
        """Forget the gradients, or make them zero in place (torch.optim.Optimizer.zero_grad)."""
        zero_grad(self.params, set_to_none)

    def step(self, closure: Callable[[], Any] | None = None) -> Any:
        """Move every parameter that has a gradient; a closure is called first, and its loss returned."""
        loss = None
        if closure is not None:
            with enable_grad():
                loss = closure()
        with no_grad():
            for parameter in self.params:
                if parameter._grad is not None:
                    parameter.sub_(self._velocity(parameter, parameter._grad.detach()), alpha=self.lr)
        return loss

    def _velocity(self, parameter: Any, g: Any) -> Any:
        if self.weight_decay:
            g = g + self.weight_decay * parameter
        if not self.momentum:
            return g
        # The first velocity is the gradient itself.
        known = self.velocities.get(parameter)
        self.velocities[parameter] = g.clone() if known is None else known.mul_(self.momentum).add_(g)
        return self.velocities[parameter]


def _check(parameter: Any) -> None:
    if not isinstance(parameter, Tensor):
        raise TypeError(f"optimizer can only optimize Tensors, but one of the params is {type(parameter).__name__}")
    if not parameter.is_leaf:
        raise ValueError("can't optimize a non-leaf Tensor: give the leaf that it was computed from")
