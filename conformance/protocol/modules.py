"""The verbs for modules, which own parameters, and for optimizers, which change them."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Any, Protocol

__all__ = ["Modules", "Optimizers"]

Array = Any
Module = Any
Optimizer = Any


class Modules(Protocol):
    """Functions that own arrays."""

    def module(self, forward: Callable[..., Any], **members: Any) -> Module:
        """A module with these members, of which parameters and modules are registered; `forward(module, *args)`."""

    def linear(self, weight: Any, bias: Any = None) -> Module:
        """The engine's own linear layer, with these numbers (float64) in its parameters."""

    def parameter(self, x: Array, requires_grad: bool = True) -> Array:
        """`x` wrapped as a module's parameter."""

    def member_of(self, module: Module, name: str) -> Any:
        """A member of a module."""

    def set_member_(self, module: Module, name: str, value: Any) -> None:
        """Assign one."""

    def parameters_of(
        self, module: Module, recurse: bool | None = None, remove_duplicate: bool | None = None
    ) -> dict[str, Array]:
        """The parameters by name: with those of inner modules or not, each once or under each of its names.

        None: as the engine does unasked.
        """

    def functional_call(
        self,
        module: Module,
        parameters: Mapping[str, Array],
        *args: Any,
        strict: bool = False,
        tie_weights: bool = True,
    ) -> Any:
        """What the module returns with other parameters in the place of its own."""

    def freeze_(self, module: Module, flag: bool = False) -> Module:
        """Set whether the parameters require grad, and return the module."""

    def evaluate_(self, module: Module) -> Module:
        """Switch the module to evaluation, and return it."""

    def is_training(self, module: Module) -> bool:
        """Whether it is in training."""

    def zero_gradients_(self, module: Module | Optimizer, set_to_none: bool | None = None) -> None:
        """Reset the gradients of all parameters of a module or an optimizer; None: as the engine does unasked."""

    def fill_with_ones_(self, x: Array) -> Array:
        """Initialise a parameter with ones, by the engine's own initialiser."""


class Optimizers(Protocol):
    """What changes parameters."""

    def gradient_descent(self, parameters: Sequence[Array], rate: float, weight_decay: float = 0.0) -> Optimizer:
        """Plain gradient descent on these parameters."""

    def step_(self, optimizer: Optimizer) -> None:
        """Change the parameters by their gradients."""
