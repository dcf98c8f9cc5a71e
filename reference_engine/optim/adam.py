"""Adam: steps scaled by running means of the gradient and of its square (torch.optim.Adam)."""

from __future__ import annotations

from typing import Any

from .optimizer import Optimizer, refuse_negative


class Adam(Optimizer):
    """Moves each parameter by ``lr * mean / (sqrt(mean of squares) + eps)``, both means corrected for their start.

    ValueError for a negative rate, or betas outside [0, 1). Source: torch.optim.Adam.
    """

    def __init__(
        self,
        params: Any,
        lr: float = 1e-3,
        betas: tuple[float, float] = (0.9, 0.999),
        eps: float = 1e-8,
        weight_decay: float = 0.0,
        *,
        maximize: bool = False,
    ) -> None:
        refuse_negative(learning_rate=lr, epsilon=eps, weight_decay=weight_decay)
        for index, beta in enumerate(betas):
            if not 0 <= beta < 1:
                raise ValueError(f"Invalid beta parameter at index {index}: {beta} is not in [0, 1)")
        defaults = {"lr": lr, "betas": betas, "eps": eps, "weight_decay": weight_decay, "maximize": maximize}
        super().__init__(params, defaults)

    def _move(self, parameter: Any, g: Any, group: dict[str, Any]) -> None:
        g = self._decayed(parameter, g, group)
        kept = self.state[parameter]
        if not kept:
            kept.update(step=0, exp_avg=g * 0, exp_avg_sq=g * 0)
        kept["step"] += 1
        first, second = group["betas"]
        kept["exp_avg"].mul_(first).add_(g, alpha=1 - first)
        kept["exp_avg_sq"].mul_(second).add_(g * g.conj(), alpha=1 - second)
        scale = (kept["exp_avg_sq"] / (1 - second ** kept["step"])).sqrt() + group["eps"]
        parameter.sub_(kept["exp_avg"] / (1 - first ** kept["step"]) / scale, alpha=group["lr"])

    def _decayed(self, parameter: Any, g: Any, group: dict[str, Any]) -> Any:
        """The gradient with that of the penalty on large weights."""
        return g + group["weight_decay"] * parameter if group["weight_decay"] else g


class AdamW(Adam):
    """Adam, but large weights shrink by themselves and leave the means alone (torch.optim.AdamW)."""

    def __init__(
        self,
        params: Any,
        lr: float = 1e-3,
        betas: tuple[float, float] = (0.9, 0.999),
        eps: float = 1e-8,
        weight_decay: float = 1e-2,
        *,
        maximize: bool = False,
    ) -> None:
        super().__init__(params, lr, betas, eps, weight_decay, maximize=maximize)

    def _decayed(self, parameter: Any, g: Any, group: dict[str, Any]) -> Any:
        """The gradient as it is; the weight has shrunk."""
        parameter.mul_(1 - group["lr"] * group["weight_decay"])
        return g
