"""What all optimisers share: groups of parameters with settings, a state for each parameter, and a step."""

from __future__ import annotations

import copy
from collections import defaultdict
from collections.abc import Callable, Iterable
from typing import Any

from ..core.modes import enable_grad, no_grad
from ..core.tensor import Tensor
from ..nn.state import zero_grad


class Optimizer:
    """Groups of leaves to be moved, each group with settings of its own or the defaults (torch.optim.Optimizer).

    `params` is an iterable of leaves, or of dictionaries with ``params`` and settings. ValueError for an empty list, a
    leaf that is named twice, or a non-leaf; TypeError for what is no tensor.
    """

    def __init__(self, params: Any, defaults: dict[str, Any]) -> None:
        if isinstance(params, Tensor):
            raise TypeError(
                "params argument given to the optimizer should be an iterable of Tensors or dicts, not a Tensor"
            )
        given = list(params)
        if not given:
            raise ValueError("optimizer got an empty parameter list")
        self.defaults = defaults
        self.state: defaultdict[Any, dict[str, Any]] = defaultdict(dict)
        self.param_groups: list[dict[str, Any]] = []
        for group in given if isinstance(given[0], dict) else [{"params": given}]:
            self.add_param_group(group)

    def add_param_group(self, param_group: dict[str, Any]) -> None:
        """Move these parameters too, with the settings that stand beside them (Optimizer.add_param_group)."""
        params = param_group["params"]
        params = [params] if isinstance(params, Tensor) else list(params)
        known = {p for group in self.param_groups for p in group["params"]}
        for parameter in params:
            _check(parameter, known)
        self.param_groups.append({**self.defaults, **param_group, "params": params})

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
                        g = parameter._grad.detach()
                        self._move(parameter, -g if group.get("maximize") else g, group)
        return loss

    def _move(self, parameter: Any, g: Any, group: dict[str, Any]) -> None:
        """Move one parameter, given its gradient."""
        raise NotImplementedError

    def state_dict(self) -> dict[str, Any]:
        """The settings and the state, with numbers in the place of parameters (Optimizer.state_dict)."""
        numbers = {p: i for i, p in enumerate(_all(self.param_groups))}
        groups = [{**group, "params": [numbers[p] for p in group["params"]]} for group in self.param_groups]
        return {"state": {numbers[p]: state for p, state in self.state.items()}, "param_groups": groups}

    def load_state_dict(self, state_dict: dict[str, Any]) -> None:
        """Take over settings and state from a `state_dict`; ValueError unless the groups have the same sizes."""
        groups = copy.deepcopy(state_dict["param_groups"])
        if [len(g["params"]) for g in groups] != [len(g["params"]) for g in self.param_groups]:
            raise ValueError(
                "loaded state dict has other parameter groups than the optimizer: "
                f"{[len(g['params']) for g in groups]} parameters in its groups, "
                f"expected {[len(g['params']) for g in self.param_groups]}"
            )
        numbered = dict(zip(_all(groups), _all(self.param_groups), strict=True))
        state = copy.deepcopy(state_dict["state"])
        self.state = defaultdict(dict, {numbered[number]: kept for number, kept in state.items()})
        self.param_groups = [{**g, "params": own["params"]} for g, own in zip(groups, self.param_groups, strict=True)]


def _all(groups: Iterable[dict[str, Any]]) -> list[Any]:
    """The parameters of all groups, in order."""
    return [p for group in groups for p in group["params"]]


def _check(parameter: Any, known: set[Any]) -> None:
    if not isinstance(parameter, Tensor):
        raise TypeError(f"optimizer can only optimize Tensors, but one of the params is {type(parameter).__name__}")
    if not parameter.is_leaf and not parameter.retains_grad:
        raise ValueError("can't optimize a non-leaf Tensor: give the leaf that it was computed from")
    if parameter in known:
        raise ValueError("some parameters appear in more than one parameter group: each is to be moved once")


def refuse_negative(**settings: float) -> None:
    """ValueError that names a setting which must not be negative, and is."""
    for name, value in settings.items():
        if value < 0:
            raise ValueError(f"Invalid {name.replace('_', ' ')} value: {value} is negative")
