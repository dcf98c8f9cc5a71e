"""Forward mode level by level, the functional interface, old names, and objects that stand in for arrays."""

from __future__ import annotations

from collections.abc import Callable
from contextlib import AbstractContextManager
from typing import Any

from adapters.tape_like.base import Array, Base

__all__ = ["ForwardModeVerbs", "FunctionalVerbs", "LegacyVerbs", "OverrideVerbs"]

Program = Callable[..., Any]


class _Functional:
    """`ad.functional` of an engine with PyTorch's public names."""

    def __init__(self, torch: Any) -> None:
        self.torch = torch

    def jacobian(
        self,
        program: Program,
        inputs: Any,
        create_graph: bool = False,
        strict: bool = False,
        vectorize: bool = False,
        strategy: str = "reverse-mode",
    ) -> Any:
        jacobian = self.torch.autograd.functional.jacobian
        return jacobian(program, inputs, create_graph, strict, vectorize, strategy)

    def hessian(
        self,
        program: Program,
        inputs: Any,
        create_graph: bool = False,
        strict: bool = False,
        vectorize: bool = False,
        outer_jacobian_strategy: str = "reverse-mode",
    ) -> Any:
        hessian = self.torch.autograd.functional.hessian
        return hessian(program, inputs, create_graph, strict, vectorize, outer_jacobian_strategy)

    def vjp(
        self, program: Program, inputs: Any, v: Any = None, create_graph: bool = False, strict: bool = False
    ) -> tuple[Any, Any]:
        output, product = self.torch.autograd.functional.vjp(program, inputs, v, create_graph, strict)
        return output, product

    def jvp(
        self, program: Program, inputs: Any, v: Any = None, create_graph: bool = False, strict: bool = False
    ) -> tuple[Any, Any]:
        output, product = self.torch.autograd.functional.jvp(program, inputs, v, create_graph, strict)
        return output, product

    def vhp(
        self, program: Program, inputs: Any, v: Any = None, create_graph: bool = False, strict: bool = False
    ) -> tuple[Any, Any]:
        output, product = self.torch.autograd.functional.vhp(program, inputs, v, create_graph, strict)
        return output, product

    def hvp(
        self, program: Program, inputs: Any, v: Any = None, create_graph: bool = False, strict: bool = False
    ) -> tuple[Any, Any]:
        output, product = self.torch.autograd.functional.hvp(program, inputs, v, create_graph, strict)
        return output, product


class FunctionalVerbs(Base):
    """The group FunctionalInterface of the protocol."""

    @property
    def functional(self) -> _Functional:
        """The functional interface."""
        return _Functional(self.torch)


class ForwardModeVerbs(Base):
    """The group ForwardMode of the protocol."""

    def dual_level(self) -> AbstractContextManager[Any]:
        level: AbstractContextManager[Any] = self.torch.autograd.forward_ad.dual_level()
        return level

    def make_dual(self, primal: Array, tangent: Array) -> Array:
        return self.torch.autograd.forward_ad.make_dual(primal, tangent)

    def primal_of(self, x: Array) -> Array:
        return self.torch.autograd.forward_ad.unpack_dual(x).primal

    def tangent_of(self, x: Array) -> Array | None:
        return self.torch.autograd.forward_ad.unpack_dual(x).tangent


class LegacyVerbs(Base):
    """The group LegacyNames of the protocol."""

    def variable(self, x: Array) -> Array:
        return self.torch.autograd.Variable(x)

    def volatile_of(self, x: Array) -> Any:
        return x.volatile

    def set_volatile_(self, x: Array, flag: bool) -> None:
        x.volatile = flag

    def variable_factory(self, value: Any) -> Array:
        return self.torch.autograd.variable(value)


class OverrideVerbs(Base):
    """The group Overrides of the protocol, and whether a value is of the plain type."""

    def is_plain_array(self, x: Array) -> bool:
        return type(x) is self.torch.Tensor

    def array_like(self, handler: Callable[[str], Any]) -> Any:
        class Stand:
            @classmethod
            def __torch_function__(cls, function: Any, types: Any, args: Any = (), kwargs: Any = None) -> Any:
                return handler(function.__name__)

        return Stand()
