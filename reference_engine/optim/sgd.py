"""Stochastic gradient descent with momentum and weight decay (torch.optim.SGD)."""

# mypy: disable-error-code="no-any-return"

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from ..core.modes import enable_grad, no_grad
from ..core.tensor import Tensor
from ..nn.state import zero_grad


class SGD:
    """Moves each parameter against its gradient: ``p -= lr * velocity``.

    `params` is an iterable of leaves, or of dictionaries with ``params`` and settings of their own. ValueError for an
    empty list, a negative rate or a non-leaf; TypeError for what is no tensor. Source: torch.optim.SGD.
    """

    def __init__(
        self,
        params: Any,
        lr: float = 1e-3,
        momentum: float = 0.0,
        dampening: float = 0.0,
        weight_decay: float = 0.0,
        nesterov: bool = False,
    ) -> None:
        for name, value in (("learning rate", lr), ("momentum value", momentum), ("weight_decay value", weight_decay)):
            if value < 0:
                raise ValueError(f"Invalid {name}: {value} is negative")
        if nesterov and (momentum <= 0 or dampening != 0):
            raise ValueError("Nesterov momentum requires a momentum and zero dampening")
        self.defaults = {
            "lr": lr, "momentum": momentum, "dampening": dampening, "weight_decay": weight_decay, "nesterov": nesterov,
        }  # fmt: skip
        self.param_groups = [{**self.defaults, **group} for group in groups_of(params)]
        self.state: dict[Tensor, dict[str, Tensor]] = {}

    def zero_grad(self, set_to_none: bool = True) -> None:
        """Forget the gradients, or make them zero (torch.optim.Optimizer.zero_grad)."""
        for group in self.param_groups:
            zero_grad(group["params"], set_to_none)

    def step(self, closure: Callable[[], Any] | None = None) -> Any:
        """Move every parameter that has a gradient; a closure is called first, and its loss returned."""
        loss = None
        if closure is not None:
            with enable_grad():
                loss = closure()
        with no_grad():
            for group in self.param_groups:
                for parameter in group["params"]:
                    if parameter._grad is not None:
                        self._move(parameter, group)
        return loss

    def _move(self, parameter: Any, group: dict[str, Any]) -> None:
        g = parameter._grad.detach()
        if group["weight_decay"]:
            g = g + group["weight_decay"] * parameter
        if group["momentum"]:
            g = self._with_momentum(parameter, g, group)
        parameter.sub_(g, alpha=group["lr"])

    def _with_momentum(self, parameter: Tensor, g: Any, group: dict[str, Any]) -> Any:
        kept: dict[str, Any] = self.state.setdefault(parameter, {})
        if "momentum_buffer" not in kept:
            # The first velocity is the gradient itself, not damped.
            kept["momentum_buffer"] = g.clone()
        else:
            kept["momentum_buffer"].mul_(group["momentum"]).add_(g, alpha=1 - group["dampening"])
        velocity = kept["momentum_buffer"]
        return g + group["momentum"] * velocity if group["nesterov"] else velocity


def groups_of(params: Any) -> list[dict[str, Any]]:
    """The groups of parameters, each checked."""
    if isinstance(params, Tensor):
        raise TypeError(
            "params argument given to the optimizer should be an iterable of Tensors or dicts, not a Tensor"
        )
    given = list(params)
    if not given:
        raise ValueError("optimizer got an empty parameter list")
    groups = given if isinstance(given[0], dict) else [{"params": given}]
    groups = [{**g, "params": [g["params"]] if isinstance(g["params"], Tensor) else list(g["params"])} for g in groups]
    for parameter in [p for group in groups for p in group["params"]]:
        if not isinstance(parameter, Tensor):
            raise TypeError(f"optimizer can only optimize Tensors, but one of the params is {type(parameter).__name__}")
        if not parameter.is_leaf and not parameter.retains_grad:
            raise ValueError("can't optimize a non-leaf Tensor: give the leaf that it was computed from")
    return groups
