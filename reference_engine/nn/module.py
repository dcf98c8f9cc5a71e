"""Module: a tree of parameters and further modules, with names.

A module keeps its parts in two dictionaries; assigning an attribute sorts it in, and reading finds it
there. Everything else (parameters, train, zero_grad) walks the tree (torch.nn.Module).
"""

# mypy: disable-error-code="no-any-return"

from __future__ import annotations

import functools
from collections.abc import Callable, Iterable, Iterator, Mapping
from typing import Any, TypeVar

from ..core import hooks
from ..core.modes import no_grad
from ..core.tensor import Tensor
from .backward_hooks import BackwardHooks
from .parameter import Parameter

M = TypeVar("M", bound="Module")
_KINDS = ("_parameters", "_modules")
_HOOKS = ("_backward_hooks", "_backward_pre_hooks")


class Module:
    """Base class of networks and their layers: define `forward`, then call the module (torch.nn.Module)."""

    training = True

    def __init__(self) -> None:
        # Past this class's `__setattr__`, which needs the dictionaries to be there.
        for kind in (*_KINDS, *_HOOKS):
            object.__setattr__(self, kind, {})

    # --- parts -----------------------------------------------------------------------------------

    def __setattr__(self, name: str, value: Any) -> None:
        kind = self._kind_of(name, value)
        if kind is None:
            object.__setattr__(self, name, value)
            return
        # A name belongs to a single dictionary, and not to plain attributes at the same time.
        for other in _KINDS:
            getattr(self, other).pop(name, None) if other != kind else None
        self.__dict__.pop(name, None)
        getattr(self, kind)[name] = value

    def _kind_of(self, name: str, value: Any) -> str | None:
        """Which dictionary a value assigned to a name belongs to; TypeError if the name is taken by another kind."""
        if isinstance(value, (Parameter, Module)):
            kind = "_parameters" if isinstance(value, Parameter) else "_modules"
            return kind
        known = next((k for k in _KINDS if name in self.__dict__.get(k, ())), None)
        if known is not None and value is not None:
            raise TypeError(
                f"cannot assign '{type(value).__name__}' object as {known.strip('_')[:-1]} '{name}' (Parameter, Module "
                "or None expected): wrap the value"
            )
        return known

    def __getattr__(self, name: str) -> Any:
        for kind in _KINDS:
            parts = self.__dict__.get(kind, {})
            if name in parts:
                return parts[name]
        raise AttributeError(f"'{type(self).__name__}' object has no attribute '{name}'")

    def register_parameter(self, name: str, param: Parameter | None) -> None:
        """Add a parameter, or None in its place, under a name (Module.register_parameter)."""
        self._parameters[name] = param

    def add_module(self, name: str, module: Module | None) -> None:
        """Add a submodule under a name (Module.add_module)."""
        self._modules[name] = module

    # --- walking the tree ------------------------------------------------------------------------

    def named_modules(
        self, memo: set[Any] | None = None, prefix: str = "", remove_duplicate: bool = True
    ) -> Iterator[tuple[str, Module]]:
        """This module under the prefix, and all below it, shared ones once (Module.named_modules)."""
        # Shared submodules are visited once; the set is passed down the tree.
        memo = set() if memo is None else memo
        if self in memo:
            return
        if remove_duplicate:
            memo.add(self)
        yield prefix, self
        for name, module in self._modules.items():
            if module is not None:
                yield from module.named_modules(memo, f"{prefix}.{name}" if prefix else name, remove_duplicate)

    def modules(self) -> Iterator[Module]:
        """This module and all below it (Module.modules)."""
        return (module for _, module in self.named_modules())

    def named_parameters(
        self, prefix: str = "", recurse: bool = True, remove_duplicate: bool = True
    ) -> Iterator[tuple[str, Parameter]]:
        """The parameters with their dotted names, shared ones once (Module.named_parameters)."""
        seen: set[Parameter] = set()
        for path, module in self.named_modules(None, prefix, remove_duplicate) if recurse else [(prefix, self)]:
            for name, value in module._parameters.items():
                if value is not None and not (remove_duplicate and value in seen):
                    seen.add(value)
                    yield f"{path}.{name}" if path else name, value

    def parameters(self, recurse: bool = True) -> Iterator[Parameter]:
        """The parameters, shared ones once (Module.parameters)."""
        return (value for _, value in self.named_parameters(recurse=recurse))

    def get_submodule(self, target: str) -> Module:
        """The module at a dotted path; AttributeError if there is none (Module.get_submodule)."""
        return functools.reduce(getattr, target.split(".") if target else (), self)

    # --- doing something to all of it ------------------------------------------------------------

    def train(self: M, mode: bool = True) -> M:
        """Set `training` here and below (Module.train)."""
        for module in self.modules():
            module.training = mode
        return self

    def eval(self: M) -> M:
        """The same as ``train(False)`` (Module.eval)."""
        return self.train(False)

    def requires_grad_(self: M, requires_grad: bool = True) -> M:
        """Set `requires_grad` of every parameter (Module.requires_grad_)."""
        for parameter in self.parameters():
            parameter.requires_grad_(requires_grad)
        return self

    def zero_grad(self, set_to_none: bool = True) -> None:
        """Forget the gradients of all parameters, or make them zero in place (Module.zero_grad)."""
        zero_grad(self.parameters(), set_to_none)

    def state_dict(self, keep_vars: bool = False) -> dict[str, Tensor]:
        """The parameters by name, each detached unless `keep_vars` (Module.state_dict)."""
        named = self.named_parameters(remove_duplicate=False)
        return {name: value if keep_vars else value.detach() for name, value in named}

    def load_state_dict(self, state_dict: Mapping[str, Tensor]) -> None:
        """Copy the numbers into the parameters, which stay what they are (Module.load_state_dict)."""
        # Writing to a leaf that requires grad is an error while recording.
        with no_grad():
            for name, parameter in self.named_parameters(remove_duplicate=False):
                parameter.copy_(state_dict[name])

    # --- calling ---------------------------------------------------------------------------------

    def forward(self, *args: Any, **options: Any) -> Any:
        """Compute the result; every subclass defines it."""
        raise NotImplementedError(f'Module [{type(self).__name__}] is missing the required "forward" function')

    def __call__(self, *args: Any, **options: Any) -> Any:
        watching = None
        if self._backward_hooks or self._backward_pre_hooks:
            watching = BackwardHooks(self, [*self._backward_pre_hooks.values()], [*self._backward_hooks.values()])
            args = watching.enter(args)
        result = self.forward(*args, **options)
        return result if watching is None else watching.leave(result)

    def register_full_backward_hook(self, hook: Callable[..., Any], prepend: bool = False) -> hooks.RemovableHandle:
        """Call `hook(module, grad_input, grad_output)`, both tuples; it may return another grad_input."""
        return hooks.register(self._backward_hooks, hook, prepend)

    def register_full_backward_pre_hook(self, hook: Callable[..., Any], prepend: bool = False) -> hooks.RemovableHandle:
        """Call `hook(module, grad_output)` before the module runs backward; it may return another grad_output."""
        return hooks.register(self._backward_pre_hooks, hook, prepend)


def zero_grad(parameters: Iterable[Tensor], set_to_none: bool) -> None:
    """Forget gradients, or make them zero in place and without the history they may have."""
    for parameter in parameters:
        if parameter._grad is None:
            continue
        if set_to_none:
            parameter.grad = None
        else:
            # The gradient may have a history, from backward with create_graph.
            parameter._grad.detach_()
            parameter._grad.zero_()
