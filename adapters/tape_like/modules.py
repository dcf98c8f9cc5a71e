"""Modules, which own parameters; optimizers, which change them; and numbers drawn from the engine's generator."""

from __future__ import annotations

from collections.abc import Sequence

from adapters.tape_like.base import Base
from conformance.protocol.types import Array, Arrays, Member, Module, Numbers, Optimizer, Parameters, Program, Shape


class ModuleVerbs(Base):
    """The groups Modules, Optimizers and Draws of the protocol."""

    def module(self, forward: Program, **members: Member) -> Module:
        made = type("Module", (self.torch.nn.Module,), {"forward": forward})()
        for name, value in members.items():
            # By an attribute, which is how PyTorch registers parameters and submodules.
            setattr(made, name, value)
        return made

    def linear(self, weight: Numbers, bias: Numbers = None) -> Module:
        # A weight has a row for each output, and the layer is made with the number of inputs first.
        layer = self.torch.nn.Linear(len(weight[0]), len(weight), bias=bias is not None, dtype=self.torch.float64)
        # New parameters: a write into a leaf that requires a gradient is an error.
        layer.weight = self.torch.nn.Parameter(self.torch.tensor(weight, dtype=self.torch.float64))
        if bias is not None:
            layer.bias = self.torch.nn.Parameter(self.torch.tensor(bias, dtype=self.torch.float64))
        return layer

    def parameter(self, x: Array, requires_grad: bool = True) -> Array:
        return self.torch.nn.Parameter(x, requires_grad)

    def attribute_of(self, owner: Module, name: str) -> Member:
        return getattr(owner, name)

    def set_attribute_(self, owner: Module, name: str, value: Member) -> None:
        setattr(owner, name, value)

    def parameters_of(
        self, module: Module, recurse: bool | None = None, remove_duplicate: bool | None = None
    ) -> dict[str, Array]:
        # An option that is None is not passed on, so that the engine's own default is what is tried.
        asked = {"recurse": recurse, "remove_duplicate": remove_duplicate}
        return dict(module.named_parameters(**{name: flag for name, flag in asked.items() if flag is not None}))

    def functional_call(
        self, module: Module, parameters: Parameters, *args: Array, strict: bool = False, tie_weights: bool = True
    ) -> Array:
        return self.torch.func.functional_call(module, parameters, args, strict=strict, tie_weights=tie_weights)

    def stack_module_state(self, modules: Sequence[Module]) -> tuple[dict[str, Array], dict[str, Array]]:
        parameters, buffers = self.torch.func.stack_module_state(modules)
        return parameters, buffers

    def freeze_(self, module: Module, flag: bool) -> Module:
        return module.requires_grad_(flag)

    def eval_(self, module: Module) -> Module:
        return module.eval()

    def is_training(self, module: Module) -> bool:
        return bool(module.training)

    def zero_gradients_(self, module: Module | Optimizer, set_to_none: bool | None = None) -> None:
        options = {} if set_to_none is None else {"set_to_none": set_to_none}
        module.zero_grad(**options)

    def state_of(self, module: Module, keep_vars: bool = False) -> Parameters:
        return module.state_dict(keep_vars=keep_vars)

    def load_state_(self, module: Module, state: Parameters) -> None:
        module.load_state_dict(state)

    def parametrize_(self, module: Module, name: str, function: Program) -> None:
        # A parametrization is a module.
        computed = type("Parametrization", (self.torch.nn.Module,), {"forward": lambda self, x: function(x)})()
        self.torch.nn.utils.parametrize.register_parametrization(module, name, computed)

    def clip_gradients_(
        self, parameters: Arrays, limit: float, by: str = "norm", error_if_nonfinite: bool = False
    ) -> Array | None:
        if by == "value":
            return self.torch.nn.utils.clip_grad_value_(parameters, limit)
        return self.torch.nn.utils.clip_grad_norm_(parameters, limit, error_if_nonfinite=error_if_nonfinite)

    def init_ones_(self, x: Array) -> Array:
        return self.torch.nn.init.ones_(x)

    def sgd(
        self, parameters: Arrays, rate: float, weight_decay: float = 0.0, differentiable: bool = False
    ) -> Optimizer:
        return self.torch.optim.SGD(parameters, lr=rate, weight_decay=weight_decay, differentiable=differentiable)

    def step_(self, optimizer: Optimizer) -> None:
        optimizer.step()

    def seed_(self, seed: int) -> None:
        self.torch.manual_seed(seed)

    def draw(self, shape: Shape) -> Array:
        return self.torch.rand(shape, dtype=self.torch.float64)
