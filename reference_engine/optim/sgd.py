"""Stochastic gradient descent with momentum and weight decay (torch.optim.SGD)."""

from __future__ import annotations

from typing import Any

from ..core.tensor import Tensor
from .optimizer import Optimizer, refuse_negative


class SGD(Optimizer):
    """Moves each parameter against its gradient: ``p -= lr * velocity``; along it, to `maximize`.

    ValueError for a negative rate. Source: torch.optim.SGD.
    """

    def __init__(
        self,
        params: Any,
        lr: float = 1e-3,
        momentum: float = 0.0,
        dampening: float = 0.0,
        weight_decay: float = 0.0,
        nesterov: bool = False,
        *,
        maximize: bool = False,
    ) -> None:
        refuse_negative(learning_rate=lr, momentum=momentum, weight_decay=weight_decay)
        if nesterov and (momentum <= 0 or dampening != 0):
            raise ValueError("Nesterov momentum requires a momentum and zero dampening")
        defaults = {
            "lr": lr, "momentum": momentum, "dampening": dampening, "weight_decay": weight_decay, "nesterov": nesterov,
            "maximize": maximize,
        }  # fmt: skip
        super().__init__(params, defaults)

    def _move(self, parameter: Any, g: Any, group: dict[str, Any]) -> None:
        if group["weight_decay"]:
            g = g + group["weight_decay"] * parameter
        if group["momentum"]:
            g = self._with_momentum(parameter, g, group)
        parameter.sub_(g, alpha=group["lr"])

    def _with_momentum(self, parameter: Tensor, g: Any, group: dict[str, Any]) -> Any:
        kept = self.state[parameter]
        if "momentum_buffer" not in kept:
            # The first velocity is the gradient itself, not damped.
            kept["momentum_buffer"] = g.clone()
        else:
            kept["momentum_buffer"].mul_(group["momentum"]).add_(g, alpha=1 - group["dampening"])
        velocity = kept["momentum_buffer"]
        return g + group["momentum"] * velocity if group["nesterov"] else velocity
