"""The functional interface, dual numbers, old names, and overrides."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from adapters.spellings.of_torch import FUNCTIONAL
from adapters.tape_like.base import Base
from conformance.protocol import Namespace
from conformance.protocol.types import Array, Mode


class FunctionalVerbs(Base):
    """The groups FunctionalInterface, ForwardMode and, but for `is_plain_array`, LegacyNames of the protocol."""

    @property
    def functional(self) -> Namespace:
        """The functional interface."""
        # A namespace, so that a function that an engine lacks is not offered rather than an AttributeError.
        return Namespace(self.torch, FUNCTIONAL)

    def dual_level(self) -> Mode:
        return self.torch.autograd.forward_ad.dual_level()

    def enter_dual_level(self) -> int:
        return int(self.torch.autograd.forward_ad.enter_dual_level())

    def exit_dual_level(self, level: int | None = None) -> None:
        self.torch.autograd.forward_ad.exit_dual_level(level=level)

    def make_dual(self, primal: Array, tangent: Array) -> Array:
        return self.torch.autograd.forward_ad.make_dual(primal, tangent)

    def primal_of(self, x: Array) -> Array:
        return self.torch.autograd.forward_ad.unpack_dual(x).primal

    def tangent_of(self, x: Array) -> Array | None:
        return self.torch.autograd.forward_ad.unpack_dual(x).tangent

    def variable(self, x: Array, requires_grad: bool = False) -> Array:
        return self.torch.autograd.Variable(x, requires_grad)

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
        # A class for each call: the handler is the check's, and engines look the method up on the type.
        class Overriding:
            @classmethod
            def __torch_function__(cls, function: Any, types: Any, args: Any = (), kwargs: Any = None) -> Any:
                return handler(function.__name__)

        return Overriding()
