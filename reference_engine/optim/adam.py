"""Adam: steps scaled by running means of the gradient and of its square (torch.optim.Adam)."""

from __future__ import annotations

from typing import Any

from .sgd import SGD, groups_of


class Adam(SGD):
    """Moves each parameter by ``lr * mean / (sqrt(mean of squares) + eps)``, both means corrected for their start.

    ValueError for an empty list, a negative rate, or betas outside [0, 1). Source: torch.optim.Adam.
    """

    def __init__(
        self,
        params: Any,
        lr: float = 1e-3,
        betas: tuple[float, float] = (0.9, 0.999),
        eps: float = 1e-8,
        weight_decay: float = 0.0,
    ) -> None:
        for name, value in (("learning rate", lr), ("epsilon value", eps), ("weight_decay value", weight_decay)):
            if value < 0:
                raise ValueError(f"Invalid {name}: {value} is negative")
        for index, beta in enumerate(betas):
            if not 0 <= beta < 1:
                raise ValueError(f"Invalid beta parameter at index {index}: {beta} is not in [0, 1)")
        self.defaults: dict[str, Any] = {"lr": lr, "betas": betas, "eps": eps, "weight_decay": weight_decay}
        self.param_groups = [{**self.defaults, **group} for group in groups_of(params)]
        self.state: dict[Any, dict[str, Any]] = {}

    def _move(self, parameter: Any, group: dict[str, Any]) -> None:
        g = parameter._grad.detach()
        if group["weight_decay"]:
            g = g + group["weight_decay"] * parameter
        kept = self.state.setdefault(parameter, {"step": 0, "exp_avg": g * 0, "exp_avg_sq": g * 0})
        kept["step"] += 1
        first, second = group["betas"]
        kept["exp_avg"].mul_(first).add_(g, alpha=1 - first)
        kept["exp_avg_sq"].mul_(second).add_(g * g.conj(), alpha=1 - second)
        scale = (kept["exp_avg_sq"] / (1 - second ** kept["step"])).sqrt() + group["eps"]
        parameter.sub_(kept["exp_avg"] / (1 - first ** kept["step"]) / scale, alpha=group["lr"])
