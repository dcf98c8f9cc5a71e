"""Forward mode level by level, the functional interface, old names, and objects that stand in for arrays."""

from __future__ import annotations

from collections.abc import Callable
from contextlib import AbstractContextManager
from typing import Any

from adapters.tape_like.base import Array, Base

__all__ = ["SurroundingVerbs"]


class _Functional:
    """`ad.functional` of an engine with PyTorch's public names."""

    def __init__(self, torch: Any) -> None:
        self.torch = torch

    def jacobian(self, program: Callable[..., Any], inputs: Array) -> Array:
        return self.torch.autograd.functional.jacobian(program, inputs)

    def hessian(self, program: Callable[..., Any], inputs: Array) -> Array:
        return self.torch.autograd.functional.hessian(program, inputs)

    def vjp(self, program: Callable[..., Any], inputs: Array, v: Array) -> tuple[Array, Array]:
        output, gradient = self.torch.autograd.functional.vjp(program, inputs, v)
        return output, gradient


class SurroundingVerbs(Base):
    """The groups ForwardMode, LegacyNames, Overrides and FunctionalInterface of the protocol."""

    @property
    def functional(self) -> _Functional:
        """The functional interface."""
        return _Functional(self.torch)

    def dual_level(self) -> AbstractContextManager[Any]:
        level: AbstractContextManager[Any] = self.torch.autograd.forward_ad.dual_level()
        return level

    def make_dual(self, primal: Array, tangent: Array) -> Array:
        return self.torch.autograd.forward_ad.make_dual(primal, tangent)

    def tangent_of(self, x: Array) -> Array | None:
        return self.torch.autograd.forward_ad.unpack_dual(x).tangent

    def variable(self, x: Array) -> Array:
        return self.torch.autograd.Variable(x)

    def is_plain_array(self, x: Array) -> bool:
        return type(x) is self.torch.Tensor

    def volatile_of(self, x: Array) -> Any:
        return x.volatile

    def set_volatile_(self, x: Array, flag: bool) -> None:
        x.volatile = flag

    def variable_factory(self, value: Any) -> Array:
        return self.torch.autograd.variable(value)

    def array_like(self, handler: Callable[[str], Any]) -> Any:
        class Stand:
            @classmethod
            def __torch_function__(cls, function: Any, types: Any, args: Any = (), kwargs: Any = None) -> Any:
                return handler(function.__name__)

        return Stand()
