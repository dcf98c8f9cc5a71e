"""The verbs for modules, which own parameters, and for optimizers, which change them."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Protocol

from conformance.protocol.types import (
    Array,
    Arrays,
    Context,
    Member,
    Module,
    Numbers,
    Optimizer,
    Parameters,
    Program,
    Tree,
)

__all__ = ["Modules", "Optimizers"]


class Modules(Protocol):
    """Modules and their parameters."""

    def module(self, forward: Program, **members: Member) -> Module:
        """A module with these members, whose forward pass is `forward(module, *args)`."""

    def linear(self, weight: Numbers, bias: Numbers = None) -> Module:
        """The engine's own linear layer, with these numbers (float64) in its parameters."""

    def parameter(self, x: Array, requires_grad: bool = True) -> Array:
        """`x` wrapped as a module's parameter."""

    def attribute_of(self, owner: Module | Context, name: str) -> Member:
        """An attribute of a module, of a context, or of an array (`real`)."""

    def set_attribute_(self, owner: Module | Context, name: str, value: Member) -> None:
        """Assign such an attribute."""

    def parameters_of(
        self, module: Module, recurse: bool | None = None, remove_duplicate: bool | None = None
    ) -> dict[str, Array]:
        """The parameters by name: with those of inner modules or not, each once or under each of its names.

        None: the engine's default.
        """

    def functional_call(
        self,
        module: Module,
        parameters: Parameters,
        *args: Array,
        strict: bool = False,
        tie_weights: bool = True,
    ) -> Tree:
        """The output of the module, called with these parameters instead of those it has."""

    def stack_module_state(self, modules: Sequence[Module]) -> tuple[dict[str, Array], dict[str, Array]]:
        """The parameters and the buffers of these modules by name, each stacked along a new first axis."""

    def freeze_(self, module: Module, flag: bool) -> Module:
        """Set whether the parameters require grad, and return the module."""

    def eval_(self, module: Module) -> Module:
        """Switch the module to evaluation mode, and return it."""

    def is_training(self, module: Module) -> bool:
        """Whether the module is in training mode."""

    def zero_gradients_(self, module: Module | Optimizer, set_to_none: bool | None = None) -> None:
        """Reset the gradients of all parameters of a module or an optimizer; None: the engine's default."""

    def state_of(self, module: Module, keep_vars: bool = False) -> Parameters:
        """The state dictionary of a module: its parameters by name, detached unless `keep_vars`."""

    def load_state_(self, module: Module, state: Parameters) -> None:
        """Copy the numbers of a state dictionary into the parameters."""

    def parametrize_(self, module: Module, name: str, function: Program) -> None:
        """Let the parameter of that name be computed by `function` from the original, which is what is learnt."""

    def clip_gradients_(
        self, parameters: Arrays, limit: float, by: str = "norm", error_if_nonfinite: bool = False
    ) -> Array | None:
        """Clip stored gradients in place: by their total norm, which is returned, or each number (by `value`)."""

    def init_ones_(self, x: Array) -> Array:
        """Fill a parameter with ones by the engine's initialiser, and return it."""


class Optimizers(Protocol):
    """Optimizers."""

    def sgd(
        self, parameters: Arrays, rate: float, weight_decay: float = 0.0, differentiable: bool = False
    ) -> Optimizer:
        """Stochastic gradient descent on these parameters; if `differentiable`, its steps are recorded."""

    def step_(self, optimizer: Optimizer) -> None:
        """Update the parameters by their gradients."""
